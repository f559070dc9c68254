//! The layers on the CPU.

use candle_core::{DType, Device, Module, Result, Tensor, Var};
use gemm_candle::Error;
use gemm_candle_example::{
    AddLinear, Linear, LinearGelu, LinearLayer, Precision, Swiglu, layers, linear_f16x3,
    relative_error,
};
use gemm_runtime::{EmulatorOptions, Planes, Target};

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
        // The rounding of the output; candle rounds the tokens of Q4_K to 8 bits, too, for each product.
        let limit = match layer.name() {
            name if name.contains("Q4_K") && name.contains("gate") => 16e-3,
            name if name.contains("Q4_K") => 8e-3,
            name if name.contains("BF16") => 4e-3,
            _ => 1e-3,
        };
        assert!(error < limit, "{}: {error}", layer.name());
    }
    assert_eq!(layers.len(), 11);
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
fn a_precision_is_that_of_the_kernel_and_gradients_are_those_of_f32() -> Result<()> {
    let (x, bias) = (counting(&[2, 3, 5], DType::F32)?, counting(&[4], DType::F32)?);
    let w = counting(&[4, 5], DType::F32)?;
    let expected = x.apply_op3_no_bwd(&w, &bias, &Linear)?.flatten_all()?.to_vec1::<f32>()?;
    for precision in [Precision::F32, Precision::F16x3] {
        let (x, w) = (Var::from_tensor(&x)?, Var::from_tensor(&w)?);
        let layer = LinearLayer::new(w.as_tensor().clone(), bias.clone(), precision)?;
        let y = layer.forward(x.as_tensor())?;
        assert_eq!(
            (y.dims(), y.flatten_all()?.to_vec1::<f32>()?),
            (&[2, 3, 4][..], expected.clone())
        );
        let gradients = y.sum_all()?.backward()?;
        let of = |variable: &Var| gradients.get(variable.as_tensor()).map(|g| g.dims().to_vec());
        assert_eq!((of(&x), of(&w)), (Some(vec![2, 3, 5]), Some(vec![4, 5])));
    }
    let error = LinearLayer::new(w.t()?, bias, Precision::F16x3).expect_err("w is transposed");
    assert!(matches!(Error::of(&error), Some(Error::NotRows { .. })), "{error}");
    Ok(())
}

/// What a layer launches on a GPU of compute capability 9.0, on the emulator of one.
#[test]
fn the_kernel_of_halves_takes_a_weight_that_was_split_once() -> anyhow::Result<()> {
    let (m, n, k) = (3, 40, 50);
    let rows = |rows: usize, columns: usize| -> Result<(Tensor, Vec<f32>)> {
        let tensor = (counting(&[rows, columns], DType::F32)? * 0.3)?;
        let elements = tensor.flatten_all()?.to_vec1()?;
        Ok((tensor, elements))
    };
    let [(x, of_x), (w, of_w), (bias, of_bias)] = [rows(m, k)?, rows(n, k)?, rows(1, n)?];
    let layer = LinearLayer::new(w, bias, Precision::F16x3)?;
    let options = EmulatorOptions::default().target(Target::Sm90);
    let device = gemm_runtime::Device::emulator_with(options);
    let planes = device.split_rows(&device.matrix(n, k, &of_w)?, Planes::F16x3)?;
    let (x_there, bias_there) = (device.matrix(m, k, &of_x)?, device.vector(&of_bias)?);
    for _ in 0..2 {
        let y = linear_f16x3(&device, &x_there, &planes, &bias_there)?.to_vec()?;
        let y = Tensor::from_vec(y, (m, n), &Device::Cpu)?;
        assert!(relative_error(&y, &layer.forward(&x)?)? < 1e-6);
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
    let text = error.to_string();
    assert!(
        text.starts_with("linear_gelu: w: a tensor of dimensions [8, 16] and strides "),
        "{text}"
    );
    assert!(text.contains("help: its last two dimensions are transposed"), "{text}");

    let w = w.t()?.contiguous()?;
    let error = x.apply_op3_no_bwd(&w, &x, &LinearGelu).expect_err("the bias is a matrix");
    assert!(matches!(Error::of(&error), Some(Error::NotVector { .. })), "{error}");
    assert!(error.to_string().starts_with("linear_gelu: bias: expected a vector"), "{error}");

    let error = x.narrow(1, 0, 9)?.apply_op3_no_bwd(&w, &bias, &LinearGelu).expect_err("K is 16");
    assert!(matches!(Error::of(&error), Some(Error::Gemm(_))), "{error}");
    let expected = "linear_gelu: w: expected 9 columns (K of x), got 16";
    assert!(error.to_string().starts_with(expected), "{error}");

    let bias = bias.to_dtype(DType::F32)?;
    let error = x.apply_op3_no_bwd(&w, &bias, &LinearGelu).expect_err("the bias is F32");
    assert!(error.to_string().starts_with("linear_gelu: bias: expected F16, got F32"), "{error}");
    Ok(())
}

#[test]
fn an_operation_in_place_refuses_what_a_launch_refuses() -> Result<()> {
    let (x, w) = (counting(&[5, 7], DType::BF16)?, counting(&[3, 7], DType::BF16)?);
    let y = counting(&[3, 5], DType::BF16)?;
    let error = y.inplace_op3(&x, &w, &AddLinear).expect_err("y is 5×3");
    let expected = "add_linear: y: expected 5 rows (M of x), got 3";
    assert!(error.to_string().starts_with(expected), "{error}");
    Ok(())
}

#[test]
fn both_weights_of_swiglu_have_the_same_extents() -> Result<()> {
    let x = counting(&[2, 5, 7], DType::BF16)?;
    let [gate, taller, wider] = [[3, 7], [4, 7], [3, 8]].map(|of| counting(&of, DType::BF16));
    let (gate, taller, wider) = (gate?, taller?, wider?);
    let swiglu = |up: &Tensor| x.apply_op3_no_bwd(&gate, up, &Swiglu);
    assert_eq!(swiglu(&gate)?.dims(), [2, 5, 3]);
    for (up, expected) in [
        (&taller, "swiglu: up: expected 3 rows (N of gate), got 4"),
        (&wider, "swiglu: up: expected 7 columns (K of x), got 8"),
    ] {
        let error = swiglu(up).expect_err("up is not as gate").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    Ok(())
}

#[test]
fn a_gate_and_its_factor_have_the_same_extents_and_format() -> Result<()> {
    use candle_core::quantized::{GgmlDType, QTensor};
    use gemm_candle::quantized::Weights;
    use gemm_candle_example::QuantizedSwiglu;

    let weights = |n, dtype| -> Result<Weights> {
        let values = counting(&[n, 256], DType::F32)?;
        Weights::from_qtensor(&QTensor::quantize(&values, dtype)?)
    };
    let layer = |gate, up| QuantizedSwiglu::new(gate, up, &Device::Cpu);
    let of = |n| weights(n, GgmlDType::Q4K);
    assert!(layer(of(8)?, of(8)?).is_ok());
    let error = layer(of(8)?, of(6)?).unwrap_err().to_string();
    assert!(error.starts_with("gate is 8 × 256, up 6 × 256"), "{error}");
    let error = layer(of(8)?, weights(8, GgmlDType::Q8_0)?).unwrap_err().to_string();
    assert!(error.starts_with("expected weights of Q4_K"), "{error}");
    Ok(())
}
