//! [`Matrix`]: an owned matrix.

use std::marker::PhantomData;
use std::ops::Range;

use crate::element::Element;
use crate::error::Error;
use crate::memory::extents::extents;
use crate::memory::layout::MatrixLayout;
use crate::memory::storage::Buffer;
use crate::memory::view::{MatrixMut, MatrixRef};

/// A matrix of `T` in device memory, stored row by row.
///
/// Made by [`Device::matrix`](crate::Device::matrix) and its kin, and by every annotated function.
pub struct Matrix<T> {
    buffer: Buffer,
    layout: MatrixLayout,
    element: PhantomData<T>,
}

impl<T: Element> Matrix<T> {
    /// The whole matrix for reading.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let x = device.matrix(1, 2, &[1.0f32, 2.0])?;
    /// assert_eq!(x.view().to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view(&self) -> MatrixRef<'_, T> {
        MatrixRef::from_parts(self.buffer.view(), self.layout)
    }

    /// The whole matrix for writing.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(1, 2)?;
    /// y.view_mut().write(&[1.0, 2.0])?;
    /// assert_eq!(y.to_vec()?, [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn view_mut(&mut self) -> MatrixMut<'_, T> {
        MatrixMut::from_parts(self.buffer.view_mut(), self.layout)
    }

    /// The part at these rows and columns, for reading.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within the matrix.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let x = device.matrix(2, 2, &[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(x.submatrix(1..2, 0..2)?.to_vec()?, [3.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn submatrix(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<MatrixRef<'_, T>, Error> {
        self.view().submatrix(rows, columns)
    }

    /// The part at these rows and columns, for writing.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if they are not within the matrix.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let mut y = device.zeros::<f32>(2, 2)?;
    /// y.submatrix_mut(1..2, 0..1)?.write(&[7.0])?;
    /// assert_eq!(y.to_vec()?, [0.0, 0.0, 7.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn submatrix_mut(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> Result<MatrixMut<'_, T>, Error> {
        self.view_mut().submatrix(rows, columns)
    }

    /// Copies the matrix to the host, row by row without gaps, and waits for it.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Memory`] if the device cannot be read.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert_eq!(device.zeros::<f32>(1, 3)?.to_vec()?, [0.0; 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        self.view().to_vec()
    }

    pub(crate) fn from_parts(buffer: Buffer, layout: MatrixLayout) -> Matrix<T> {
        Matrix { buffer, layout, element: PhantomData }
    }

    pub(super) fn into_parts(self) -> (Buffer, MatrixLayout) {
        (self.buffer, self.layout)
    }
}

extents!(Matrix, |matrix: &Self| matrix.buffer.view().place());
