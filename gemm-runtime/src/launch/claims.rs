//! [`Claims`]: the extents of the arguments of a launch along each index.

use gemm_codegen::{Axis, Element, MAX_EXTENT, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{BatchError, BatchIndex, Dimension, Error, KernelFault, Operand, Origin};
use crate::memory::{Batch, MatrixLayout, Steps};

use super::axis_extents::AxisExtents;
use super::claim::{self, Arguments, Claim, Disagreement};
use super::extents::too_large;
use super::steps;

/// The extents that the arguments have along an axis or a batch index, in the order of the arguments.
pub(super) struct Claims<'k> {
    of: Arguments<'k>,
    /// The name of the kernel.
    name: &'k str,
    axes: Vec<(Axis, Claim<Dimension>)>,
    /// The same of packed factors, whose extents are multiples: where nothing else has one, it is such a multiple.
    multiples: Vec<(Axis, Claim<Dimension>)>,
    /// How many batch indices the outputs have.
    rank: usize,
    batch: Vec<Claim<BatchIndex>>,
    /// The arguments by fewer indices than they are declared with: the outer ones count as 1.
    fewer: Vec<(usize, Batch)>,
}

impl<'k> Claims<'k> {
    pub(super) fn new(name: &'k str, parameters: &'k [Parameter], outputs: usize) -> Claims<'k> {
        let rank = parameters.iter().map(|parameter| parameter.batch.rank()).max().unwrap_or(0);
        // Enough for the rows and columns of each argument.
        let axes = Vec::with_capacity(2 * parameters.len());
        let of = Arguments { parameters, outputs };
        let (multiples, batch, fewer) = (Vec::new(), Vec::new(), Vec::new());
        Claims { of, name, axes, multiples, rank, batch, fewer }
    }
}

impl Claims<'_> {
    /// Notes the extents of an argument.
    pub(super) fn note(&mut self, number: usize, argument: &Argument<'_>) -> Result<(), Error> {
        let Some(parameter) = self.of.parameters.get(number) else { return Ok(()) };
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
            self.multiples.push((axis, Claim { number, got, of }));
        }
    }

    /// Notes the values of the batch indices that an argument has.
    fn note_batch(
        &mut self,
        number: usize,
        layout: &MatrixLayout,
        batch: Option<&Batch>,
    ) -> Result<(), Error> {
        let (parameter, rank) = (&self.of.parameters[number], self.rank);
        let steps = steps::along(parameter, layout, batch);
        if let Some(batch) = batch.filter(|batch| batch.steps().len() < self.indices(number)) {
            self.fewer.push((number, batch.clone()));
        }
        for index in parameter.batch.indices() {
            match (steps[index], batch) {
                (Some(Steps { count: got, .. }), _) => {
                    let of = BatchIndex { number: index, among: rank };
                    self.batch.push(Claim { number, got, of });
                }
                (None, Some(batch)) => return Err(self.other_indices(number, batch)),
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// The indices over which an argument is a batch of matrices.
    fn indices(&self, number: usize) -> usize {
        let parameter = &self.of.parameters[number];
        let of_rows = usize::from(matches!(parameter.kind, ParameterKind::Vector { .. }));
        parameter.batch.indices().count().saturating_sub(of_rows)
    }

    /// An argument by more or fewer indices than its parameter has.
    fn other_indices(&self, number: usize, batch: &Batch) -> Error {
        let operand = Operand::new(self.argument(number));
        let (expected, counts, strides) = (self.indices(number), batch.counts(), batch.strides());
        BatchError::Indices { operand, expected, counts, strides }.into()
    }

    pub(super) fn note_axis(&mut self, number: usize, axis: Axis, (of, got): (Dimension, usize)) {
        self.axes.push((axis, Claim { number, got, of }));
    }

    /// The values of each batch index of an output, the outermost first.
    pub(super) fn batches(&self) -> Result<Vec<usize>, Error> {
        let none =
            || Error::Kernel { kernel: self.name.to_owned(), what: KernelFault::UnboundBatch };
        (0..self.rank).map(|index| self.count(index)?.ok_or_else(none)).collect()
    }

    /// The values of a batch index, if an argument has it.
    fn count(&self, index: usize) -> Result<Option<usize>, Error> {
        let claims = self.batch.iter().filter(move |claim| claim.of.number == index).copied();
        claim::settle(claims, self.of, &[]).map_err(|Disagreement { blamed, right }| {
            let is_either = |(number, _): &&(usize, Batch)| {
                [blamed, right].map(|of| of.number).contains(number)
            };
            if let Some((number, batch)) = self.fewer.iter().find(is_either) {
                return self.other_indices(*number, batch);
            }
            let (operand, given_by) = self.names(blamed.number, right.number);
            let (index, expected, got) = (blamed.of, right.got, blamed.got);
            BatchError::Count { operand, index, expected, got, given_by }.into()
        })
    }

    /// The operand that is blamed, and where the extent is from that it should have.
    fn names(&self, blamed: usize, right: usize) -> (Operand, Origin) {
        (Operand::new(self.argument(blamed)), self.origin(right))
    }

    fn argument(&self, number: usize) -> &str {
        &self.of.parameters[number].name
    }

    /// What messages call an argument; the name of an output says which of several it is.
    fn origin(&self, number: usize) -> Origin {
        let is_output = number + self.of.outputs >= self.of.parameters.len();
        if is_output && self.of.outputs == 1 {
            Origin::Output
        } else {
            Origin::Operand(self.argument(number).to_owned())
        }
    }

    /// The extent along M, N and K, along `further` axes, and along all others that an argument has.
    pub(super) fn extents(&self, further: &[Axis]) -> Result<AxisExtents, Error> {
        let is_claimed = |axis: Axis| self.along(axis).next().is_some();
        let is_needed =
            |axis: &Axis| Axis::ALL.contains(axis) || further.contains(axis) || is_claimed(*axis);
        let mut needed = claim::ORDER.into_iter().filter(is_needed);
        needed.try_fold(AxisExtents::none(), |all, axis| Ok(all.with(axis, self.extent(axis)?)))
    }

    fn along(&self, axis: Axis) -> impl Iterator<Item = Claim<Dimension>> + Clone {
        let is_exact = self.axes.iter().any(|(of, _)| *of == axis);
        let claims = if is_exact { &self.axes } else { &self.multiples };
        claims.iter().filter(move |(of, _)| *of == axis).map(|(_, claim)| *claim)
    }

    /// The arguments that differ from another one along an axis of the output.
    fn disputed(&self) -> Vec<usize> {
        let of_output = claim::ORDER.into_iter().filter(|axis| !claim::is_summed_over(*axis));
        of_output.flat_map(|axis| claim::disputed(self.along(axis))).collect()
    }

    /// The extent along an axis.
    fn extent(&self, axis: Axis) -> Result<usize, Error> {
        let doubtful = if claim::is_summed_over(axis) { self.disputed() } else { Vec::new() };
        let settled = claim::settle(self.along(axis), self.of, &doubtful);
        let extent = settled.map_err(|Disagreement { blamed, right }| {
            let (operand, given_by) = self.names(blamed.number, right.number);
            let (dimension, expected, got) = (blamed.of, right.got, blamed.got);
            let index = axis.letter().into();
            Error::ShapeMismatch { operand, dimension, axis, index, expected, got, given_by }
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
