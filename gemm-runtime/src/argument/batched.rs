//! Batches of matrices as arguments.

use super::{Argument, Value};
use crate::element::Element;
use crate::memory::{BatchedMatrix, BatchedMut, BatchedRef};

/// A batch of matrices of `T` in device memory that a kernel reads: `&BatchedMatrix<T>`,
/// [`BatchedRef<T>`] or [`&Shared<BatchedMatrix<T>>`](crate::Shared).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a batch of matrices of `{T}` in device memory",
    label = "expected `&BatchedMatrix<{T}>` or `BatchedRef<{T}>`",
    note = "`Device::batched` copies a host slice into device memory"
)]
pub trait AsBatched<'a, T: Element> {
    /// The batch as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsBatched<'a, T> for BatchedRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        let (layout, batch) = self.layout().into();
        let storage = self.into_storage();
        Argument(Value::Matrix { storage, element: T::ELEMENT, layout, batch: Some(batch) })
    }
}

impl<'a, T: Element> AsBatched<'a, T> for &BatchedRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        self.clone().argument()
    }
}

impl<'a, T: Element> AsBatched<'a, T> for &'a BatchedMatrix<T> {
    fn argument(self) -> Argument<'a> {
        self.view().argument()
    }
}

impl<'a, T: Element> AsBatched<'a, T> for &'a BatchedMut<'_, T> {
    fn argument(self) -> Argument<'a> {
        self.view().argument()
    }
}

/// A batch of matrices of `T` in device memory that a kernel writes: `&mut BatchedMatrix<T>` or
/// [`BatchedMut<T>`], borrowed mutably, so that it cannot be one of the operands; or
/// [`&Shared<BatchedMatrix<T>>`](crate::Shared).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mutable batch of matrices of `{T}` in device memory",
    label = "expected `&mut BatchedMatrix<{T}>` or `BatchedMut<{T}>`"
)]
pub trait AsBatchedMut<'a, T: Element> {
    /// The batch as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsBatchedMut<'a, T> for BatchedMut<'a, T> {
    fn argument(self) -> Argument<'a> {
        let (layout, batch) = self.layout().into();
        let storage = self.into_storage();
        Argument(Value::MutableMatrix { storage, element: T::ELEMENT, layout, batch: Some(batch) })
    }
}

impl<'a, T: Element> AsBatchedMut<'a, T> for &'a mut BatchedMut<'_, T> {
    fn argument(self) -> Argument<'a> {
        self.reborrow().argument()
    }
}

impl<'a, T: Element> AsBatchedMut<'a, T> for &'a mut BatchedMatrix<T> {
    fn argument(self) -> Argument<'a> {
        self.view_mut().argument()
    }
}
