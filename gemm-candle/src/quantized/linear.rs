//! [`QuantizedLinear`]: a layer of [`Weights`].

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "cuda")]
use candle_core::CudaStorage;
use candle_core::quantized::QTensor;
use candle_core::{CpuStorage, CustomOp1, DType, Device, Layout, Module, Result, Shape, Tensor};
use gemm_runtime::{bf16, f16};

use super::operands::Operands;
use super::{QuantizedError, Weights, read};
use crate::output_shape;
use crate::rows::Rows;

/// A linear layer `y = x · wᵀ + bias` of quantised [`Weights`], in place of a
/// [`QMatMul`](candle_core::quantized::QMatMul) and a bias.
///
/// Tokens are `x: [.., k]` in F16 or BF16, and so is `y: [.., n]`. They are multiplied as they are, where candle's kernels of
/// quantised weights round them to 8 bits, and sums are of F32. Scales round no weight, but for many tokens on a GPU of compute
/// capability 9.0: there a weight is rounded to the type of the tokens. Tokens in F32 are refused, because tensor cores would
/// round them: convert them by [`Tensor::to_dtype`].
///
/// On a GPU the weights are copied to it and [packed](gemm_runtime::Device::pack) when the layer is made, once. On the CPU a
/// layer runs the `reference` of the function, for tests and small layers. Clones share the weights.
///
/// **The layer has no gradient**: `backward` through it is an error, `backward is not supported for quantized-linear`. To
/// leave it out of a backward pass, [`detach`](Tensor::detach) its tokens.
///
/// # Example
/// candle's own layer rounds each token to 8 bits, by less than 1/200 of the largest of its block: half a step, which is 1/254,
/// and the step itself to an `f16`.
/// ```
/// use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
/// use candle_core::{DType, Device, Module, Tensor};
/// use gemm_candle::QuantizedLinear;
///
/// let weights = Tensor::randn(0f32, 1., (5, 64), &Device::Cpu)?;
/// let weights = QTensor::quantize(&weights, GgmlDType::Q4_0)?;
/// let x = Tensor::randn(0f32, 1., (2, 3, 64), &Device::Cpu)?.to_dtype(DType::F16)?;
///
/// let layer = QuantizedLinear::from_qtensor(&weights, None, &Device::Cpu)?;
/// let y = layer.forward(&x)?.to_dtype(DType::F32)?;
/// assert_eq!(y.dims(), [2, 3, 5]);
///
/// // Σ |w| · max |x| / 200 of candle's tokens, and both results are rounded to F16.
/// let of_tokens = weights.dequantize(&Device::Cpu)?.abs()?.sum(1)?;
/// let largest = x.to_dtype(DType::F32)?.abs()?.max_all()?.to_scalar::<f32>()?;
/// let bound = ((of_tokens * f64::from(largest / 200.0))?.broadcast_add(&(y.abs()? * 1e-3)?)? + 1e-3)?;
/// let candle = QMatMul::from_qtensor(weights)?.forward(&x)?.to_dtype(DType::F32)?;
/// let beyond = ((y - candle)?.abs()? - bound)?.max_all()?.to_scalar::<f32>()?;
/// assert!(beyond <= 0.0, "{beyond} more than the bound");
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Clone)]
pub struct QuantizedLinear {
    n: usize,
    k: usize,
    device: Device,
    operands: Arc<Operands>,
}

impl QuantizedLinear {
    /// A layer of `weights` on `device`, with a `bias: [n]` in F16, BF16 or F32, which is added in F32.
    ///
    /// # Errors
    /// [`QuantizedError::Group`] for weights in groups that are no multiple of 32, or of 16 where they are
    /// [`Values::I8`](super::Values::I8) without offsets;
    /// [`QuantizedError::Dimensions`] and [`QuantizedError::Dtype`] for another bias;
    /// [`QuantizedError::NoFunction`] on another kind of device; [`Error::Gemm`](crate::Error::Gemm) if the weights cannot be
    /// copied to a GPU.
    pub fn new(
        weights: Weights,
        bias: Option<&Tensor>,
        device: &Device,
    ) -> Result<QuantizedLinear> {
        let [n, k] = [weights.n(), weights.k()];
        let bias = bias.map_or_else(|| Ok(vec![0.0; n]), |bias| read_bias(bias, n))?;
        let operands = Arc::new(Operands::on(device, weights, bias)?);
        Ok(QuantizedLinear { n, k, device: device.clone(), operands })
    }

    /// The layer of [`Weights::from_qtensor`].
    ///
    /// # Errors
    /// Those of [`Weights::from_qtensor`] and [`QuantizedLinear::new`].
    pub fn from_qtensor(
        weights: &QTensor,
        bias: Option<&Tensor>,
        device: &Device,
    ) -> Result<QuantizedLinear> {
        QuantizedLinear::new(Weights::from_qtensor(weights)?, bias, device)
    }

    fn check(&self, x: &Tensor) -> std::result::Result<(), QuantizedError> {
        let operand = "x";
        if !x.device().same_device(&self.device) {
            let (expected, got) = (self.device.location(), x.device().location());
            return Err(QuantizedError::Device { operand, expected, got });
        }
        let (expected, got) = (self.k, x.dims().last().copied().unwrap_or(1));
        if got != expected {
            return Err(QuantizedError::Columns { expected, got });
        }
        match x.dtype() {
            DType::F16 | DType::BF16 => Ok(()),
            got => Err(QuantizedError::Dtype { operand, expected: "F16 or BF16", got }),
        }
    }
}

fn read_bias(bias: &Tensor, n: usize) -> Result<Vec<f32>> {
    let (operand, given_by) = ("bias", "weights");
    if bias.dims() != [n] {
        let (expected, got) = (vec![n], bias.dims().to_vec());
        return Err(QuantizedError::Dimensions { operand, expected, got, given_by }.into());
    }
    read::exact(operand, bias)
}

impl Module for QuantizedLinear {
    /// `x · wᵀ + bias` of `x: [.., k]` in F16 or BF16.
    ///
    /// # Errors
    /// [`QuantizedError::Device`], [`QuantizedError::Columns`] and [`QuantizedError::Dtype`] for another `x`;
    /// [`QuantizedError::NotRows`] if it is not stored row by row; [`Error::Gemm`](crate::Error::Gemm) with the error of the
    /// launch.
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.check(x)?;
        let (dims, strides) = (x.dims().to_vec(), x.stride().to_vec());
        Rows::of(x.layout()).map_err(|_| QuantizedError::NotRows { dims, strides })?;
        x.apply_op1(Operation(self.clone()))
    }
}

impl fmt::Debug for QuantizedLinear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut layer = f.debug_struct("QuantizedLinear");
        layer.field("n", &self.n).field("k", &self.k).field("device", &self.device.location());
        layer.finish_non_exhaustive()
    }
}

/// A layer as an operation of candle's, after `x` was checked.
struct Operation(QuantizedLinear);

impl CustomOp1 for Operation {
    fn name(&self) -> &'static str {
        "quantized-linear"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let QuantizedLinear { n, ref operands, .. } = self.0;
        let y = match x {
            CpuStorage::F16(_) => operands.on_cpu::<f16>(x, layout),
            _ => operands.on_cpu::<bf16>(x, layout),
        };
        Ok((y?, output_shape(layout, n)))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(&self, x: &CudaStorage, layout: &Layout) -> Result<(CudaStorage, Shape)> {
        use candle_core::backend::BackendStorage;

        let QuantizedLinear { n, ref operands, .. } = self.0;
        let y = match x.dtype() {
            DType::F16 => operands.on_cuda::<f16>(x, layout),
            _ => operands.on_cuda::<bf16>(x, layout),
        };
        Ok((y?, output_shape(layout, n)))
    }
}
