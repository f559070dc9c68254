//! A layer in one kernel: product, bias and activation.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape};
#[cfg(feature = "cuda")]
use gemm_candle::cuda;
use gemm_candle::{cpu, output_shape};
use gemm_runtime::prelude::*;

/// y = gelu(x · wᵀ + bias)
#[gemm]
pub fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

/// `gelu(x · wᵀ + bias)` of `x: [.., k]`, `w: [n, k]` and `bias: [n]`, in F16.
#[derive(Clone, Copy, Debug)]
pub struct LinearGelu;

impl CustomOp3 for LinearGelu {
    fn name(&self) -> &'static str {
        "linear-gelu"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        w: &CpuStorage,
        w_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (x, w) = (cpu::matrix::<f16>(x, x_layout)?, cpu::matrix::<f16>(w, w_layout)?);
        let bias = cpu::vector::<f16>(bias, bias_layout)?;
        let extents = gemm_runtime::Shape { m: x.rows(), n: w.rows(), k: x.columns() };
        let y = cpu::output::<f16, _>(linear_gelu::reference(extents, &x, &w, &bias))?;
        Ok((y, output_shape(x_layout, w.rows())))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        x: &CudaStorage,
        x_layout: &Layout,
        w: &CudaStorage,
        w_layout: &Layout,
        bias: &CudaStorage,
        bias_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        let gpu = &x.device;
        let (x, w) = (cuda::matrix::<f16>(x, x_layout)?, cuda::matrix::<f16>(w, w_layout)?);
        let bias = cuda::vector::<f16>(bias, bias_layout)?;
        let y = cuda::output(gpu, x.rows(), w.rows(), |device, y| {
            linear_gelu::into(device, &x, &w, &bias, y)
        })?;
        Ok((y, output_shape(x_layout, w.rows())))
    }
}
