//! A layer that is added to the residual in place, without a new tensor.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, InplaceOp3, Layout, Result};
#[cfg(feature = "cuda")]
use gemm_candle::cuda;
use gemm_candle::{cpu, extents};
use gemm_runtime::prelude::*;

/// y = y + x · wᵀ
#[gemm]
pub fn add_linear(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>, y: &mut Mat<bf16, M, N>) {
    *y += matmul(x, w);
}

/// `y += x · wᵀ` of `y: [.., n]`, `x: [.., k]` and `w: [n, k]`, in BF16. An operation in place is written by
/// hand.
#[derive(Clone, Copy, Debug)]
pub struct AddLinear;

impl InplaceOp3 for AddLinear {
    fn name(&self) -> &'static str {
        "add-linear"
    }

    fn cpu_fwd(
        &self,
        y: &mut CpuStorage,
        y_layout: &Layout,
        x: &CpuStorage,
        x_layout: &Layout,
        w: &CpuStorage,
        w_layout: &Layout,
    ) -> Result<()> {
        let extents = extents(&add_linear::SIGNATURE, &[x_layout, w_layout, y_layout])?;
        let (x, w) = (cpu::matrix::<bf16>(x, x_layout)?, cpu::matrix::<bf16>(w, w_layout)?);
        cpu::update::<bf16, _>(y, y_layout, |y| add_linear::reference(extents, &x, &w, y))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        y: &mut CudaStorage,
        y_layout: &Layout,
        x: &CudaStorage,
        x_layout: &Layout,
        w: &CudaStorage,
        w_layout: &Layout,
    ) -> Result<()> {
        extents(&add_linear::SIGNATURE, &[x_layout, w_layout, y_layout])?;
        let (x, w) = (cuda::matrix::<bf16>(x, x_layout)?, cuda::matrix::<bf16>(w, w_layout)?);
        cuda::update(y, y_layout, |device, mut y| add_linear(device, &x, &w, &mut y))
    }
}
