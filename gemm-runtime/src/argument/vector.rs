//! Vectors as arguments.

use super::{Argument, Value};
use crate::element::Element;
use crate::memory::{DeviceVector, VectorMut, VectorRef};

/// A vector of `T` in device memory that a kernel reads: `&DeviceVector<T>`, [`VectorRef<T>`] or
/// [`&Shared<DeviceVector<T>>`](crate::Shared).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a vector of `{T}` in device memory",
    label = "expected `&DeviceVector<{T}>` or `VectorRef<{T}>`",
    note = "`Device::vector` copies a host slice into device memory"
)]
pub trait AsVector<'a, T: Element> {
    /// The vector as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsVector<'a, T> for VectorRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        let length = self.len();
        Argument(Value::Vector { storage: self.into_storage(), element: T::ELEMENT, length })
    }
}

impl<'a, T: Element> AsVector<'a, T> for &VectorRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        self.clone().argument()
    }
}

impl<'a, T: Element> AsVector<'a, T> for &'a DeviceVector<T> {
    fn argument(self) -> Argument<'a> {
        self.view().argument()
    }
}

/// A vector of `T` in device memory that a kernel writes, what it reduces: `&mut DeviceVector<T>`,
/// [`VectorMut<T>`] or [`&Shared<DeviceVector<T>>`](crate::Shared).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mutable vector of `{T}` in device memory",
    label = "expected `&mut DeviceVector<{T}>` or `VectorMut<{T}>`",
    note = "`Device::vector` copies a host slice into device memory"
)]
pub trait AsVectorMut<'a, T: Element> {
    /// The vector as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsVectorMut<'a, T> for VectorMut<'a, T> {
    fn argument(self) -> Argument<'a> {
        let length = self.len();
        Argument(Value::MutableVector { storage: self.into_storage(), element: T::ELEMENT, length })
    }
}

impl<'a, T: Element> AsVectorMut<'a, T> for &'a mut VectorMut<'_, T> {
    fn argument(self) -> Argument<'a> {
        self.reborrow().argument()
    }
}

impl<'a, T: Element> AsVectorMut<'a, T> for &'a mut DeviceVector<T> {
    fn argument(self) -> Argument<'a> {
        self.view_mut().argument()
    }
}
