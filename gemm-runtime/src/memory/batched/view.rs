//! [`BatchedRef`] and [`BatchedMut`]: borrowed batches.

use std::marker::PhantomData;
use std::ops::Range;

use crate::element::Element;
use crate::error::Error;
use crate::memory::batch::BatchCounts;
use crate::memory::batched::BatchedLayout;
use crate::memory::buffer::{DeviceBuffer, DeviceBufferMut};
use crate::memory::layout::MatrixLayout;
use crate::memory::storage::{Storage, StorageMut};
use crate::memory::view::{MatrixMut, MatrixRef, part};

/// A batch of matrices of `T` in device memory, borrowed for reading; each is stored row by row.
///
/// They may share elements: with a stride of 0 all are the same matrix.
#[derive(Clone)]
pub struct BatchedRef<'a, T> {
    /// From the first element to the end of the borrowed bytes.
    pub(super) storage: Storage<'a>,
    pub(super) layout: BatchedLayout,
    element: PhantomData<&'a [T]>,
}

impl<'a, T: Element> BatchedRef<'a, T> {
    /// One matrix of the batch.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is none of this number.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(2, 1, 1, &[1.0f32, 2.0])?;
    /// assert_eq!(q.view().matrix(1)?.to_vec()?, [2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix(&self, number: usize) -> Result<MatrixRef<'a, T>, Error> {
        let range = self.layout.range::<T>(number, self.storage.bytes())?;
        Ok(MatrixRef::from_parts(self.storage.clone().slice(range), self.layout.matrix))
    }

    /// The part of each matrix at these rows and columns.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within a matrix.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(2, 1, 2, &[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(q.view().submatrices(0..1, 1..2)?.to_vec()?, [2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn submatrices(&self, rows: Range<usize>, columns: Range<usize>) -> Result<Self, Error> {
        let (range, matrix) = part::<T>(&self.layout.matrix, self.storage.bytes(), rows, columns)?;
        let layout = BatchedLayout { matrix, ..self.layout.clone() };
        Ok(Self::from_parts(self.storage.clone().slice(range), layout))
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
    /// let q = device.batched(2, 1, 1, &[1.0f32, 2.0])?;
    /// assert_eq!(q.view().to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let MatrixLayout { rows, columns, leading_dimension } = self.layout.matrix;
        let (batch, count) = (&self.layout.batch, self.batch());
        let mut host = vec![T::default(); self.layout.elements()];
        if host.is_empty() {
            return Ok(host);
        }
        self.storage.download(bytemuck::cast_slice_mut(&mut host))?;
        let mut dense = Vec::with_capacity(count * rows * columns);
        for matrix in 0..count {
            for row in 0..rows {
                let start = batch.offset(matrix) + row * leading_dimension;
                dense.extend_from_slice(&host[start..start + columns]);
            }
        }
        Ok(dense)
    }

    fn of(storage: Storage<'a>, layout: BatchedLayout) -> Result<Self, Error> {
        layout.fits(storage.bytes() / size_of::<T>())?;
        Ok(Self::from_parts(storage, layout))
    }
}

/// A batch of matrices of `T` in device memory, borrowed for writing; each is stored row by row, and
/// no two share an element.
pub struct BatchedMut<'a, T> {
    /// From the first element to the end of the borrowed bytes.
    pub(super) storage: StorageMut<'a>,
    pub(super) layout: BatchedLayout,
    element: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> BatchedMut<'a, T> {
    /// One matrix of the batch.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there is none of this number.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut q = device.batched_zeros::<f32>(2, 1, 1)?;
    /// q.view_mut().matrix(0)?.write(&[1.0])?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix(self, number: usize) -> Result<MatrixMut<'a, T>, Error> {
        let range = self.layout.range::<T>(number, self.storage.bytes())?;
        Ok(MatrixMut::from_parts(self.storage.slice(range), self.layout.matrix))
    }

    /// The part of each matrix at these rows and columns.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within a matrix.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut q = device.batched_zeros::<f32>(2, 1, 2)?;
    /// let right = q.view_mut().submatrices(0..1, 1..2)?;
    /// right.matrix(1)?.write(&[4.0])?;
    /// assert_eq!(q.to_vec()?, [0.0, 0.0, 0.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn submatrices(self, rows: Range<usize>, columns: Range<usize>) -> Result<Self, Error> {
        let (range, matrix) = part::<T>(&self.layout.matrix, self.storage.bytes(), rows, columns)?;
        let layout = BatchedLayout { matrix, ..self.layout };
        Ok(Self::from_parts(self.storage.slice(range), layout))
    }

    /// The same batch, borrowed for a shorter time.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut q = device.batched_zeros::<f32>(2, 1, 1)?;
    /// let mut view = q.view_mut();
    /// view.reborrow().matrix(0)?.write(&[1.0])?;
    /// view.matrix(1)?.write(&[2.0])?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reborrow(&mut self) -> BatchedMut<'_, T> {
        BatchedMut::from_parts(self.storage.reborrow(), self.layout.clone())
    }

    /// The same batch for reading.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut q = device.batched_zeros::<f32>(2, 1, 1)?;
    /// assert_eq!(q.view_mut().view().to_vec()?, [0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view(&self) -> BatchedRef<'_, T> {
        BatchedRef::from_parts(self.storage.as_ref(), self.layout.clone())
    }

    fn of(storage: StorageMut<'a>, layout: BatchedLayout) -> Result<Self, Error> {
        layout.apart()?;
        layout.fits(storage.bytes() / size_of::<T>())?;
        Ok(Self::from_parts(storage, layout))
    }
}

/// The functions of both views.
macro_rules! views {
    ($($view:ident: $storage:ident from $buffer:ident::$storage_of:ident;)+) => { $(
        impl<'a, T: Element> $view<'a, T> {
            /// The `batch` matrices of `rows` × `columns` elements at the start of `buffer`, without
            /// gaps.
            ///
            /// # Errors
            /// [`BatchError::BufferTooSmall`](crate::BatchError::BufferTooSmall),
            /// [`BatchError::SizeOverflow`](crate::BatchError::SizeOverflow),
            /// [`Error::SizeOverflow`].
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let buffer = device.vector(&[1.0f32, 2.0, 3.0, 4.0])?;
            /// let q = BatchedRef::new(&buffer, 2, 1, 2)?;
            /// assert_eq!(q.matrix(1)?.to_vec()?, [3.0, 4.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn new(
                buffer: impl $buffer<'a, T>,
                batch: impl BatchCounts,
                rows: usize,
                columns: usize,
            ) -> Result<Self, Error> {
                let layout = BatchedLayout::dense(batch.counts(), [rows, columns])?;
                Self::of(buffer.$storage_of()?.0, layout)
            }

            /// The batch at the start of `buffer` of these extents, those of each batch index and then
            /// rows and columns, with a stride for each, in elements. Heads of an attention that share
            /// their rows, B×S×H×D in memory, are of extents `[B, H, S, D]` with strides
            /// `[S·H·D, D, H·D, 1]`. The stride of an extent of 1 is ignored. Two extents, of one matrix, do not
            /// compile: that is a `MatrixRef` or a `MatrixMut`.
            ///
            /// # Errors
            /// [`Error::Strides`] if a matrix is not stored row by row,
            /// [`BatchError::Stride`](crate::BatchError::Stride) for a negative one,
            /// [`BatchError::Overlap`](crate::BatchError::Overlap) if two matrices that are written
            /// share an element; they may lie in each other's gaps. Otherwise as [`new`](Self::new).
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// // Two sequences of two rows, each with two heads of one column.
            /// let buffer = device.vector(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])?;
            /// let q = BatchedRef::strided(&buffer, [2, 2, 2, 1], [4, 1, 2, 1])?;
            /// assert_eq!(q.matrix(1)?.to_vec()?, [2.0, 4.0]);
            /// assert_eq!(q.matrix(2)?.to_vec()?, [5.0, 7.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn strided<const EXTENTS: usize>(
                buffer: impl $buffer<'a, T>,
                extents: [usize; EXTENTS],
                strides: [isize; EXTENTS],
            ) -> Result<Self, Error> {
                Self::of(buffer.$storage_of()?.0, BatchedLayout::strided(extents, strides)?)
            }

            /// The same batch with `leading_dimension` elements from the start of a row to the start
            /// of the next, and `stride` from the start of a matrix to the start of the next, along the
            /// innermost batch index. The elements between are not part of it.
            ///
            /// # Errors
            /// [`Error::LeadingDimension`] if a row is longer,
            /// [`BatchError::BufferTooSmall`](crate::BatchError::BufferTooSmall) if the last matrix
            /// then ends outside the buffer, [`BatchError::Overlap`](crate::BatchError::Overlap) if
            /// two matrices that are written then share an element.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// let buffer = device.vector(&[1.0f32, 2.0, 0.0, 3.0, 4.0])?;
            /// let q = BatchedRef::new(&buffer, 2, 1, 2)?.with_strides(2, 3)?;
            /// assert_eq!(q.matrix(1)?.to_vec()?, [3.0, 4.0]);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn with_strides(
                self,
                leading_dimension: usize,
                stride: usize,
            ) -> Result<Self, Error> {
                Self::of(self.storage, self.layout.with_strides(leading_dimension, stride)?)
            }

            pub(crate) fn from_parts(storage: $storage<'a>, layout: BatchedLayout) -> Self {
                $view { storage, layout, element: PhantomData }
            }

            pub(crate) fn layout(&self) -> BatchedLayout {
                self.layout.clone()
            }

            pub(crate) fn into_storage(self) -> $storage<'a> {
                self.storage
            }
        }
    )+ };
}

views! {
    BatchedRef: Storage from DeviceBuffer::storage;
    BatchedMut: StorageMut from DeviceBufferMut::storage_mut;
}
