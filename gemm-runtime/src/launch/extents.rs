//! M, N, K and the number of matrices from the extents of the arguments.

use gemm_codegen::{Axis, Element, Kernel, MAX_EXTENT, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{BatchError, BatchIndex, Dimension, Error, KernelFault, Operand, Origin};
use crate::memory::{Batch, MatrixLayout, Steps};
use crate::shape::Shape;

use super::axis_extents::AxisExtents;
use super::claim::{self, Claim, Disagreement};
use super::steps;

/// The extents that the arguments have along an axis or a batch index.
struct Extents<'k> {
    /// Of the operands, and then of this many outputs.
    parameters: &'k [Parameter],
    outputs: usize,
    /// The name of the kernel.
    name: &'k str,
    axes: [Vec<Claim<Dimension>>; Axis::COUNT],
    /// The same of packed factors, whose extents are multiples: where nothing else has one, it is such a multiple.
    multiples: [Vec<Claim<Dimension>>; Axis::COUNT],
    /// Along each index of the outputs, the outermost first.
    batch: Vec<Vec<Claim<BatchIndex>>>,
}

/// The extents of a launch.
pub(super) struct Bounds {
    pub(super) extents: AxisExtents,
    /// The values of each batch index of an output, the outermost first.
    pub(super) batches: Vec<usize>,
}

/// The extents that arguments have: the operands, and then all outputs or none.
pub(super) fn bind(kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<Bounds, Error> {
    split(kernel)?;
    let mut extents = Extents::new(&kernel.name, &kernel.parameters, kernel.outputs);
    for (number, argument) in arguments.iter().enumerate() {
        extents.note(number, argument)?;
    }
    let values = |index: usize| {
        let values = extents.count(index)?;
        values.ok_or_else(|| broken(kernel, KernelFault::UnboundBatch))
    };
    let batches = (0..extents.batch.len()).map(values).collect::<Result<Vec<_>, _>>()?;
    let shape = extents.shape()?;
    let limit = MAX_EXTENT as usize / kernel.launch.products.max(1) as usize;
    if shape.n > limit {
        return Err(too_large(&kernel.name, (Axis::N, shape.n), limit));
    }
    let columns = kernel.planes().map_or(1, |planes| planes.count() as usize);
    let limit = MAX_EXTENT as usize / columns;
    if shape.k > limit {
        return Err(too_large(&kernel.name, (Axis::K, shape.k), limit));
    }
    let mut all = AxisExtents::of_shape(shape);
    let is_along_r = |one: &Parameter| one.kind.summed_over() == Some(Axis::R);
    let of_term = kernel.parameters.iter().any(is_along_r).then_some(Axis::R);
    for axis in of_term.iter().chain(&*kernel.launch.columns) {
        all = all.with(*axis, extents.extent(*axis)?);
    }
    let columns = all.tiled(&kernel.launch).n;
    if columns > MAX_EXTENT as usize && !kernel.launch.columns.is_empty() {
        return Err(too_large(&kernel.name, (Axis::N, columns), MAX_EXTENT as usize));
    }
    Ok(Bounds { extents: all, batches })
}

/// M, N and K from the extents of matrices and vectors that are not batches, for a function of this
/// name: `given` has rows and columns for each of `parameters`, the operands and then `outputs`
/// outputs, or for the operands alone. The columns of a vector are its elements.
pub(crate) fn agree(
    name: &str,
    parameters: &[Parameter],
    outputs: usize,
    given: &[[usize; 2]],
) -> Result<Shape, Error> {
    let mut extents = Extents::new(name, parameters, outputs);
    for (number, (parameter, [rows, columns])) in parameters.iter().zip(given).enumerate() {
        match parameter.kind {
            ParameterKind::Matrix { rows: along_rows, columns: along_columns, .. } => {
                extents.note_axis(number, along_rows, (Dimension::Rows, *rows));
                extents.note_axis(number, along_columns, (Dimension::Columns, *columns));
            }
            ParameterKind::Vector { length, .. } => {
                extents.note_axis(number, length, (Dimension::Elements, *columns));
            }
            ParameterKind::Tiled { .. }
            | ParameterKind::DeviceScalar(_)
            | ParameterKind::Scalar(_) => {}
        }
    }
    // That all along an axis besides M, N and K agree.
    for axis in [Axis::R, Axis::N1, Axis::N2, Axis::N3] {
        if !extents.axes[axis as usize].is_empty() {
            extents.extent(axis)?;
        }
    }
    extents.shape()
}

impl<'k> Extents<'k> {
    fn new(name: &'k str, parameters: &'k [Parameter], outputs: usize) -> Extents<'k> {
        let rank = parameters.iter().map(|parameter| parameter.batch.rank()).max().unwrap_or(0);
        let (axes, multiples) = Default::default();
        Extents { parameters, outputs, name, axes, multiples, batch: vec![Vec::new(); rank] }
    }
}

impl Extents<'_> {
    /// Notes the extents of an argument.
    fn note(&mut self, number: usize, argument: &Argument<'_>) -> Result<(), Error> {
        let Some(parameter) = self.parameters.get(number) else { return Ok(()) };
        match (&parameter.kind, &argument.0) {
            (
                ParameterKind::Matrix { element, rows, columns },
                Value::Matrix { layout, batch, .. } | Value::MutableMatrix { layout, batch, .. },
            ) => {
                self.note_batch(number, layout, batch.as_ref())?;
                self.note_elements(number, *element, (Dimension::Rows, *rows, layout.rows));
                self.note_elements(
                    number,
                    *element,
                    (Dimension::Columns, *columns, layout.columns),
                );
            }
            (ParameterKind::Matrix { rows, columns, .. }, Value::Split(split)) => {
                self.note_axis(number, *rows, (Dimension::Rows, split.rows()));
                self.note_axis(number, *columns, (Dimension::Columns, split.columns()));
            }
            (ParameterKind::Vector { length: axis, .. }, Value::Vector { length, .. }) => {
                self.note_axis(number, *axis, (Dimension::Elements, *length));
            }
            (ParameterKind::Vector { length: axis, .. }, Value::MutableVector { length, .. }) => {
                self.note_axis(number, *axis, (Dimension::Elements, *length));
            }
            // A batch of vectors: the rows of a matrix, or of a batch of them.
            (
                ParameterKind::Vector { length: axis, .. },
                Value::Matrix { layout, batch, .. } | Value::MutableMatrix { layout, batch, .. },
            ) => {
                self.note_batch(number, layout, batch.as_ref())?;
                self.note_axis(number, *axis, (Dimension::Columns, layout.columns));
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes the extent that an argument has of its elements. Several numbers do not say whether they are all in use.
    fn note_elements(
        &mut self,
        number: usize,
        element: Element,
        (of, axis, elements): (Dimension, Axis, usize),
    ) {
        let each = match axis {
            Axis::K | Axis::R => element.numbers(),
            Axis::M | Axis::N | Axis::N1 | Axis::N2 | Axis::N3 => element.lines(),
        };
        if each == 1 && element.in_turn() == 1 {
            self.note_axis(number, axis, (of, elements));
        } else {
            let got = elements.saturating_mul(each as usize);
            self.multiples[axis as usize].push(Claim { number, got, of });
        }
    }

    /// Notes the values of the batch indices that an argument has.
    fn note_batch(
        &mut self,
        number: usize,
        layout: &MatrixLayout,
        batch: Option<&Batch>,
    ) -> Result<(), Error> {
        let (parameter, rank) = (&self.parameters[number], self.batch.len());
        let steps = steps::along(parameter, layout, batch);
        for index in parameter.batch.indices() {
            match (steps[index], batch) {
                (Some(Steps { count: got, .. }), _) => {
                    let of = BatchIndex { number: index, among: rank };
                    self.batch[index].push(Claim { number, got, of });
                }
                (None, Some(batch)) => return Err(self.more_indices(number, batch)),
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// An argument by more indices than its parameter has.
    fn more_indices(&self, number: usize, batch: &Batch) -> Error {
        let operand = Operand::new(self.argument(number));
        let parameter = &self.parameters[number];
        let of_rows = usize::from(matches!(parameter.kind, ParameterKind::Vector { .. }));
        let expected = parameter.batch.indices().count() - of_rows;
        let (counts, strides) = (batch.counts(), batch.strides());
        BatchError::Indices { operand, expected, counts, strides }.into()
    }

    fn note_axis(&mut self, number: usize, axis: Axis, (of, got): (Dimension, usize)) {
        self.axes[axis as usize].push(Claim { number, got, of });
    }

    /// The values of a batch index, if an argument has it.
    fn count(&self, index: usize) -> Result<Option<usize>, Error> {
        self.settle(&self.batch[index]).map_err(|Disagreement { blamed, right }| {
            let (operand, given_by) = self.names(blamed.number, right.number);
            let (index, expected, got) = (blamed.of, right.got, blamed.got);
            BatchError::Count { operand, index, expected, got, given_by }.into()
        })
    }

    fn settle<D: Copy>(&self, claims: &[Claim<D>]) -> Result<Option<usize>, Disagreement<D>> {
        claim::settle(claims, self.parameters, self.outputs)
    }

    /// The operand that is blamed, and where the extent is from that it should have.
    fn names(&self, blamed: usize, right: usize) -> (Operand, Origin) {
        (Operand::new(self.argument(blamed)), self.origin(right))
    }

    fn argument(&self, number: usize) -> &str {
        &self.parameters[number].name
    }

    /// What messages call an argument; the name of an output says which of several it is.
    fn origin(&self, number: usize) -> Origin {
        let is_output = number + self.outputs >= self.parameters.len();
        if is_output && self.outputs == 1 {
            Origin::Output
        } else {
            Origin::Operand(self.argument(number).to_owned())
        }
    }

    /// M, N and K.
    fn shape(&self) -> Result<Shape, Error> {
        let extent = |axis| self.extent(axis);
        Ok(Shape { m: extent(Axis::M)?, n: extent(Axis::N)?, k: extent(Axis::K)? })
    }

    /// The extent along an axis.
    fn extent(&self, axis: Axis) -> Result<usize, Error> {
        let exact = &self.axes[axis as usize];
        let claims = if exact.is_empty() { &self.multiples[axis as usize] } else { exact };
        let settled = self.settle(claims);
        let extent = settled.map_err(|Disagreement { blamed, right }| {
            let (operand, given_by) = self.names(blamed.number, right.number);
            let (dimension, expected, got) = (blamed.of, right.got, blamed.got);
            Error::ShapeMismatch { operand, dimension, axis, expected, got, given_by }
        })?;
        match extent {
            None => {
                let what = KernelFault::Unbound(axis);
                Err(Error::Kernel { kernel: self.name.to_owned(), what })
            }
            Some(extent) if extent > MAX_EXTENT as usize => {
                Err(too_large(self.name, (axis, extent), MAX_EXTENT as usize))
            }
            Some(extent) => Ok(extent),
        }
    }
}

fn too_large(kernel: &str, (axis, extent): (Axis, usize), limit: usize) -> Error {
    Error::DimensionTooLarge { kernel: kernel.to_owned(), axis, extent, limit }
}

pub(super) fn broken(kernel: &Kernel, what: KernelFault) -> Error {
    Error::Kernel { kernel: kernel.name.to_string(), what }
}

/// How many matrices there are of these values of the batch indices.
pub(super) fn matrices(kernel: &Kernel, batches: &[usize]) -> Result<usize, Error> {
    let product = batches.iter().try_fold(1usize, |all, values| all.checked_mul(*values));
    product.ok_or_else(|| Error::GridTooLarge {
        kernel: kernel.name.to_string(),
        blocks: u64::MAX,
        limit: gemm_codegen::hardware::MAX_GRID_X,
    })
}

/// The parameters of the operands and those of the outputs.
pub(super) fn split(kernel: &Kernel) -> Result<(&[Parameter], &[Parameter]), Error> {
    let is_output = |output: &Parameter| match output.kind {
        ParameterKind::Matrix { .. } | ParameterKind::Vector { .. } => true,
        ParameterKind::Tiled { .. } | ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
            false
        }
    };
    let operands = kernel.parameters.len().checked_sub(kernel.outputs);
    let parts = operands.map(|operands| kernel.parameters.split_at(operands));
    parts
        .filter(|(_, outputs)| !outputs.is_empty() && outputs.iter().all(is_output))
        .ok_or_else(|| broken(kernel, KernelFault::NoOutput))
}
