//! An f32 layer that tensor cores multiply, as exact as f32.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, CustomOp3, Layout, Module, Result, Shape, Tensor};
use gemm_candle::split_rows;
#[cfg(feature = "cuda")]
use gemm_candle::{cuda, extents, output_shape};
use gemm_runtime::SplitMatrix;
use gemm_runtime::prelude::*;

use crate::Linear;

/// y = x · wᵀ + bias, of factors as sums of two halves
#[gemm(precision = f16x3)]
pub fn linear_f16x3(x: Mat<f32, M, K>, w: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) + bias
}

/// How a layer multiplies F32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// By fused multiply-adds in F32.
    #[default]
    F32,
    /// By tensor cores, as sums of two halves (`precision = f16x3`): as exact as F32 where the elements of a row are
    /// within 2²⁴ of each other. On a GPU of compute capability 8.0 or newer; elsewhere as [`F32`](Precision::F32).
    F16x3,
}

/// `x · wᵀ + bias` of `x: [.., k]`, with the weight `w: [n, k]` and `bias: [n]`, in F32.
///
/// With [`Precision::F16x3`], on a GPU of compute capability 8.0 or newer, the weight is split into halves once, when the
/// layer is made; they take as much memory as the weight. On the CPU and on other GPUs the layer is that of
/// [`Precision::F32`]. Gradients are products in F32.
#[derive(Clone, Debug)]
pub struct LinearLayer {
    w: Tensor,
    bias: Tensor,
    operation: SplitLinear,
}

impl LinearLayer {
    /// The layer of these tensors. A layer whose weight changes, as by training, is made again.
    ///
    /// # Errors
    /// With [`Precision::F16x3`] those of [`split_rows`]. Extents are compared when the layer runs.
    pub fn new(w: Tensor, bias: Tensor, precision: Precision) -> Result<LinearLayer> {
        let planes = match precision {
            Precision::F32 => None,
            Precision::F16x3 => split_rows(&w)?,
        };
        Ok(LinearLayer { w, bias, operation: SplitLinear { planes } })
    }
}

impl Module for LinearLayer {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.apply_op3(&self.w, &self.bias, self.operation.clone())
    }
}

/// [`Linear`] with the planes of its weight, if it multiplies these. An operation with operands that are not
/// tensors is written by hand.
#[derive(Clone, Debug)]
struct SplitLinear {
    #[cfg_attr(not(feature = "cuda"), allow(dead_code, reason = "a launch multiplies it"))]
    planes: Option<SplitMatrix>,
}

impl CustomOp3 for SplitLinear {
    fn name(&self) -> &'static str {
        "linear_f16x3"
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
        Linear.cpu_fwd(x, x_layout, w, w_layout, bias, bias_layout)
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
        let Some(planes) = &self.planes else {
            return Linear.cuda_fwd(x, x_layout, w, w_layout, bias, bias_layout);
        };
        let layouts = [x_layout, w_layout, bias_layout];
        let gemm_runtime::Shape { m, n, .. } = extents(&linear_f16x3::SIGNATURE, &layouts)?;
        let gpu = &x.device;
        let (x, bias) =
            (cuda::matrix::<f32>(x, x_layout)?, cuda::vector::<f32>(bias, bias_layout)?);
        let y = cuda::output::<f32>(gpu, m, n, |device, y| {
            linear_f16x3::into(device, &x, planes, &bias, y)
        });
        Ok((y?, output_shape(x_layout, n)))
    }

    fn bwd(
        &self,
        x: &Tensor,
        w: &Tensor,
        bias: &Tensor,
        y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        Linear.bwd(x, w, bias, y, dy)
    }
}
