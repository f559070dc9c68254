//! Matrices and vectors in a device's memory.

use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::memory::{Buffer, DeviceVector, Matrix, MatrixLayout, check_host_length};

impl Device {
    /// Copies a `rows` × `columns` matrix without gaps between its rows from the host.
    ///
    /// Rows of 32 bytes or more begin at multiples of 32 bytes on the device: tensor copies can read
    /// them, and no launch has to copy them first. Shorter rows have no gaps there either.
    ///
    /// # Errors
    /// [`Error::HostLength`] if `host` does not have `rows · columns` elements;
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let x = device.matrix(2, 3, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!([x.rows(), x.columns()], [2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix<T: Element>(
        &self,
        rows: usize,
        columns: usize,
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::allocated(rows, columns, T::ELEMENT.bytes())?;
        check_host_length("matrix", rows * columns, &[rows, columns], host.len())?;
        let buffer = match layout.leading_dimension {
            pitch if pitch == columns => self.upload(host)?,
            _ => self.upload(&spread(host, &layout))?,
        };
        Ok(Matrix::from_parts(buffer, layout))
    }

    /// Copies a `rows` × `columns` matrix from the host, with `leading_dimension` elements from the
    /// start of a row to the start of the next, there and here. Elements of `host` after its last row
    /// are not copied.
    ///
    /// # Errors
    /// [`Error::LeadingDimension`] if a row is longer, [`Error::BufferTooSmall`] if `host` ends
    /// before the matrix does; [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// // two rows of three elements, four apart
    /// let host = [1.0f32, 2.0, 3.0, f32::NAN, 4.0, 5.0, 6.0];
    /// let x = device.matrix_from(2, 3, 4, &host)?;
    /// assert_eq!(x.to_vec()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix_from<T: Element>(
        &self,
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::new(rows, columns, leading_dimension)?;
        layout.fits(host.len())?;
        Ok(Matrix::from_parts(self.upload(&host[..layout.elements()])?, layout))
    }

    /// Copies a `rows` × `columns` matrix with these strides from the host, in elements: from a row
    /// to the next, and from a column to the next. It is for views of other libraries, which have
    /// both; the stride of an extent of 1 is ignored. The matrix begins at the start of `host`, and
    /// elements after its last row are not copied.
    ///
    /// # Errors
    /// [`Error::Strides`] if it is not stored row by row; otherwise as
    /// [`matrix_from`](Self::matrix_from).
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let host = [1.0f32, 2.0, 3.0, f32::NAN, 4.0, 5.0, 6.0];
    /// let x = device.matrix_strided(2, 3, [4, 1], &host)?;
    /// assert_eq!(x.leading_dimension(), 4);
    /// // stored column by column: its transpose is row-major
    /// assert!(device.matrix_strided(2, 3, [1, 2], &host).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matrix_strided<T: Element>(
        &self,
        rows: usize,
        columns: usize,
        strides: [isize; 2],
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::strided(rows, columns, strides)?;
        self.matrix_from(rows, columns, layout.leading_dimension, host)
    }

    /// A `rows` × `columns` matrix of zeros, whose rows lie as those of [`matrix`](Self::matrix).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let y = device.zeros::<bf16>(4, 4)?;
    /// assert_eq!(y.to_vec()?, [bf16::ZERO; 16]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn zeros<T: Element>(&self, rows: usize, columns: usize) -> Result<Matrix<T>, Error> {
        let mut matrix = self.uninitialized(rows, columns)?;
        matrix.view_mut().into_storage().clear()?;
        Ok(matrix)
    }

    /// A `rows` × `columns` matrix to be written, whose rows lie as those of [`matrix`](Self::matrix).
    /// On a GPU its elements are uninitialised.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.uninitialized::<f32>(1, 2)?;
    /// y.view_mut().write(&[1.0, 2.0])?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn uninitialized<T: Element>(
        &self,
        rows: usize,
        columns: usize,
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::allocated(rows, columns, T::ELEMENT.bytes())?;
        Ok(Matrix::from_parts(self.allocate(layout.elements() * size_of::<T>())?, layout))
    }

    /// Copies a vector from the host.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let bias = device.vector(&[0.5f32, 1.0])?;
    /// assert_eq!(bias.len(), 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn vector<T: Element>(&self, host: &[T]) -> Result<DeviceVector<T>, Error> {
        Ok(DeviceVector::from_parts(self.upload(host)?, host.len()))
    }

    /// A vector of zeros, for example to be written.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert_eq!(device.vector_zeros::<f32>(2)?.to_vec()?, [0.0; 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn vector_zeros<T: Element>(&self, length: usize) -> Result<DeviceVector<T>, Error> {
        let mut vector = self.vector_uninitialized(length)?;
        vector.view_mut().into_storage().clear()?;
        Ok(vector)
    }

    /// A vector to be written. On a GPU its elements are uninitialised.
    pub(crate) fn vector_uninitialized<T: Element>(
        &self,
        length: usize,
    ) -> Result<DeviceVector<T>, Error> {
        let bytes = length.checked_mul(size_of::<T>());
        let bytes = bytes.ok_or(Error::SizeOverflow { rows: 1, pitch: length })?;
        Ok(DeviceVector::from_parts(self.allocate(bytes)?, length))
    }

    /// A copy of elements from the host.
    pub(super) fn upload<T: Element>(&self, host: &[T]) -> Result<Buffer, Error> {
        let mut buffer = self.allocate(size_of_val(host))?;
        buffer.view_mut().upload(bytemuck::cast_slice(host))?;
        Ok(buffer)
    }
}

/// Elements whose rows follow each other, with the gaps of a layout.
fn spread<T: Element>(host: &[T], layout: &MatrixLayout) -> Vec<T> {
    let mut elements = vec![T::default(); layout.elements()];
    let rows = elements.chunks_mut(layout.leading_dimension.max(1));
    for (row, line) in rows.zip(host.chunks(layout.columns.max(1))) {
        row[..line.len()].copy_from_slice(line);
    }
    elements
}
