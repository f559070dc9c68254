//! The layers on the CPU.

use candle_core::{DType, Device, Result, Tensor, Var};
use gemm_candle::Error;
use gemm_candle_example::{Linear, LinearGelu, TimesLinear, layers, relative_error, swiglu};

/// Elements 0, 1, 2 .. modulo 7, divided by 4: exact in each dtype.
fn counting(shape: &[usize], dtype: DType) -> Result<Tensor> {
    let length = shape.iter().product::<usize>();
    let elements = (0..length).map(|i| (i % 7) as f32 / 4.0 - 0.5).collect::<Vec<_>>();
    Tensor::from_vec(elements, shape, &Device::Cpu)?.to_dtype(dtype)
}

#[test]
fn each_layer_computes_what_candles_operations_do() -> Result<()> {
    let layers = layers(&Device::Cpu, [9, 12, 20])?;
    for layer in &layers {
        let error = relative_error(&layer.ours()?, &layer.expected()?)?;
        // Of a BF16 that is rounded twice, the least exact; F16 has 11 bits.
        let limit = if layer.name().ends_with("BF16") { 8e-3 } else { 1e-3 };
        assert!(error < limit, "{}: {error}", layer.name());
    }
    assert_eq!(layers.len(), 5);
    Ok(())
}

#[test]
fn a_gradient_may_arrive_transposed_and_from_a_batch() -> Result<()> {
    let (x, w) = (counting(&[2, 3, 5], DType::F32)?, counting(&[4, 5], DType::F32)?);
    let bias = counting(&[4], DType::F32)?;
    let weights = counting(&[2, 4, 3], DType::F32)?;
    let gradients = |layer: fn(&Tensor, &Tensor, &Tensor) -> Result<Tensor>| {
        let variables = [&x, &w, &bias].map(Var::from_tensor);
        let [x, w, bias] = variables;
        let (x, w, bias) = (x?, w?, bias?);
        let y = layer(x.as_tensor(), w.as_tensor(), bias.as_tensor())?;
        let store = y.transpose(1, 2)?.mul(&weights)?.sum_all()?.backward()?;
        let each = [&x, &w, &bias].map(|v| store.get(v.as_tensor()).expect("a gradient").clone());
        each.iter().map(Tensor::flatten_all).collect::<Result<Vec<_>>>()
    };
    let ours = gradients(|x, w, bias| x.apply_op3(w, bias, Linear))?;
    let candle = gradients(|x, w, bias| x.broadcast_matmul(&w.t()?)?.broadcast_add(bias))?;
    for (ours, candle) in ours.iter().zip(&candle) {
        assert_eq!(ours.to_vec1::<f32>()?, candle.to_vec1::<f32>()?);
    }
    Ok(())
}

#[test]
fn a_part_of_a_tensor_is_read_where_it_lies() -> Result<()> {
    let wide = counting(&[2, 6, 24], DType::F16)?;
    let x = wide.narrow(1, 1, 3)?.narrow(2, 5, 16)?;
    let (w, bias) = (counting(&[8, 16], DType::F16)?, counting(&[8], DType::F16)?);
    let rows = wide.narrow(0, 1, 1)?.narrow(2, 5, 16)?;
    for x in [rows, x.narrow(0, 1, 1)?] {
        let of_part = x.apply_op3_no_bwd(&w, &bias, &LinearGelu)?;
        let of_copy = x.force_contiguous()?.apply_op3_no_bwd(&w, &bias, &LinearGelu)?;
        assert_eq!(of_part.dims(), [1, x.dim(1)?, 8]);
        let bits = |tensor: &Tensor| tensor.flatten_all()?.to_dtype(DType::F32)?.to_vec1::<f32>();
        assert_eq!(bits(&of_part)?, bits(&of_copy)?);
    }
    // Rows 1, 2, 3 and 7, 8, 9 are not evenly spaced.
    let error = x.apply_op3_no_bwd(&w, &bias, &LinearGelu).expect_err("not rows");
    assert!(matches!(Error::of(&error), Some(Error::NotRows { .. })), "{error}");
    Ok(())
}

#[test]
fn what_cannot_be_read_is_an_error_that_says_what_to_do() -> Result<()> {
    let (x, w) = (counting(&[3, 16], DType::F16)?, counting(&[16, 8], DType::F16)?);
    let bias = counting(&[8], DType::F16)?;
    let error = x.apply_op3_no_bwd(&w.t()?, &bias, &LinearGelu).expect_err("w is transposed");
    assert!(matches!(Error::of(&error), Some(Error::NotRows { .. })), "{error}");
    assert!(error.to_string().contains("help: its last two dimensions are transposed"), "{error}");

    let w = w.t()?.contiguous()?;
    let error = x.apply_op3_no_bwd(&w, &x, &LinearGelu).expect_err("the bias is a matrix");
    assert!(matches!(Error::of(&error), Some(Error::NotVector { .. })), "{error}");

    let error = x.narrow(1, 0, 9)?.apply_op3_no_bwd(&w, &bias, &LinearGelu).expect_err("K is 16");
    assert!(matches!(Error::of(&error), Some(Error::Gemm(_))), "{error}");
    let expected = "linear_gelu: w: expected 9 columns (K of x), got 16";
    assert!(error.to_string().starts_with(expected), "{error}");

    let bias = bias.to_dtype(DType::F32)?;
    let error = x.apply_op3_no_bwd(&w, &bias, &LinearGelu).expect_err("the bias is F32");
    assert!(error.to_string().contains("expected: F16, got: F32"), "{error}");
    Ok(())
}

#[test]
fn an_operation_in_place_refuses_what_a_launch_refuses() -> Result<()> {
    let (x, w) = (counting(&[5, 7], DType::BF16)?, counting(&[3, 7], DType::BF16)?);
    let h = counting(&[3, 5], DType::BF16)?;
    let error = h.inplace_op3(&x, &w, &TimesLinear).expect_err("h is 5×3");
    let expected = "times_linear: h: expected 5 rows (M of x), got 3";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert_eq!(swiglu(&x, &w, &w)?.dims(), [5, 3]);
    Ok(())
}
