//! `Linear` in place of candle's layer: values, gradients and what it refuses.

use std::sync::OnceLock;

use candle_core::{DType, Device, Module, Result, Tensor};
use candle_nn::{VarBuilder, VarMap};
use gemm_candle::{Error, Linear};

/// A GPU with the feature `cuda`, if there is one. Tensors of two devices do not meet, even of one GPU.
fn device() -> Result<Device> {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let device = Device::cuda_if_available(0)?;
    Ok(DEVICE.get_or_init(|| device).clone())
}

/// Both layers of the same tensors.
fn layers(k: usize, n: usize, bias: bool, dtype: DType) -> Result<(Linear, candle_nn::Linear)> {
    let variables = VarMap::new();
    let vb = VarBuilder::from_varmap(&variables, dtype, &device()?);
    let layer = gemm_candle::linear_b(k, n, bias, vb.pp("layer"))?;
    Ok((layer, candle_nn::linear_b(k, n, bias, vb.pp("layer"))?))
}

/// The largest difference, in F64.
fn difference(one: &Tensor, other: &Tensor) -> Result<f64> {
    assert_eq!((one.dims(), one.dtype()), (other.dims(), other.dtype()));
    let [one, other] = [one, other].map(|tensor| tensor.to_dtype(DType::F64));
    (one? - other?)?.abs()?.max_all()?.to_scalar()
}

/// candle's layer of the same elements in F64.
fn exact(layer: &candle_nn::Linear) -> Result<candle_nn::Linear> {
    let wide = |tensor: &Tensor| tensor.to_dtype(DType::F64);
    let bias = layer.bias().map(wide).transpose()?;
    Ok(candle_nn::Linear::new(wide(layer.weight())?, bias))
}

#[test]
fn the_dtype_of_x_chooses_the_kernel() -> Result<()> {
    // Outputs are below 8: half a unit in the last place of each, and the sums of F32.
    for (dtype, bound) in [(DType::F16, 2e-3), (DType::BF16, 2e-2), (DType::F32, 1e-5)] {
        for bias in [true, false] {
            let (layer, candle) = layers(19, 6, bias, dtype)?;
            for dims in [&[3, 19][..], &[2, 3, 19], &[2, 1, 3, 19]] {
                let x = Tensor::rand(-1f32, 1., dims, &device()?)?.to_dtype(dtype)?;
                let y = layer.forward(&x)?;
                assert_eq!(y.dtype(), dtype);
                let expected = exact(&candle)?.forward(&x.to_dtype(DType::F64)?)?;
                let difference = difference(&y.to_dtype(DType::F64)?, &expected)?;
                assert!(difference <= bound, "{dtype:?} {dims:?} bias {bias}: {difference}");
            }
        }
    }
    Ok(())
}

#[test]
fn gradients_are_those_of_candles_layer() -> Result<()> {
    for bias in [true, false] {
        let (layer, candle) = layers(5, 4, bias, DType::F32)?;
        let x = candle_core::Var::from_tensor(&Tensor::rand(-1f32, 1., (2, 3, 5), &device()?)?)?;
        // Another gradient for each element, and one that is not stored row by row.
        let scale = Tensor::rand(-1f32, 1., (4, 3, 2), &device()?)?.transpose(0, 2)?;
        let of = |y: Tensor| y.mul(&scale)?.sum_all()?.backward();
        let ours = of(layer.forward(&x)?)?;
        let theirs = of(candle.forward(&x)?)?;
        let tensors = [Some(x.as_tensor()), Some(layer.weight()), layer.bias()];
        for tensor in tensors.into_iter().flatten() {
            let [Some(ours), Some(theirs)] = [ours.get(tensor), theirs.get(tensor)] else {
                panic!("no gradient of {:?}", tensor.dims());
            };
            assert!(difference(ours, theirs)? < 1e-5, "{:?}", tensor.dims());
        }
    }
    Ok(())
}

#[test]
fn tensors_that_are_not_stored_row_by_row_are_copied() -> Result<()> {
    let x = Tensor::rand(-1f32, 1., (5, 3), &device()?)?.t()?;
    let weight = Tensor::rand(-1f32, 1., (5, 4), &device()?)?.t()?;
    let y = Linear::new(weight.clone(), None).forward(&x)?;
    let expected = x.matmul(&weight.t()?)?;
    assert!(difference(&y, &expected)? < 1e-5);
    Ok(())
}

#[test]
fn tensors_that_do_not_fit_are_refused() -> Result<()> {
    let zeros = |dims: &[usize], dtype| Tensor::zeros(dims, dtype, &device()?);
    for (x, w, bias, expected) in [
        (
            (&[2, 7][..], DType::F64),
            &[3, 7][..],
            &[3][..],
            "linear: x: expected F16, BF16 or F32, got F64",
        ),
        ((&[2, 7], DType::BF16), &[3, 7], &[3], "linear: weight: expected BF16, got F32"),
        (
            (&[2, 5], DType::F32),
            &[3, 7],
            &[3],
            "linear: weight: expected 5 columns (K of x), got 7",
        ),
        (
            (&[2, 7], DType::F32),
            &[3, 7],
            &[4],
            "linear: bias: expected 3 elements (N of weight), got 4",
        ),
        (
            (&[2, 5, 7], DType::F32),
            &[2, 3, 7],
            &[6],
            "linear: weight: expected leading dimensions [6] (N of the output), got [2, 3]",
        ),
    ] {
        let layer = Linear::new(zeros(w, DType::F32)?, Some(zeros(bias, DType::F32)?));
        let error = layer.forward(&zeros(x.0, x.1)?).expect_err(expected);
        let message = Error::of(&error).expect(expected).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    Ok(())
}
