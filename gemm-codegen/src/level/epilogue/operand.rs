//! [`BodyOperand`]: what the body reads, and how it is read.

use crate::axis::Axis;
use crate::problem::ParameterKind;

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
    /// not read it. The line that computes it, if one does, and its name.
    pub(super) fn end(&self, bound: &str) -> (String, String) {
        match &self.guard {
            None => (String::new(), bound.to_owned()),
            Some(guard) => {
                let end = format!("end_{}", self.name);
                (format!("        const int {end} = {guard} ? {bound} : 0;\n"), end)
            }
        }
    }

    /// Its elements where a launch reads it, else `zero`.
    pub(super) fn or_zero(&self, elements: &str, zero: &str) -> String {
        match &self.guard {
            None => elements.to_owned(),
            Some(guard) => format!("{guard} ? {elements} : {zero}"),
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

pub(super) fn access(kind: ParameterKind, out_columns: Axis) -> Access {
    match kind {
        ParameterKind::Scalar(_) | ParameterKind::DeviceScalar(_) => Access::Scalar,
        ParameterKind::Vector { length, .. } if length == out_columns => Access::Run,
        ParameterKind::Vector { .. } => Access::Constant,
        ParameterKind::Matrix { columns, .. } if columns == out_columns => Access::Run,
        ParameterKind::Matrix { .. } => Access::Strided,
    }
}
