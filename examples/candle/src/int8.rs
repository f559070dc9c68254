//! A quantised layer: factors of 8 bits, sums of 32, scaled to F16 in the same kernel.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape};
#[cfg(feature = "cuda")]
use gemm_candle::cuda;
use gemm_candle::{cpu, output_shape};
use gemm_runtime::prelude::*;

/// y = (x · wᵀ) * scale, a factor per output feature
#[gemm]
pub fn int8_linear(x: Mat<i8, M, K>, w: Mat<i8, N, K>, scale: Vector<f32, N>) -> Mat<f16, M, N> {
    matmul(x, w) as f32 * scale
}

/// `(x · wᵀ) * scale` of `x: [.., k]` and `w: [n, k]` in U8, which hold the bits of `i8`, and
/// `scale: [n]` in F32; the result is F16.
///
/// candle has no dtype of signed bytes, and no product of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Int8Linear;

impl CustomOp3 for Int8Linear {
    fn name(&self) -> &'static str {
        "int8-linear"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        w: &CpuStorage,
        w_layout: &Layout,
        scale: &CpuStorage,
        scale_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, w) = (cpu::matrix::<i8>(x, x_layout)?, cpu::matrix::<i8>(w, w_layout)?);
        let scale = cpu::vector::<f32>(scale, scale_layout)?;
        let extents = gemm_runtime::Shape { m: x.rows(), n: w.rows(), k: x.columns() };
        let y = cpu::output::<f16, _>(int8_linear::reference(extents, &x, &w, &scale))?;
        Ok((y, output_shape(x_layout, w.rows())))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        x: &CudaStorage,
        x_layout: &Layout,
        w: &CudaStorage,
        w_layout: &Layout,
        scale: &CudaStorage,
        scale_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        let gpu = &x.device;
        let (x, w) = (cuda::matrix::<i8>(x, x_layout)?, cuda::matrix::<i8>(w, w_layout)?);
        let scale = cuda::vector::<f32>(scale, scale_layout)?;
        let y = cuda::output(gpu, x.rows(), w.rows(), |device, y| {
            int8_linear::into(device, &x, &w, &scale, y)
        })?;
        Ok((y, output_shape(x_layout, w.rows())))
    }
}
