//! Factors of kernels that multiply planes, made once.

use gemm_codegen::Planes;

use crate::argument::AsMatrix;
use crate::device::Device;
use crate::error::Error;
use crate::launch;
use crate::memory::SplitMatrix;
use crate::split_by::SplitBy;

impl Device {
    /// Tells a matrix as planes, by rows: for a factor whose last index is summed over, such as
    /// `w: Mat<f32, N, K>` of a function with `precision = f16x3`, or `bf16x6`. Rows of f16x3 have a scale each.
    ///
    /// Does not wait for the kernel that does it.
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`], [`Error::StreamMismatch`], [`Error::DimensionTooLarge`];
    /// [`Error::OutOfMemory`], [`Error::Driver`], a missing library, a refusal of the compiler's.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::{Planes, prelude::*};
    /// # let device = Device::emulator();
    /// let w = device.matrix(2, 3, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let split = device.split_rows(&w, Planes::F16x3)?;
    /// assert_eq!([split.rows(), split.columns()], [2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn split_rows<'a>(
        &self,
        matrix: impl AsMatrix<'a, f32>,
        planes: Planes,
    ) -> Result<SplitMatrix, Error> {
        launch::split(self, &matrix.argument(), SplitBy::Rows, planes)
    }

    /// The same by columns: for a factor whose first index is summed over, such as
    /// `w: Mat<f32, K, N>`.
    ///
    /// # Errors
    /// As [`split_rows`](Self::split_rows).
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::{Planes, prelude::*};
    /// # let device = Device::emulator();
    /// let w = device.matrix(2, 3, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let split = device.split_columns(&w, Planes::F16x3)?;
    /// assert_eq!([split.rows(), split.columns()], [2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn split_columns<'a>(
        &self,
        matrix: impl AsMatrix<'a, f32>,
        planes: Planes,
    ) -> Result<SplitMatrix, Error> {
        launch::split(self, &matrix.argument(), SplitBy::Columns, planes)
    }
}
