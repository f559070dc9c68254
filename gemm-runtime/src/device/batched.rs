//! Batches of matrices in a device's memory.

use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::memory::{BatchCounts, BatchedLayout, BatchedMatrix, check_host_length};

impl Device {
    /// Copies `batch` matrices of `rows` × `columns` elements from the host, which follow each other
    /// without gaps, those of the innermost index first.
    ///
    /// # Errors
    /// [`Error::HostLength`] if `host` does not have that many elements;
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`],
    /// [`BatchError::SizeOverflow`](crate::BatchError::SizeOverflow), [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let q = device.batched(2, 1, 2, &[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(q.matrix(1)?.to_vec()?, [3.0, 4.0]);
    /// let heads = device.batched([2, 3], 1, 1, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(heads.batch_strides(), [3, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn batched<T: Element>(
        &self,
        batch: impl BatchCounts,
        rows: usize,
        columns: usize,
        host: &[T],
    ) -> Result<BatchedMatrix<T>, Error> {
        let layout = BatchedLayout::dense(batch.counts(), [rows, columns])?;
        let extents = [batch.counts(), &[rows, columns]].concat();
        check_host_length("batch", layout.elements(), &extents, host.len())?;
        Ok(BatchedMatrix::from_parts(self.upload(host)?, layout))
    }

    /// `batch` matrices of `rows` × `columns` zeros.
    ///
    /// # Errors
    /// As [`batched`](Self::batched), without that of the host's length.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let scores = device.batched_zeros::<f32>(8, 16, 16)?;
    /// assert_eq!([scores.batch(), scores.rows(), scores.columns()], [8, 16, 16]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn batched_zeros<T: Element>(
        &self,
        batch: impl BatchCounts,
        rows: usize,
        columns: usize,
    ) -> Result<BatchedMatrix<T>, Error> {
        let mut matrices = self.batched_uninitialized(batch, rows, columns)?;
        matrices.view_mut().into_storage().clear()?;
        Ok(matrices)
    }

    /// `batch` matrices of `rows` × `columns` elements to be written. On a GPU their elements are
    /// uninitialised.
    ///
    /// # Errors
    /// As [`batched`](Self::batched), without that of the host's length.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut scores = device.batched_uninitialized::<f32>(2, 1, 1)?;
    /// scores.matrix_mut(0)?.write(&[1.0])?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn batched_uninitialized<T: Element>(
        &self,
        batch: impl BatchCounts,
        rows: usize,
        columns: usize,
    ) -> Result<BatchedMatrix<T>, Error> {
        let layout = BatchedLayout::dense(batch.counts(), [rows, columns])?;
        let buffer = self.allocate(layout.elements() * size_of::<T>())?;
        Ok(BatchedMatrix::from_parts(buffer, layout))
    }
}
