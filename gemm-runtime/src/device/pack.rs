//! Integer factors in the order in which lanes multiply them.

use crate::argument::AsMatrix;
use crate::device::Device;
use crate::error::Error;
use crate::launch;
use crate::memory::Matrix;
use crate::packing::{Packed, Packs};

impl Device {
    /// Packs a factor of integers: rows along K of `i4x2`, `u4x2`, `i8` or `u8`, such as `w: Mat<i4x2, N, K>`, become a
    /// matrix for a function that declares `w: Mat<i4x32, N, K>` instead. The matrix may have any extents, leading
    /// dimension and address.
    ///
    /// The result has `rows.div_ceil(16)` rows and `columns.next_multiple_of(32)` columns of 16 bytes, where `rows` and
    /// `columns` are those of the matrix: two numbers along K are one column of an `i4x2`. Numbers outside the matrix are
    /// stored as zeros.
    ///
    /// Does not wait for the kernel that does it. The result is a copy, so the matrix may be dropped.
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`], [`Error::StreamMismatch`], [`Error::DimensionTooLarge`];
    /// [`Error::OutOfMemory`], [`Error::Driver`], a missing library, a refusal of the compiler's.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// #[gemm]
    /// fn linear(
    ///     x: Mat<f16, M, K>,
    ///     w: Mat<i4x32, N, K>,
    ///     s: Tiled<f16, N, K, 1, 64>,
    /// ) -> Mat<f32, M, N> {
    ///     matmul(x, w * s)
    /// }
    ///
    /// // 16 rows of 64 numbers, which are 32 pairs
    /// let w = device.matrix(16, 32, &[i4x2::new(3, -1); 16 * 32])?;
    /// let w = device.pack(&w)?; // once
    /// assert_eq!([w.rows(), w.columns()], [1, 32]);
    /// let x = device.matrix(1, 64, &[f16::ONE; 64])?;
    /// let s = device.matrix(16, 1, &[f16::from_f32(0.5); 16])?;
    /// assert_eq!(linear(&device, &x, &w, &s)?.to_vec()?, [32.0; 16]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pack<'a, E: Packs>(
        &self,
        matrix: impl AsMatrix<'a, E>,
    ) -> Result<Matrix<E::Packed>, Error> {
        launch::pack::<E>(self, matrix.argument())
    }

    /// The first `rows` × `columns` elements of the matrix that was packed: bit for bit what [`pack`](Self::pack) was
    /// given. The packed matrix has a multiple of 16 rows and of 32 columns, and the last of them may be zeros; how many
    /// of them are numbers of the matrix is known to the caller alone.
    ///
    /// Does not wait for the kernel that does it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the packed matrix does not have these rows and columns; otherwise as
    /// [`pack`](Self::pack).
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let w: Vec<i8> = (0..3 * 40).map(|number| number as i8 - 60).collect();
    /// let packed = device.pack(&device.matrix(3, 40, &w)?)?;
    /// assert_eq!([packed.rows(), packed.columns()], [1, 64]);
    /// assert_eq!(device.unpack(&packed, 3, 40)?.to_vec()?, w);
    /// assert!(device.unpack(&packed, 17, 40).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn unpack<'a, P: Packed>(
        &self,
        matrix: impl AsMatrix<'a, P>,
        rows: usize,
        columns: usize,
    ) -> Result<Matrix<P::Plain>, Error> {
        launch::unpack::<P>(self, matrix.argument(), [rows, columns])
    }
}
