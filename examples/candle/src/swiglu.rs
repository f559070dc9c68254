//! SwiGLU in two launches and one output, which the second launch multiplies in place.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, InplaceOp3, Layout, Result, Tensor};
#[cfg(feature = "cuda")]
use gemm_candle::cuda;
use gemm_candle::{cpu, extents};
use gemm_runtime::prelude::*;

/// h = silu(x · wᵀ)
#[gemm]
pub fn gate(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    silu(matmul(x, w))
}

/// h = h * (x · wᵀ), element by element
#[gemm]
pub fn times_linear(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>, h: &mut Mat<bf16, M, N>) {
    *h *= matmul(x, w);
}

/// `silu(x · gateᵀ) * (x · upᵀ)` of `x: [.., k]` and `gate, up: [n, k]`, in BF16.
///
/// # Errors
/// candle's, for tensors of other dimensions or dtypes.
pub fn swiglu(x: &Tensor, gate: &Tensor, up: &Tensor) -> Result<Tensor> {
    let h = x.apply_op2_no_bwd(gate, &Gate)?;
    h.inplace_op3(x, up, &TimesLinear)?;
    Ok(h)
}

gemm_candle::custom_op! {
    /// `silu(x · wᵀ)` of `x: [.., k]` and `w: [n, k]`, in BF16.
    #[derive(Clone, Copy, Debug)]
    pub struct Gate: CustomOp2 = gate;
}

/// `h *= x · wᵀ` of `h: [.., n]`, `x: [.., k]` and `w: [n, k]`, in BF16. An operation in place is written by
/// hand.
#[derive(Clone, Copy, Debug)]
pub struct TimesLinear;

impl InplaceOp3 for TimesLinear {
    fn name(&self) -> &'static str {
        "times-linear"
    }

    fn cpu_fwd(
        &self,
        h: &mut CpuStorage,
        h_layout: &Layout,
        x: &CpuStorage,
        x_layout: &Layout,
        w: &CpuStorage,
        w_layout: &Layout,
    ) -> Result<()> {
        let extents = extents(&times_linear::SIGNATURE, &[x_layout, w_layout, h_layout])?;
        let (x, w) = (cpu::matrix::<bf16>(x, x_layout)?, cpu::matrix::<bf16>(w, w_layout)?);
        cpu::update::<bf16, _>(h, h_layout, |h| times_linear::reference(extents, &x, &w, h))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        h: &mut CudaStorage,
        h_layout: &Layout,
        x: &CudaStorage,
        x_layout: &Layout,
        w: &CudaStorage,
        w_layout: &Layout,
    ) -> Result<()> {
        extents(&times_linear::SIGNATURE, &[x_layout, w_layout, h_layout])?;
        let (x, w) = (cuda::matrix::<bf16>(x, x_layout)?, cuda::matrix::<bf16>(w, w_layout)?);
        cuda::update(h, h_layout, |device, mut h| times_linear(device, &x, &w, &mut h))
    }
}
