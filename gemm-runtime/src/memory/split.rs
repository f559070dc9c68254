//! [`SplitMatrix`]: a factor that was told as planes once.

use gemm_codegen::Planes;

use crate::memory::{MatrixLayout, SharedBytes};
use crate::split_by::SplitBy;

/// A matrix of `f32` in device memory, told as [`Planes`]: what a kernel with `precision = f16x3` or
/// `bf16x6` multiplies.
///
/// A launch makes planes of each factor every time, since it may have changed. One that does not change, such as
/// weights, is split once by [`Device::split_rows`](crate::Device::split_rows) or
/// [`Device::split_columns`](crate::Device::split_columns), and passed in the place of its matrix. It has a
/// copy, of 4 bytes an element and 4 for each row of f16x3, of 6 bytes an element of bf16x6, so the matrix may be
/// dropped. Clones share it.
///
/// # Example
/// ```
/// # use gemm_runtime::{Planes, prelude::*};
/// # let options = gemm_runtime::EmulatorOptions::default().target(gemm_runtime::Target::Sm90);
/// # let device = Device::emulator_with(options);
/// #[gemm(precision = f16x3)]
/// fn linear(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
///     matmul(x, w)
/// }
///
/// let w = device.split_rows(&device.matrix(4, 3, &[0.5f32; 12])?, Planes::F16x3)?;
/// let x = device.matrix(2, 3, &[1.0f32; 6])?;
/// assert_eq!(linear(&device, &x, &w)?.to_vec()?, [1.5; 8]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SplitMatrix {
    pub(crate) planes: Planes,
    pub(crate) by: SplitBy,
    /// That of the matrix, without gaps.
    pub(crate) layout: MatrixLayout,
    /// That of the planes.
    pub(crate) of_planes: MatrixLayout,
    pub(crate) elements: SharedBytes,
    pub(crate) exponents: Option<SharedBytes>,
}

impl SplitMatrix {
    /// Rows of the matrix.
    pub fn rows(&self) -> usize {
        self.layout.rows
    }

    /// Columns of the matrix.
    pub fn columns(&self) -> usize {
        self.layout.columns
    }

    /// What of it has a scale of its own.
    pub fn by(&self) -> SplitBy {
        self.by
    }

    /// What it is told as.
    pub fn planes(&self) -> Planes {
        self.planes
    }

    /// Bytes of device memory that it takes.
    pub fn bytes(&self) -> usize {
        self.elements.bytes() + self.exponents.as_ref().map_or(0, SharedBytes::bytes)
    }
}
