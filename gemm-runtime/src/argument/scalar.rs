//! Scalars in device memory as arguments.

use super::{Argument, Value};
use crate::element::Element;
use crate::memory::{DeviceScalar, ScalarRef};

/// A `T` in device memory that a kernel reads: `&DeviceScalar<T>`, [`ScalarRef<T>`] or
/// [`&Shared<DeviceScalar<T>>`](crate::Shared).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar of `{T}` in device memory",
    label = "expected `&DeviceScalar<{T}>` or `ScalarRef<{T}>`",
    note = "`Device::scalar` copies a value into device memory"
)]
pub trait AsScalar<'a, T: Element> {
    /// The scalar as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsScalar<'a, T> for ScalarRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        Argument(Value::Scalar { storage: self.into_storage(), element: T::ELEMENT })
    }
}

impl<'a, T: Element> AsScalar<'a, T> for &ScalarRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        self.clone().argument()
    }
}

impl<'a, T: Element> AsScalar<'a, T> for &'a DeviceScalar<T> {
    fn argument(self) -> Argument<'a> {
        self.view().argument()
    }
}
