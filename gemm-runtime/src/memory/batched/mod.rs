//! Matrices of equal extents at equal distances: [`BatchedMatrix`], and the views of it.

mod layout;
mod view;

pub(crate) use layout::BatchedLayout;
pub use view::{BatchedMut, BatchedRef};

use std::fmt;
use std::marker::PhantomData;

use crate::element::Element;
use crate::error::Error;
use crate::memory::storage::Buffer;
use crate::memory::view::{MatrixMut, MatrixRef};

/// A batch of matrices of `T` in device memory, one after the other, each stored row by row.
///
/// Made by [`Device::batched`](crate::Device::batched) and its kin, and by every annotated function
/// that returns a `Batched`.
pub struct BatchedMatrix<T> {
    buffer: Buffer,
    layout: BatchedLayout,
    element: PhantomData<T>,
}

impl<T: Element> BatchedMatrix<T> {
    /// The whole batch for reading.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(2, 1, 1, &[1.0f32, 2.0])?;
    /// assert_eq!(q.view().to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view(&self) -> BatchedRef<'_, T> {
        BatchedRef::from_parts(self.buffer.view(), self.layout)
    }

    /// The whole batch for writing.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut q = device.batched_zeros::<f32>(2, 1, 1)?;
    /// q.view_mut().matrix(1)?.write(&[2.0])?;
    /// assert_eq!(q.to_vec()?, [0.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view_mut(&mut self) -> BatchedMut<'_, T> {
        BatchedMut::from_parts(self.buffer.view_mut(), self.layout)
    }

    /// One matrix of the batch, for reading.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is none of this number.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(2, 1, 1, &[1.0f32, 2.0])?;
    /// assert_eq!(q.matrix(1)?.to_vec()?, [2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix(&self, number: usize) -> Result<MatrixRef<'_, T>, Error> {
        self.view().matrix(number)
    }

    /// One matrix of the batch, for writing.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is none of this number.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut q = device.batched_zeros::<f32>(2, 1, 1)?;
    /// q.matrix_mut(0)?.write(&[1.0])?;
    /// assert_eq!(q.to_vec()?, [1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix_mut(&mut self, number: usize) -> Result<MatrixMut<'_, T>, Error> {
        self.view_mut().matrix(number)
    }

    /// The same matrices as a batch over two indices, whose outer one has this number of values.
    ///
    /// # Errors
    /// [`BatchError::Undivided`](crate::BatchError::Undivided) if it does not divide their number.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(4, 1, 1, &[1.0f32, 2.0, 3.0, 4.0])?.into_nested(2)?;
    /// assert_eq!(q.batches(), [2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_nested(self, outer: usize) -> Result<BatchedMatrix<T>, Error> {
        Ok(BatchedMatrix { layout: self.layout.nested(outer)?, ..self })
    }

    /// Copies all matrices to the host, row by row without gaps, and waits for it.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert_eq!(device.batched(2, 1, 1, &[1.0f32, 2.0])?.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        self.view().to_vec()
    }

    pub(crate) fn from_parts(buffer: Buffer, layout: BatchedLayout) -> BatchedMatrix<T> {
        BatchedMatrix { buffer, layout, element: PhantomData }
    }

    pub(super) fn into_parts(self) -> (Buffer, BatchedLayout) {
        (self.buffer, self.layout)
    }
}

macro_rules! extents {
    ($($batch:ident $(<$lifetime:lifetime>)?, $storage:expr;)+) => { $(
        impl<T> $batch<$($lifetime,)? T> {
            /// How many matrices it has, of two batch indices all of both.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.batched_zeros::<f16>(4, 2, 8)?.batch(), 4);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn batch(&self) -> usize {
                self.layout.batch.total()
            }

            /// The values of the outer and the inner batch index; 1 outer value of a batch with one
            /// index.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let q = device.batched_zeros::<f16>(6, 2, 8)?;
            /// assert_eq!(q.batches(), [1, 6]);
            /// assert_eq!(q.into_nested(2)?.batches(), [2, 3]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn batches(&self) -> [usize; 2] {
                self.layout.batch.extents()
            }

            /// How many rows a matrix has.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.batched_zeros::<f16>(4, 2, 8)?.rows(), 2);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn rows(&self) -> usize {
                self.layout.matrix.rows
            }

            /// How many columns a matrix has.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.batched_zeros::<f16>(4, 2, 8)?.columns(), 8);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn columns(&self) -> usize {
                self.layout.matrix.columns
            }

            /// Elements from the start of a row to the start of the next.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.batched_zeros::<f16>(4, 2, 8)?.leading_dimension(), 8);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn leading_dimension(&self) -> usize {
                self.layout.matrix.leading_dimension
            }

            /// Elements from the start of a matrix to the start of the next, along the inner batch
            /// index.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.batched_zeros::<f16>(4, 2, 8)?.batch_stride(), 16);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn batch_stride(&self) -> usize {
                self.layout.batch.inner.stride
            }

            /// Elements from the start of a matrix to the start of that of the next value of the outer
            /// batch index.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let q = device.batched_zeros::<f16>(6, 2, 8)?.into_nested(2)?;
            /// assert_eq!([q.outer_stride(), q.batch_stride()], [48, 16]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn outer_stride(&self) -> usize {
                self.layout.batch.outer.stride
            }
        }

        impl<T: Element> fmt::Debug for $batch<$($lifetime,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (matrix, batch) = (self.layout.matrix, self.layout.batch);
                let place = $storage(self);
                let outer = match batch.outer.count {
                    1 => String::new(),
                    outer => format!("{outer} times "),
                };
                write!(
                    f,
                    "{}<{}> {outer}{} of {}×{} (leading dimension {}, stride {}) on {place}",
                    stringify!($batch), T::ELEMENT, batch.inner.count, matrix.rows, matrix.columns,
                    matrix.leading_dimension, batch.inner.stride,
                )
            }
        }
    )+ };
}

extents! {
    BatchedMatrix, |batch: &Self| batch.buffer.view().place();
    BatchedRef<'_>, |batch: &Self| batch.storage.place();
    BatchedMut<'_>, |batch: &Self| batch.storage.place();
}
