//! The layer, on a GPU with the feature `cuda` if there is one, against a sum in `f64`.

use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{DType, Device, Module, Result, Tensor};
use gemm_candle::QuantizedLinear;
use gemm_candle::quantized::{Offsets, QuantizedError, Values, Weights};
use gemm_runtime::prelude::{i4x2, u4x2};

use crate::{Random, refused, tensor};

/// The formats of GGUF.
const FORMATS: [GgmlDType; 5] =
    [GgmlDType::Q8_0, GgmlDType::Q4_0, GgmlDType::Q4_1, GgmlDType::Q4K, GgmlDType::Q6K];

/// Compares the layer with sums of its own weights.
fn check(weights: &Weights, bias: Option<&Tensor>) -> Result<()> {
    let w = tensor(weights.n(), weights.k(), weights.dequantize())?.to_dtype(DType::F64)?;
    check_against(&w, weights, bias)
}

/// Compares the layer with sums of the weights `w`, rounded once, for each dtype of tokens.
pub(crate) fn check_against(w: &Tensor, weights: &Weights, bias: Option<&Tensor>) -> Result<()> {
    let [n, k] = [weights.n(), weights.k()];
    let device = Device::cuda_if_available(0)?;
    let there = bias.map(|bias| bias.to_device(&device)).transpose()?;
    let layer = QuantizedLinear::new(weights.clone(), there.as_ref(), &device)?;
    for (dtype, half_ulp) in [(DType::F16, 0.5f64.powi(11)), (DType::BF16, 0.5f64.powi(8))] {
        let x = Tensor::from_vec(Random(5).floats(6 * k), (2, 3, k), &Device::Cpu)?;
        let x = x.to_dtype(dtype)?;
        let y = layer.forward(&x.to_device(&device)?)?.to_device(&Device::Cpu)?;
        assert_eq!((y.dims(), y.dtype()), (&[2, 3, n][..], dtype));
        let x = x.to_dtype(DType::F64)?.flatten_to(1)?;
        let mut expected = x.matmul(&w.t()?)?;
        if let Some(bias) = bias {
            expected = expected.broadcast_add(&bias.to_dtype(DType::F64)?)?;
        }
        // Sums in f32 err by far less than 2^-20 of the sum of absolute terms.
        let terms = (x.abs()?.matmul(&w.abs()?.t()?)? * 0.5f64.powi(20))?;
        let bound = ((expected.abs()? * half_ulp)? + terms)?;
        let difference = (y.to_dtype(DType::F64)?.flatten_to(1)? - expected)?.abs()?;
        let beyond = (difference - bound)?.max_all()?.to_scalar::<f64>()?;
        assert!(beyond <= 1e-7, "{weights:?} {dtype:?}: {beyond} more than the bound");
    }
    Ok(())
}

#[test]
fn layers_of_gguf_are_products_with_unrounded_weights() -> Result<()> {
    let mut random = Random(6);
    for format in FORMATS {
        let block = format.block_size();
        for (n, k) in [(1, block), (7, 3 * block), (33, 5 * block)] {
            let weights = tensor(n, k, random.floats(n * k))?;
            let tensor = QTensor::quantize(&weights, format)?;
            let weights = Weights::from_qtensor(&tensor)?;
            let dequantized = tensor.dequantize(&Device::Cpu)?.to_dtype(DType::F64)?;
            check_against(&dequantized, &weights, None)?;
            let bias = Tensor::from_vec(random.floats(n), n, &Device::Cpu)?;
            check(&weights, Some(&bias))?;
            check(&weights, Some(&bias.to_dtype(DType::BF16)?))?;
        }
    }
    Ok(())
}

#[test]
fn groups_are_cut_into_those_of_a_function() -> Result<()> {
    let mut random = Random(7);
    for group in [16, 48, 32, 64, 96, 128, 192, 256] {
        let (n, k) = (5, 2 * group);
        let bytes: Vec<u8> = (0..n * k).map(|_| random.bits() as u8).collect();
        let (half, scales) = (&bytes[..n * k / 2], random.floats(2 * n));
        let signed: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
        let pairs = half.iter().copied();
        for offsets in [
            Offsets::None,
            Offsets::Zeros(bytes[..2 * n].to_vec()),
            Offsets::Added(random.floats(2 * n)),
        ] {
            for values in [
                Values::I8(signed.clone()),
                Values::I4(pairs.clone().map(i4x2::from_bits).collect()),
                Values::U4(pairs.clone().map(u4x2::from_bits).collect()),
            ] {
                let is_byte = matches!(values, Values::I8(_));
                if group % 32 != 0 && !(is_byte && offsets == Offsets::None) {
                    continue;
                }
                let weights = Weights::new([n, k], group, values, scales.clone(), offsets.clone());
                check(&weights.map_err(candle_core::Error::from)?, None)?;
            }
        }
    }
    Ok(())
}

#[test]
fn groups_of_no_function_are_refused() -> Result<()> {
    for (k, group) in [(32, 8), (48, 48)] {
        let values = Values::U4(vec![u4x2::new(1, 2); k / 2]);
        let zeros = Offsets::Zeros(vec![3; k / group]);
        let weights = Weights::new([1, k], group, values, vec![1.0; k / group], zeros);
        let weights = weights.map_err(candle_core::Error::from)?;
        let error = refused(QuantizedLinear::new(weights, None, &Device::Cpu));
        assert_eq!(error, QuantizedError::Group { got: group });
        let message = error.to_string();
        assert!(message.starts_with("weights: expected groups of a multiple of 32"), "{message}");
    }
    Ok(())
}

#[test]
fn tensors_that_do_not_fit_are_refused() -> Result<()> {
    let weights = QTensor::quantize(&tensor(3, 64, Random(9).floats(192))?, GgmlDType::Q8_0)?;
    let zeros = |dims: &[usize], dtype| Tensor::zeros(dims, dtype, &Device::Cpu);
    let with_bias = |bias: &Tensor| {
        refused(QuantizedLinear::from_qtensor(&weights, Some(bias), &Device::Cpu)).to_string()
    };
    assert_eq!(
        with_bias(&zeros(&[4], DType::F32)?),
        "bias: expected the dimensions [3] (by those of weights), got [4]"
    );
    assert_eq!(with_bias(&zeros(&[3], DType::F64)?), "bias: expected F16, BF16 or F32, got F64");
    let layer = QuantizedLinear::from_qtensor(&weights, None, &Device::Cpu)?;
    let message = |x: &Tensor| refused(layer.forward(x)).to_string();
    assert_eq!(message(&zeros(&[2, 64], DType::F32)?), "x: expected F16 or BF16, got F32");
    assert_eq!(
        message(&zeros(&[2, 63], DType::F16)?),
        "x: expected 64 columns (K of the weights), got 63"
    );
    assert_eq!(
        message(&zeros(&[64, 2], DType::F16)?.t()?),
        "x: a tensor of dimensions [2, 64] and strides [1, 2] is not stored row by row\n\
         help: call `contiguous()` on it"
    );
    assert_eq!(layer.forward(&zeros(&[64], DType::F16)?)?.dims(), [3]);
    assert_eq!(layer.forward(&zeros(&[0, 64], DType::F16)?)?.dims(), [0, 3]);
    Ok(())
}
