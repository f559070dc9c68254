//! Shared handles as arguments: an operand, and of a matrix or a batch also an output.

use super::{
    Argument, AsBatched, AsBatchedMut, AsMatrix, AsMatrixMut, AsScalar, AsVector, AsVectorMut,
};
use crate::element::Element;
use crate::memory::{BatchedMatrix, DeviceScalar, DeviceVector, Matrix, Shared};

impl<'a, T: Element> AsMatrix<'a, T> for &Shared<Matrix<T>> {
    fn argument(self) -> Argument<'a> {
        AsMatrix::argument(&**self)
    }
}

impl<'a, T: Element> AsMatrixMut<'a, T> for &Shared<Matrix<T>> {
    fn argument(self) -> Argument<'a> {
        self.view_mut().argument()
    }
}

impl<'a, T: Element> AsBatched<'a, T> for &Shared<BatchedMatrix<T>> {
    fn argument(self) -> Argument<'a> {
        AsBatched::argument(&**self)
    }
}

impl<'a, T: Element> AsBatchedMut<'a, T> for &Shared<BatchedMatrix<T>> {
    fn argument(self) -> Argument<'a> {
        self.view_mut().argument()
    }
}

impl<'a, T: Element> AsVector<'a, T> for &Shared<DeviceVector<T>> {
    fn argument(self) -> Argument<'a> {
        AsVector::argument(&**self)
    }
}

impl<'a, T: Element> AsVectorMut<'a, T> for &Shared<DeviceVector<T>> {
    fn argument(self) -> Argument<'a> {
        self.view_mut().argument()
    }
}

impl<'a, T: Element> AsScalar<'a, T> for &Shared<DeviceScalar<T>> {
    fn argument(self) -> Argument<'a> {
        AsScalar::argument(&**self)
    }
}
