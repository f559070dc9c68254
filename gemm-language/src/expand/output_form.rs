//! [`OutputForm`]: what an output is in memory.

use proc_macro2::Ident;

use super::own;
use crate::signature::OutputType;

/// What an output is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputForm {
    Vector,
    Matrix,
    Batch,
}

impl OutputForm {
    /// That of a type. The vectors of a batch are the rows of a matrix, or of a batch over several indices.
    pub(super) fn of(ty: OutputType<'_>) -> OutputForm {
        match (ty, ty.batch().len()) {
            (OutputType::Reduced(_), 0) => OutputForm::Vector,
            (OutputType::Reduced(_), 1) | (OutputType::Matrix(_), 0) => OutputForm::Matrix,
            _ => OutputForm::Batch,
        }
    }

    /// The type that owns it.
    pub(super) fn owned(self) -> Ident {
        own(match self {
            OutputForm::Vector => "DeviceVector",
            OutputForm::Matrix => "Matrix",
            OutputForm::Batch => "BatchedMatrix",
        })
    }

    /// The trait of an argument that is written.
    pub(super) fn argument(self) -> Ident {
        own(match self {
            OutputForm::Vector => "AsVectorMut",
            OutputForm::Matrix => "AsMatrixMut",
            OutputForm::Batch => "AsBatchedMut",
        })
    }
}
