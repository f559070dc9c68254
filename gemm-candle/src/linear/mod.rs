//! [`Linear`]: candle's linear layer as one launch.

mod operation;

use candle_core::{Module, Result, Tensor};
use candle_nn::VarBuilder;

use crate::rows::Rows;
use operation::{Biased, Unbiased};

/// A linear layer `y = x · weightᵀ + bias` in place of candle's [`candle_nn::Linear`]: it has the same constructors,
/// tensor names and gradients, and adds the bias in the epilogue of the product.
///
/// Tokens are `x: [.., k]` in F16, BF16 or F32, and so are `weight: [n, k]`, `bias: [n]` and `y: [.., n]`: the dtype of
/// `x` chooses the kernel when the layer runs. Sums are of F32 and are rounded once, after the bias. A tensor that is not
/// stored row by row is copied. On the CPU the layer runs the `reference` of the function, for tests and small layers.
///
/// Gradients are products of candle's own.
///
/// # Example
/// ```
/// use candle_core::{DType, Device, Module, Tensor};
/// use candle_nn::{VarBuilder, VarMap};
///
/// let variables = VarMap::new();
/// let vb = VarBuilder::from_varmap(&variables, DType::F32, &Device::Cpu);
/// let layer = gemm_candle::linear(8, 4, vb.pp("up"))?;
/// let candle = candle_nn::linear(8, 4, vb.pp("up"))?;
///
/// let x = Tensor::randn(0f32, 1., (2, 3, 8), &Device::Cpu)?;
/// let difference = (layer.forward(&x)? - candle.forward(&x)?)?.abs()?.max_all()?;
/// assert!(difference.to_scalar::<f32>()? < 1e-5);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Linear {
    weight: Tensor,
    bias: Option<Tensor>,
}

impl Linear {
    /// A layer of `weight: [n, k]` and `bias: [n]`, which are compared with `x` by [`forward`](Module::forward).
    pub fn new(weight: Tensor, bias: Option<Tensor>) -> Linear {
        Linear { weight, bias }
    }

    /// The weight, `[n, k]`.
    pub fn weight(&self) -> &Tensor {
        &self.weight
    }

    /// The bias, `[n]`.
    pub fn bias(&self) -> Option<&Tensor> {
        self.bias.as_ref()
    }
}

impl From<candle_nn::Linear> for Linear {
    /// A layer that shares the tensors of candle's.
    fn from(layer: candle_nn::Linear) -> Linear {
        Linear::new(layer.weight().clone(), layer.bias().cloned())
    }
}

/// [`candle_nn::linear()`] as a [`Linear`]: its tensors are `weight` and `bias` of `vb`.
///
/// # Errors
/// candle's, if `vb` has no such tensors or other dimensions.
pub fn linear(in_dim: usize, out_dim: usize, vb: VarBuilder<'_>) -> Result<Linear> {
    candle_nn::linear(in_dim, out_dim, vb).map(Linear::from)
}

/// [`candle_nn::linear_no_bias`] as a [`Linear`]: its tensor is `weight` of `vb`.
///
/// # Errors
/// Those of [`linear`].
pub fn linear_no_bias(in_dim: usize, out_dim: usize, vb: VarBuilder<'_>) -> Result<Linear> {
    candle_nn::linear_no_bias(in_dim, out_dim, vb).map(Linear::from)
}

/// [`linear`] with a bias, [`linear_no_bias`] without, as [`candle_nn::linear_b`].
///
/// # Errors
/// Those of [`linear`].
pub fn linear_b(in_dim: usize, out_dim: usize, bias: bool, vb: VarBuilder<'_>) -> Result<Linear> {
    candle_nn::linear_b(in_dim, out_dim, bias, vb).map(Linear::from)
}

impl Module for Linear {
    /// `x · weightᵀ + bias` of `x: [.., k]`.
    ///
    /// # Errors
    /// [`Error::Dtype`](crate::Error::Dtype) if `x` is not in F16, BF16 or F32, or a tensor of the layer is in another dtype than `x`;
    /// [`Error::Gemm`](crate::Error::Gemm) and [`Error::LeadingDimensions`](crate::Error::LeadingDimensions) if the extents do not agree; [`Error::NotVector`](crate::Error::NotVector) for a bias of
    /// several rows; [`Error::Gemm`](crate::Error::Gemm) with the error of the launch.
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (x, weight) = (in_rows(x)?, in_rows(&self.weight)?);
        match &self.bias {
            None => x.apply_op2(&weight, Unbiased),
            Some(bias) => x.apply_op3(&weight, &in_rows(bias)?, Biased),
        }
    }
}

/// The tensor, copied if it is not stored row by row.
fn in_rows(tensor: &Tensor) -> Result<Tensor> {
    match Rows::of(tensor.layout()) {
        Ok(_) => Ok(tensor.clone()),
        Err(_) => tensor.contiguous(),
    }
}
