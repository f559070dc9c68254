//! A layer that can be trained: its gradients are two more products.

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::{CpuStorage, CustomOp2, CustomOp3, Layout, Result, Shape, Tensor};
#[cfg(feature = "cuda")]
use gemm_candle::cuda;
use gemm_candle::{cpu, output_shape};
use gemm_runtime::prelude::*;

/// y = x · wᵀ + bias
#[gemm]
pub fn linear(x: Mat<f32, M, K>, w: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) + bias
}

/// dx = dy · w
#[gemm]
pub fn input_gradient(dy: Mat<f32, M, K>, w: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(dy, w)
}

/// dw = dyᵀ · x
#[gemm]
pub fn weight_gradient(dy: Mat<f32, K, M>, x: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(dy, x)
}

/// `x · wᵀ + bias` of `x: [.., k]`, `w: [n, k]` and `bias: [n]`, in F32, with gradients of all.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

impl CustomOp3 for Linear {
    fn name(&self) -> &'static str {
        "linear"
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
        let (x, w) = (cpu::matrix::<f32>(x, x_layout)?, cpu::matrix::<f32>(w, w_layout)?);
        let bias = cpu::vector::<f32>(bias, bias_layout)?;
        let extents = gemm_runtime::Shape { m: x.rows(), n: w.rows(), k: x.columns() };
        let y = cpu::output::<f32, _>(linear::reference(extents, &x, &w, &bias))?;
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
        let (x, w) = (cuda::matrix::<f32>(x, x_layout)?, cuda::matrix::<f32>(w, w_layout)?);
        let bias = cuda::vector::<f32>(bias, bias_layout)?;
        let y = cuda::output(gpu, x.rows(), w.rows(), |device, y| {
            linear::into(device, &x, &w, &bias, y)
        })?;
        Ok((y, output_shape(x_layout, w.rows())))
    }

    fn bwd(
        &self,
        x: &Tensor,
        w: &Tensor,
        _bias: &Tensor,
        _y: &Tensor,
        dy: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        // What follows the layer decides how its gradient is stored; of rows this copies nothing.
        let dy = dy.contiguous()?;
        let dx = dy.apply_op2_no_bwd(w, &InputGradient)?;
        let dw = dy.apply_op2_no_bwd(x, &WeightGradient)?;
        let db = dy.flatten_to(dy.rank() - 2)?.sum(0)?;
        Ok((Some(dx), Some(dw), Some(db)))
    }
}

/// `dy · w` of `dy: [.., n]` and `w: [n, k]`.
struct InputGradient;

impl CustomOp2 for InputGradient {
    fn name(&self) -> &'static str {
        "linear-input-gradient"
    }

    fn cpu_fwd(
        &self,
        dy: &CpuStorage,
        dy_layout: &Layout,
        w: &CpuStorage,
        w_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (dy, w) = (cpu::matrix::<f32>(dy, dy_layout)?, cpu::matrix::<f32>(w, w_layout)?);
        let extents = gemm_runtime::Shape { m: dy.rows(), n: w.columns(), k: w.rows() };
        let dx = cpu::output::<f32, _>(input_gradient::reference(extents, &dy, &w))?;
        Ok((dx, output_shape(dy_layout, w.columns())))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        dy: &CudaStorage,
        dy_layout: &Layout,
        w: &CudaStorage,
        w_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        let gpu = &dy.device;
        let (dy, w) = (cuda::matrix::<f32>(dy, dy_layout)?, cuda::matrix::<f32>(w, w_layout)?);
        let dx = cuda::output(gpu, dy.rows(), w.columns(), |device, dx| {
            input_gradient::into(device, &dy, &w, dx)
        })?;
        Ok((dx, output_shape(dy_layout, w.columns())))
    }
}

/// `dyᵀ · x` of `dy: [.., n]` and `x: [.., k]`.
struct WeightGradient;

impl CustomOp2 for WeightGradient {
    fn name(&self) -> &'static str {
        "linear-weight-gradient"
    }

    fn cpu_fwd(
        &self,
        dy: &CpuStorage,
        dy_layout: &Layout,
        x: &CpuStorage,
        x_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (dy, x) = (cpu::matrix::<f32>(dy, dy_layout)?, cpu::matrix::<f32>(x, x_layout)?);
        let extents = gemm_runtime::Shape { m: dy.columns(), n: x.columns(), k: x.rows() };
        let dw = cpu::output::<f32, _>(weight_gradient::reference(extents, &dy, &x))?;
        Ok((dw, Shape::from((dy.columns(), x.columns()))))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        dy: &CudaStorage,
        dy_layout: &Layout,
        x: &CudaStorage,
        x_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        let gpu = &dy.device;
        let (dy, x) = (cuda::matrix::<f32>(dy, dy_layout)?, cuda::matrix::<f32>(x, x_layout)?);
        let dw = cuda::output(gpu, dy.columns(), x.columns(), |device, dw| {
            weight_gradient::into(device, &dy, &x, dw)
        })?;
        Ok((dw, Shape::from((dy.columns(), x.columns()))))
    }
}
