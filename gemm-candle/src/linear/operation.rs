//! The operations of a layer: for each a function of all dtypes.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, CustomOp2, CustomOp3, Layout, Result, Shape, Tensor};
use gemm_runtime::prelude::*;

use crate::cpu;
#[cfg(feature = "cuda")]
use crate::cuda;
use crate::extents::shapes;

/// y = x · weightᵀ + bias
#[gemm(T = [f16, bf16, f32])]
fn linear<T>(x: Mat<T, M, K>, weight: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
    matmul(x, weight) + bias
}

/// y = x · weightᵀ
#[gemm(T = [f16, bf16, f32])]
fn linear_no_bias<T>(x: Mat<T, M, K>, weight: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, weight)
}

/// The macro with the element type of a dtype, which was compared with those of the layer.
macro_rules! of_dtype {
    ($Storage:ident, $x:ident, $compute:ident!) => {
        match $x {
            $Storage::F16(_) => $compute!(f16),
            $Storage::BF16(_) => $compute!(bf16),
            _ => $compute!(f32),
        }
    };
}

/// `x · weightᵀ + bias`.
pub(super) struct Biased;

impl CustomOp3 for Biased {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let layouts = [x_layout, weight_layout, bias_layout];
        let (extents, _, shape) = shapes(&linear::SIGNATURE, &layouts)?;
        macro_rules! compute {
            ($T:ident) => {{
                let (x, bias) = (cpu::matrix::<$T>(x, x_layout)?, cpu::vector(bias, bias_layout)?);
                let weight = cpu::matrix(weight, weight_layout)?;
                cpu::output::<$T, f32>(linear::reference(extents, &*x, &weight, &bias))?
            }};
        }
        Ok((of_dtype!(CpuStorage, x, compute!), shape))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        x: &CudaStorage,
        x_layout: &Layout,
        weight: &CudaStorage,
        weight_layout: &Layout,
        bias: &CudaStorage,
        bias_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        use candle_core::cuda_backend::CudaStorageSlice;

        let layouts = [x_layout, weight_layout, bias_layout];
        let (_, [m, n], shape) = shapes(&linear::SIGNATURE, &layouts)?;
        let (gpu, slice) = (&x.device, &x.slice);
        macro_rules! compute {
            ($T:ident) => {{
                let bias = cuda::vector::<$T>(bias, bias_layout)?;
                let weight = cuda::matrix::<$T>(weight, weight_layout)?;
                let x = cuda::matrix::<$T>(x, x_layout)?;
                cuda::output(gpu, m, n, |device, y| linear::into(device, &x, &weight, &bias, y))?
            }};
        }
        Ok((of_dtype!(CudaStorageSlice, slice, compute!), shape))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        _y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [dx, dw] = gradients(x, weight, dy)?;
        let db = rows(dy)?.sum(0)?.reshape(bias.shape())?;
        Ok((Some(dx), Some(dw), Some(db)))
    }
}

/// `x · weightᵀ`.
pub(super) struct Unbiased;

impl CustomOp2 for Unbiased {
    fn name(&self) -> &'static str {
        "linear-no-bias"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (extents, _, shape) = shapes(&linear_no_bias::SIGNATURE, &[x_layout, weight_layout])?;
        macro_rules! compute {
            ($T:ident) => {{
                let x = cpu::matrix::<$T>(x, x_layout)?;
                let weight = cpu::matrix(weight, weight_layout)?;
                cpu::output::<$T, f32>(linear_no_bias::reference(extents, &*x, &weight))?
            }};
        }
        Ok((of_dtype!(CpuStorage, x, compute!), shape))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        x: &CudaStorage,
        x_layout: &Layout,
        weight: &CudaStorage,
        weight_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        use candle_core::cuda_backend::CudaStorageSlice;

        let layouts = [x_layout, weight_layout];
        let (_, [m, n], shape) = shapes(&linear_no_bias::SIGNATURE, &layouts)?;
        let (gpu, slice) = (&x.device, &x.slice);
        macro_rules! compute {
            ($T:ident) => {{
                let weight = cuda::matrix::<$T>(weight, weight_layout)?;
                let x = cuda::matrix::<$T>(x, x_layout)?;
                cuda::output(gpu, m, n, |device, y| linear_no_bias::into(device, &x, &weight, y))?
            }};
        }
        Ok((of_dtype!(CudaStorageSlice, slice, compute!), shape))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        _y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let [dx, dw] = gradients(x, weight, dy)?;
        Ok((Some(dx), Some(dw)))
    }
}

/// dx = dy · weight and dweight = dyᵀ · x.
fn gradients(x: &Tensor, weight: &Tensor, dy: &Tensor) -> Result<[Tensor; 2]> {
    let dy = rows(dy)?;
    let dx = dy.matmul(&rows(weight)?)?.reshape(x.shape())?;
    let dw = dy.t()?.matmul(&rows(x)?)?.reshape(weight.shape())?;
    Ok([dx, dw])
}

/// The tensor as one matrix, which has its last dimension as columns.
fn rows(tensor: &Tensor) -> Result<Tensor> {
    match tensor.rank() {
        0 | 1 => tensor.reshape((1, tensor.elem_count())),
        rank => tensor.flatten_to(rank - 2),
    }
}
