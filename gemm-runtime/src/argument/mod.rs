//! [`Argument`]: an operand or output of a launch, and the traits that make one.

mod batched;
mod scalar;
mod shared;
mod vector;

use gemm_codegen::{Element as ElementType, Parameter};

use crate::element::Element;
use crate::error::ArgumentKind;
use crate::memory::{
    Batch, Matrix, MatrixLayout, MatrixMut, MatrixRef, SharedBytes, SplitMatrix, Storage,
    StorageMut,
};
use crate::place::Place;

pub use batched::{AsBatched, AsBatchedMut};
pub use scalar::AsScalar;
pub use vector::{AsVector, AsVectorMut};

/// An argument of a kernel with its type erased: a matrix, a batch of them, a vector or a scalar.
#[derive(Debug)]
pub struct Argument<'a>(pub(crate) Value<'a>);

/// An argument with its parameter.
pub(crate) type Named<'p, 'a> = (&'p Parameter, &'p Argument<'a>);

/// The content of an [`Argument`].
#[derive(Debug)]
pub(crate) enum Value<'a> {
    Matrix {
        storage: Storage<'a>,
        element: ElementType,
        layout: MatrixLayout,
        batch: Option<Batch>,
    },
    MutableMatrix {
        storage: StorageMut<'a>,
        element: ElementType,
        layout: MatrixLayout,
        batch: Option<Batch>,
    },
    Vector {
        storage: Storage<'a>,
        element: ElementType,
        length: usize,
    },
    MutableVector {
        storage: StorageMut<'a>,
        element: ElementType,
        length: usize,
    },
    /// A matrix that was told as planes.
    Split(SplitMatrix),
    /// In device memory.
    Scalar {
        storage: Storage<'a>,
        element: ElementType,
    },
    F32(f32),
    F64(f64),
    I32(i32),
}

/// The device memory of an argument. A vector, and a scalar, is a matrix of one row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<'a> {
    pub(crate) address: u64,
    pub(crate) element: ElementType,
    pub(crate) layout: MatrixLayout,
    pub(crate) batch: Option<&'a Batch>,
}

impl Argument<'_> {
    /// Its device memory; `None` for a value.
    pub(crate) fn region(&self) -> Option<Region<'_>> {
        let row = |columns| MatrixLayout { rows: 1, columns, leading_dimension: columns };
        let (address, element, layout, batch) = match &self.0 {
            Value::Matrix { storage, element, layout, batch } => {
                (storage.address(), *element, *layout, batch.as_ref())
            }
            Value::MutableMatrix { storage, element, layout, batch } => {
                (storage.address(), *element, *layout, batch.as_ref())
            }
            Value::Vector { storage, element, length } => {
                (storage.address(), *element, row(*length), None)
            }
            Value::MutableVector { storage, element, length } => {
                (storage.address(), *element, row(*length), None)
            }
            Value::Scalar { storage, element } => (storage.address(), *element, row(1), None),
            Value::Split(split) => {
                let storage = &split.elements;
                (storage.address(), ElementType::F32, split.layout, None)
            }
            Value::F32(_) | Value::F64(_) | Value::I32(_) => return None,
        };
        Some(Region { address, element, layout, batch })
    }

    /// The device of its memory; `None` for a value.
    pub(crate) fn place(&self) -> Option<Place> {
        match &self.0 {
            Value::Matrix { storage, .. }
            | Value::Vector { storage, .. }
            | Value::Scalar { storage, .. } => Some(storage.place()),
            Value::MutableMatrix { storage, .. } | Value::MutableVector { storage, .. } => {
                Some(storage.place())
            }
            Value::Split(split) => Some(split.elements.place()),
            Value::F32(_) | Value::F64(_) | Value::I32(_) => None,
        }
    }

    /// Its memory, if that has several owners.
    pub(crate) fn shared(&self) -> Option<&SharedBytes> {
        match &self.0 {
            Value::Matrix { storage, .. }
            | Value::Vector { storage, .. }
            | Value::Scalar { storage, .. } => storage.shared(),
            Value::MutableMatrix { storage, .. } | Value::MutableVector { storage, .. } => {
                storage.shared()
            }
            Value::Split(split) => Some(&split.elements),
            Value::F32(_) | Value::F64(_) | Value::I32(_) => None,
        }
    }

    /// The same argument for another reader; a matrix that is written is borrowed for reading.
    pub(crate) fn share(&self) -> Argument<'_> {
        Argument(match &self.0 {
            Value::Matrix { storage, element, layout, batch } => Value::Matrix {
                storage: storage.clone(),
                element: *element,
                layout: *layout,
                batch: batch.clone(),
            },
            Value::MutableMatrix { storage, element, layout, batch } => Value::Matrix {
                storage: storage.as_ref(),
                element: *element,
                layout: *layout,
                batch: batch.clone(),
            },
            Value::Vector { storage, element, length } => {
                Value::Vector { storage: storage.clone(), element: *element, length: *length }
            }
            Value::MutableVector { storage, element, length } => {
                Value::Vector { storage: storage.as_ref(), element: *element, length: *length }
            }
            Value::Split(split) => Value::Split(split.clone()),
            Value::Scalar { storage, element } => {
                Value::Scalar { storage: storage.clone(), element: *element }
            }
            Value::F32(value) => Value::F32(*value),
            Value::F64(value) => Value::F64(*value),
            Value::I32(value) => Value::I32(*value),
        })
    }

    pub(crate) fn kind(&self) -> ArgumentKind {
        match &self.0 {
            Value::Matrix { batch: None, .. } => ArgumentKind::Matrix,
            Value::Matrix { batch: Some(_), .. } => ArgumentKind::Batch,
            Value::MutableMatrix { batch: None, .. } => ArgumentKind::MutableMatrix,
            Value::MutableMatrix { batch: Some(_), .. } => ArgumentKind::MutableBatch,
            Value::Vector { .. } => ArgumentKind::Vector,
            Value::MutableVector { .. } => ArgumentKind::MutableVector,
            Value::Split(SplitMatrix { by, planes, .. }) => ArgumentKind::Split(*by, *planes),
            Value::Scalar { .. } => ArgumentKind::DeviceScalar,
            Value::F32(_) => ArgumentKind::F32,
            Value::F64(_) => ArgumentKind::F64,
            Value::I32(_) => ArgumentKind::I32,
        }
    }
}

impl From<f32> for Argument<'_> {
    fn from(value: f32) -> Self {
        Argument(Value::F32(value))
    }
}

impl From<f64> for Argument<'_> {
    fn from(value: f64) -> Self {
        Argument(Value::F64(value))
    }
}

impl From<i32> for Argument<'_> {
    fn from(value: i32) -> Self {
        Argument(Value::I32(value))
    }
}

/// A matrix of `T` in device memory that a kernel reads: `&Matrix<T>`, [`MatrixRef<T>`] or
/// [`&Shared<Matrix<T>>`](crate::Shared); of `f32` also a [`&SplitMatrix`](crate::SplitMatrix), for a kernel that
/// multiplies planes.
///
/// Elements of another type do not compile:
///
/// ```compile_fail,E0277
/// use gemm_runtime::prelude::*;
/// use gemm_runtime::AsMatrix;
///
/// fn takes_halves<'a>(x: impl AsMatrix<'a, f16>) {}
///
/// fn passes_floats(x: &Matrix<f32>) {
///     takes_halves(x);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a matrix of `{T}` in device memory",
    label = "expected `&Matrix<{T}>` or `MatrixRef<{T}>`",
    note = "`Device::matrix` copies a host slice into device memory"
)]
pub trait AsMatrix<'a, T: Element> {
    /// The matrix as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsMatrix<'a, T> for MatrixRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        let layout = self.layout();
        let storage = self.into_storage();
        Argument(Value::Matrix { storage, element: T::ELEMENT, layout, batch: None })
    }
}

impl<'a, T: Element> AsMatrix<'a, T> for &MatrixRef<'a, T> {
    fn argument(self) -> Argument<'a> {
        self.clone().argument()
    }
}

impl<'a, T: Element> AsMatrix<'a, T> for &'a Matrix<T> {
    fn argument(self) -> Argument<'a> {
        self.view().argument()
    }
}

impl<'a, T: Element> AsMatrix<'a, T> for &'a MatrixMut<'_, T> {
    fn argument(self) -> Argument<'a> {
        self.view().argument()
    }
}

impl<'a> AsMatrix<'a, f32> for &SplitMatrix {
    fn argument(self) -> Argument<'a> {
        Argument(Value::Split(self.clone()))
    }
}

/// A matrix of `T` in device memory that a kernel writes: `&mut Matrix<T>`, [`MatrixMut<T>`] or
/// [`&Shared<Matrix<T>>`](crate::Shared), whose address is compared with those of the operands.
///
/// A `Matrix` is borrowed mutably, so that it cannot be one of the operands:
///
/// ```compile_fail,E0502
/// use gemm_runtime::prelude::*;
/// use gemm_runtime::{AsMatrix, AsMatrixMut};
///
/// fn into<'a>(x: impl AsMatrix<'a, f16>, out: impl AsMatrixMut<'a, f16>) {}
///
/// fn in_place(x: &mut Matrix<f16>) {
///     into(&*x, x);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mutable matrix of `{T}` in device memory",
    label = "expected `&mut Matrix<{T}>` or `MatrixMut<{T}>`"
)]
pub trait AsMatrixMut<'a, T: Element> {
    /// The matrix as an argument.
    fn argument(self) -> Argument<'a>;
}

impl<'a, T: Element> AsMatrixMut<'a, T> for MatrixMut<'a, T> {
    fn argument(self) -> Argument<'a> {
        let layout = self.layout();
        let storage = self.into_storage();
        Argument(Value::MutableMatrix { storage, element: T::ELEMENT, layout, batch: None })
    }
}

impl<'a, T: Element> AsMatrixMut<'a, T> for &'a mut MatrixMut<'_, T> {
    fn argument(self) -> Argument<'a> {
        self.reborrow().argument()
    }
}

impl<'a, T: Element> AsMatrixMut<'a, T> for &'a mut Matrix<T> {
    fn argument(self) -> Argument<'a> {
        self.view_mut().argument()
    }
}
