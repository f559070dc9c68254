//! Matrices of equal extents at equal distances: [`BatchedMatrix`], and the views of it.

mod layout;
mod view;

pub(crate) use layout::BatchedLayout;
pub use view::{BatchedMut, BatchedRef};

use std::fmt;
use std::marker::PhantomData;

use crate::element::Element;
use crate::error::{Error, joined};
use crate::memory::batch::BatchCounts;
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
        BatchedRef::from_parts(self.buffer.view(), self.layout.clone())
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
        BatchedMut::from_parts(self.buffer.view_mut(), self.layout.clone())
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

    /// The same matrices as a batch over indices of these values.
    ///
    /// # Errors
    /// [`BatchError::Counts`](crate::BatchError::Counts) if their product is not the number of matrices.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(4, 1, 1, &[1.0f32, 2.0, 3.0, 4.0])?.into_batches([2, 2])?;
    /// assert_eq!(q.batches(), [2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_batches(self, batch: impl BatchCounts) -> Result<BatchedMatrix<T>, Error> {
        Ok(BatchedMatrix { layout: self.layout.over(batch.counts())?, ..self })
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
            /// How many matrices it has.
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

            /// The values of each batch index, the outermost first.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.batched_zeros::<f16>([2, 3], 2, 8)?.batches(), [2, 3]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn batches(&self) -> Vec<usize> {
                self.layout.batch.counts()
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

            /// Elements from the start of a matrix to the start of the next, along each batch index.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let q = device.batched_zeros::<f16>([2, 3], 2, 8)?;
            /// assert_eq!(q.batch_strides(), [48, 16]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn batch_strides(&self) -> Vec<usize> {
                self.layout.batch.strides()
            }
        }

        impl<T: Element> fmt::Debug for $batch<$($lifetime,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let BatchedLayout { matrix, batch } = &self.layout;
                let (place, counts) = ($storage(self), joined(&batch.counts(), " times "));
                write!(
                    f,
                    "{}<{}> {counts} of {}×{} (leading dimension {}, stride {}) on {place}",
                    stringify!($batch), T::ELEMENT, matrix.rows, matrix.columns,
                    matrix.leading_dimension, joined(&batch.strides(), " and "),
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
