//! [`LaunchQuery`]: a launch for which a kernel is chosen.

use gemm_codegen::{Element, Parameter, ParameterKind};

use crate::argument::Argument;
use crate::device::Device;
use crate::error::Error;
use crate::launch::choice::kernels::Kernels;
use crate::launch::choice::memo::ChoiceKey;
use crate::launch::extents::Bounds;
use crate::launch::outputs::OutputExtents;
use crate::launch::{alignment, extents, tensor};

/// A launch for which one of several kernels is chosen: the operands with or without the outputs.
#[derive(Debug)]
pub(in crate::launch) struct LaunchQuery<'a> {
    pub(in crate::launch) device: &'a Device,
    pub(in crate::launch) kernels: &'a Kernels<'a>,
    arguments: &'a [Argument<'a>],
    /// How many of the arguments are operands.
    operands: usize,
    /// The values of each batch index.
    batches: Vec<usize>,
    pub(in crate::launch) key: ChoiceKey,
}

/// An output of a launch; `argument` is `None` if it is not allocated yet.
#[derive(Clone, Copy, Debug)]
pub(in crate::launch) struct QueriedOutput<'a> {
    pub(in crate::launch) element: Element,
    pub(in crate::launch) of: OutputExtents<'a>,
    pub(in crate::launch) argument: Option<&'a Argument<'a>>,
}

impl<'a> LaunchQuery<'a> {
    /// # Errors
    /// Arguments that do not agree on a shape.
    pub(in crate::launch) fn new(
        device: &'a Device,
        kernels: &'a Kernels<'a>,
        arguments: &'a [Argument<'a>],
    ) -> Result<LaunchQuery<'a>, Error> {
        let kernel = kernels.first();
        let Bounds { extents, batches } = extents::bind(kernel, arguments)?;
        let shape = extents.whole(&kernel.launch);
        let operands = kernel.parameters.len() - kernel.outputs;
        let key = ChoiceKey {
            place: device.place(),
            tuning: device.tuning().map_or(0, |tuning| tuning.number()),
            shape: [shape.m, shape.n, shape.k],
            extents,
            batch: extents::matrices(kernel, &batches)?,
            alignments: 0,
            unreadable: tensor::unreadable_bytes(&kernel.parameters, arguments),
        };
        let mut query = LaunchQuery { device, kernels, arguments, operands, batches, key };
        // As digits of base five, the number of alignments. With more than 27 arguments it is a hash.
        let digits = query.alignments().map(|bytes| u64::from(bytes.ilog2()));
        query.key.alignments = digits.fold(0, |all, digit| all.wrapping_mul(5).wrapping_add(digit));
        Ok(query)
    }

    /// The extents of the launch.
    pub(in crate::launch) fn into_bounds(self) -> Bounds {
        Bounds { extents: self.key.extents, batches: self.batches }
    }

    pub(in crate::launch) fn operands(&self) -> &'a [Argument<'a>] {
        &self.arguments[..self.operands.min(self.arguments.len())]
    }

    pub(in crate::launch) fn outputs(&self) -> impl Iterator<Item = QueriedOutput<'_>> {
        let arguments = self.arguments;
        let parameters = self.parameters().enumerate().skip(self.operands);
        let (extents, batches) = (&self.key.extents, &self.batches[..]);
        parameters.filter_map(move |(number, parameter)| {
            let (element, of) =
                (parameter.kind.element()?, OutputExtents::of(parameter, extents, batches)?);
            Some(QueriedOutput { element, of, argument: arguments.get(number) })
        })
    }

    /// The alignment of each argument for which the text has a macro, in bytes, at most
    /// [`MAX_ALIGN`](gemm_codegen::MAX_ALIGN). A new output has that of its allocation.
    pub(in crate::launch) fn alignments(&self) -> impl Iterator<Item = u32> {
        let (arguments, extents, batches) = (self.arguments, &self.key.extents, &self.batches);
        let asked_for =
            self.parameters().enumerate().filter(|(_, one)| one.align_constant.is_some());
        asked_for.filter_map(move |(number, parameter)| match arguments.get(number) {
            Some(argument) => alignment::of(parameter, argument),
            None => alignment::of_new(parameter, extents, batches),
        })
    }

    /// The factors that a launch by tensor copies has to copy first.
    pub(in crate::launch) fn unreadable(&self) -> impl Iterator<Item = &'static str> {
        let sides = ["A", "B"].into_iter().zip(self.key.unreadable);
        sides.filter(|(_, bytes)| *bytes > 0).map(|(side, _)| side)
    }

    /// The element of the first factor.
    pub(in crate::launch) fn factor(&self) -> Option<Element> {
        self.parameters().find_map(|parameter| match parameter.kind {
            ParameterKind::Matrix { element, .. } if parameter.kind.is_multiplied() => {
                Some(element)
            }
            _ => None,
        })
    }

    /// The first output.
    pub(in crate::launch) fn output(&self) -> Option<ParameterKind> {
        self.parameters().nth(self.operands).map(|output| output.kind)
    }

    /// Whether the outputs have no elements.
    pub(in crate::launch) fn is_empty(&self) -> bool {
        let ChoiceKey { shape: [m, n, _], batch, .. } = self.key;
        m == 0 || n == 0 || batch == 0
    }

    fn parameters(&self) -> std::slice::Iter<'a, Parameter> {
        self.kernels.first().parameters.iter()
    }
}
