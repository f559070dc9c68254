//! [`BodyOperand`]: what the body reads, and how it is read.

use crate::axis::Axis;
use crate::problem::{Axes, ParameterKind};

/// What the body reads beside the accumulator: an operand, or the output as a matrix of its order.
#[derive(Clone, Debug)]
pub(crate) struct BodyOperand {
    /// Its name in the text.
    pub(crate) name: String,
    /// What it is.
    pub(crate) kind: ParameterKind,
    /// Whether there is one for each matrix of a batch.
    pub(crate) batched: bool,
    /// The call, of scalars by name, that says whether a launch reads it; without one it does.
    pub(crate) guard: Option<String>,
}

impl BodyOperand {
    /// Where the elements that are read end: at `bound`, or before the first one in a launch that does
    /// not read it.
    pub(super) fn end(&self, bound: &str) -> String {
        match &self.guard {
            None => bound.to_owned(),
            Some(guard) => format!("{guard} ? {bound} : 0"),
        }
    }

    /// Whether it is a matrix.
    pub(crate) fn is_matrix(&self) -> bool {
        BodyOperand::is_of_matrix(self.kind)
    }

    /// Whether this is a matrix.
    pub(crate) fn is_of_matrix(kind: ParameterKind) -> bool {
        matches!(kind, ParameterKind::Matrix { .. })
    }
}

/// Whether what the body reads for several runs of elements is on its way at a time: a matrix comes
/// from far.
pub(crate) fn reads_together(reads: &[BodyOperand]) -> bool {
    reads.iter().any(BodyOperand::is_matrix)
}

/// How one operand of the body is read for consecutive columns of an output row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Consecutive elements: a matrix in the output's order, or a vector along its columns.
    Run,
    /// One element a row: a matrix in the other order.
    Strided,
    /// One element for the whole row: a vector along the output's rows.
    Constant,
    /// A value.
    Scalar,
}

/// The axis along which the output's rows run.
pub(super) fn out_columns(axes: &Axes) -> Axis {
    if axes.n_contiguous() { Axis::N } else { Axis::M }
}

pub(super) fn access(kind: ParameterKind, out_columns: Axis) -> Access {
    match kind {
        ParameterKind::Scalar(_) | ParameterKind::DeviceScalar(_) => Access::Scalar,
        ParameterKind::Vector { length, .. } if length == out_columns => Access::Run,
        ParameterKind::Vector { .. } => Access::Constant,
        ParameterKind::Matrix { columns, .. } if columns == out_columns => Access::Run,
        // No body reads the scales of a factor.
        ParameterKind::Matrix { .. } | ParameterKind::Tiled { .. } => Access::Strided,
    }
}
