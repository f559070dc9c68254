//! Operations of any number of operands and outputs, by the name of the function.

use candle_core::{DType, Device, Result, Tensor};
use gemm_candle::{Error, Operation};
use gemm_runtime::prelude::*;

const CPU: candle_core::Device = Device::Cpu;
const SHIFT: f32 = 0.5;

/// y = alpha * (x · wᵀ) * scale + bias + residual + 0.5
#[gemm(T = [f16, bf16, f32])]
fn layer<T>(
    x: Mat<T, M, K>,
    w: Mat<T, N, K>,
    bias: Vector<f32, N>,
    residual: Mat<T, M, N>,
    scale: Scalar<f32>,
    alpha: f32,
) -> Mat<T, M, N> {
    alpha * matmul(x, w) * scale + bias + residual + SHIFT
}

/// The product, and twice the product in f32.
#[gemm]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Mat<f32, M, N>) {
    let y = matmul(x, w);
    (y, y + y)
}

/// The greatest element of each row.
#[gemm]
fn greatest(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Vector<f32, M> {
    max(matmul(x, w))
}

/// h = h + x · wᵀ
#[gemm]
fn update(h: &mut Mat<f32, M, N>, x: Mat<f32, M, K>, w: Mat<f32, N, K>) {
    *h += matmul(x, w);
}

const LAYER: Operation = Operation::new(&layer::FUNCTION);
const BOTH: Operation = Operation::new(&both::FUNCTION);

/// Small integers, whose sums are exact in each dtype.
fn tensor(dims: &[usize], dtype: DType) -> Result<Tensor> {
    let length = dims.iter().product::<usize>() as u32;
    let elements: Vec<f32> = (0..length).map(|i| (i * 7 % 5) as f32 - 2.0).collect();
    Tensor::from_vec(elements, dims, &CPU)?.to_dtype(dtype)
}

#[test]
fn six_operands_are_passed_in_their_order_in_each_dtype() -> Result<()> {
    for dtype in [DType::F16, DType::BF16, DType::F32] {
        let (x, w) = (tensor(&[2, 3, 7], dtype)?, tensor(&[4, 7], dtype)?);
        let (bias, residual) = (tensor(&[4], DType::F32)?, tensor(&[2, 3, 4], dtype)?);
        let scale = Tensor::new(3f32, &CPU)?;
        let operands = [&x, &w, &bias, &residual, &scale].map(Into::into);
        let operands = [&operands[..], &[2f32.into()]].concat();
        let y = LAYER.apply(&operands)?;
        assert_eq!(y.dtype(), dtype);

        let wide = |tensor: &Tensor| tensor.to_dtype(DType::F32);
        let product = (wide(&x)?.broadcast_matmul(&wide(&w)?.t()?)? * 6.0)?;
        let expected =
            ((product.broadcast_add(&bias)? + wide(&residual)?)? + 0.5)?.to_dtype(dtype)?;
        assert_eq!(wide(&y)?.to_vec3::<f32>()?, wide(&expected)?.to_vec3::<f32>()?);
    }
    Ok(())
}

#[test]
fn outputs_are_of_their_own_dtypes_and_dimensions() -> Result<()> {
    let (x, w) = (tensor(&[2, 3, 7], DType::F16)?, tensor(&[4, 7], DType::F16)?);
    let [y, doubled] = &BOTH.apply_all(&[(&x).into(), (&w).into()])?[..] else { panic!("two") };
    assert_eq!((y.dtype(), doubled.dtype()), (DType::F16, DType::F32));
    let expected = (y.to_dtype(DType::F32)? * 2.0)?.to_vec3::<f32>()?;
    assert_eq!(doubled.to_vec3::<f32>()?, expected);
    let error = BOTH.apply(&[(&x).into(), (&w).into()]).expect_err("it has two outputs");
    assert!(error.to_string().starts_with("both: expected one output, got 2"), "{error}");

    let (x, w) = (x.to_dtype(DType::F32)?, w.to_dtype(DType::F32)?);
    let rows = Operation::new(&greatest::FUNCTION).apply(&[(&x).into(), (&w).into()])?;
    let expected = x.broadcast_matmul(&w.t()?)?.max(2)?;
    assert_eq!(rows.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);
    Ok(())
}

#[test]
fn operands_that_do_not_fit_are_refused_by_name() -> Result<()> {
    let zeros = |dims: &[usize], dtype| Tensor::zeros(dims, dtype, &CPU);
    let (x, w) = (zeros(&[5, 7], DType::F16)?, zeros(&[3, 7], DType::F16)?);
    let (bias, y) = (zeros(&[3], DType::F32)?, zeros(&[5, 3], DType::F16)?);
    let scale = zeros(&[], DType::F32)?;
    let turned = zeros(&[3, 5], DType::F16)?;
    let (wide, double) = (zeros(&[3, 7], DType::F32)?, zeros(&[5, 7], DType::F64)?);
    let all = [(&x).into(), (&w).into(), (&bias).into(), (&y).into(), (&scale).into(), 1f32.into()];
    LAYER.apply(&all)?;
    for (number, operand, expected) in [
        (0, (&double).into(), "layer: x: expected F16, BF16 or F32, got F64"),
        (1, (&wide).into(), "layer: w: expected F16, got F32"),
        (2, 1f32.into(), "layer: bias: expected a tensor, got 1 of f32"),
        (3, (&turned).into(), "layer: residual: expected 5 rows (M of x), got 3"),
        (
            4,
            (&bias).into(),
            "layer: scale: expected a tensor of one element, got a tensor of F32 and dimensions [3]",
        ),
        (5, 1f64.into(), "layer: alpha: expected a value of f32, got 1 of f64"),
    ] {
        let mut operands = all;
        operands[number] = operand;
        let error = LAYER.apply(&operands).expect_err(expected);
        let message = Error::of(&error).expect(expected).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    let error = LAYER.apply(&all[..5]).expect_err("one is missing");
    assert!(error.to_string().starts_with("layer takes 6 arguments, got 5"), "{error}");
    let error = Operation::new(&update::FUNCTION).apply(&[(&x).into(), (&w).into(), (&y).into()]);
    let error = error.expect_err("it is in place").to_string();
    assert!(error.starts_with("update: expected a function that returns its outputs"), "{error}");
    Ok(())
}

gemm_candle::custom_op! {
    struct Layer: CustomOp2 = both_as_one;
}

/// y = 2 (x · wᵀ), of integers in U8
#[gemm(T = [i8, f32])]
fn both_as_one<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<f32, M, N> {
    2.0 * matmul(x, w) as f32
}

#[test]
fn an_operation_by_name_reads_u8_as_the_listed_integers() -> Result<()> {
    let x = Tensor::new(&[[255u8, 2]], &CPU)?;
    let y = x.apply_op2_no_bwd(&x, &Layer)?;
    // -1 and 2.
    assert_eq!(y.to_vec2::<f32>()?, [[10.0]]);
    let x = tensor(&[2, 3], DType::F32)?;
    assert_eq!(x.apply_op2_no_bwd(&x, &Layer)?.dims(), [2, 2]);
    Ok(())
}
