//! A backward pass through what has no gradient is an error, not a gradient of zeros.

use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{DType, Device, Module, Result, Tensor, Var};
use gemm_candle::{Operation, QuantizedLinear};
use gemm_runtime::prelude::*;

/// The product, and the sum of its squares for each row.
#[gemm]
fn project(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> (Mat<f32, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h))
}

const PROJECT: Operation = Operation::new(&project::FUNCTION);

#[test]
fn a_backward_pass_through_an_operation_is_an_error() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let x = Tensor::ones((2, 8), DType::F32, &device)?;
    let w = Var::ones((4, 8), DType::F32, &device)?;
    let all = PROJECT.apply_all(&[(&x).into(), w.as_tensor().into()])?;
    assert_eq!(all[0].to_vec2::<f32>()?, [[8.0; 4]; 2]);
    assert_eq!(all[1].to_vec1::<f32>()?, [256.0; 2]);
    for y in &all {
        let error = y.sum_all()?.backward().expect_err("it has no gradient").to_string();
        assert!(error.starts_with("backward is not supported for project"), "{error}");
    }
    let all = PROJECT.apply_all(&[(&x).into(), (&w.as_detached_tensor()).into()])?;
    let loss = (all[0].sum_all()? * w.sum_all()?)?;
    assert!(loss.backward()?.get(&w).is_some());
    assert!(!all[0].track_op() && !all[1].track_op());
    Ok(())
}

#[test]
fn a_backward_pass_through_quantised_weights_is_an_error() -> Result<()> {
    let device = Device::cuda_if_available(0)?;
    let weights = Tensor::ones((4, 32), DType::F32, &Device::Cpu)?;
    let weights = QTensor::quantize(&weights, GgmlDType::Q8_0)?;
    let layer = QuantizedLinear::from_qtensor(&weights, None, &device)?;
    let x = Var::ones((2, 32), DType::F16, &device)?;
    let error = layer.forward(&x)?.sum_all()?.backward().expect_err("it has no gradient");
    let expected = "backward is not supported for quantized-linear";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert!(!layer.forward(&x.as_detached_tensor())?.track_op());
    Ok(())
}
