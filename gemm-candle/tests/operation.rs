//! Operations of any number of operands and outputs, by the name of the function.

use std::sync::OnceLock;

use candle_core::{DType, Device, Result, Tensor};
use gemm_candle::{Error, Operation};
use gemm_runtime::prelude::*;

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

/// The projections of grouped-query attention.
#[gemm]
fn qkv(
    x: Mat<f16, M, K>,
    wq: Mat<f16, Q, K>,
    wk: Mat<f16, N, K>,
    wv: Mat<f16, N, K>,
    bq: Vector<f32, Q>,
    bk: Vector<f32, N>,
    bv: Vector<f32, N>,
) -> (Mat<f16, M, Q>, Mat<f16, M, N>, Mat<f16, M, N>) {
    (matmul(x, wq) + bq, matmul(x, wk) + bk, matmul(x, wv) + bv)
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
const QKV: Operation = Operation::new(&qkv::FUNCTION);

/// A GPU with the feature `cuda`, if there is one. Tensors of two devices do not meet, even of one GPU.
fn device() -> Result<Device> {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    let device = Device::cuda_if_available(0)?;
    Ok(DEVICE.get_or_init(|| device).clone())
}

/// Small integers, whose sums are exact in each dtype.
fn tensor(dims: &[usize], dtype: DType) -> Result<Tensor> {
    let length = dims.iter().product::<usize>() as u32;
    let elements: Vec<f32> = (0..length).map(|i| (i * 7 % 5) as f32 - 2.0).collect();
    Tensor::from_vec(elements, dims, &device()?)?.to_dtype(dtype)
}

#[test]
fn six_operands_are_passed_in_their_order_in_each_dtype() -> Result<()> {
    for dtype in [DType::F16, DType::BF16, DType::F32] {
        let (x, w) = (tensor(&[2, 3, 7], dtype)?, tensor(&[4, 7], dtype)?);
        let (bias, residual) = (tensor(&[4], DType::F32)?, tensor(&[2, 3, 4], dtype)?);
        let scale = Tensor::new(3f32, &device()?)?;
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
    let zeros = |dims: &[usize], dtype| Tensor::zeros(dims, dtype, &device()?);
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
        (
            5,
            0.25.into(),
            "layer: alpha: expected a value of f32, got 0.25 of f64\nhelp: write `0.25f32`",
        ),
        (5, 2.into(), "layer: alpha: expected a value of f32, got 2 of i32\nhelp: write `2f32`"),
    ] {
        let mut operands = all;
        operands[number] = operand;
        let error = LAYER.apply(&operands).expect_err(expected);
        let message = Error::of(&error).expect(expected).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    let error = LAYER.apply(&all[..5]).expect_err("one is missing");
    let expected = "layer takes 6 arguments, x, w, bias, residual, scale and alpha, got 5";
    assert!(error.to_string().starts_with(expected), "{error}");
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
    let x = Tensor::new(&[[255u8, 2]], &device()?)?;
    let y = x.apply_op2_no_bwd(&x, &Layer)?;
    // -1 and 2.
    assert_eq!(y.to_vec2::<f32>()?, [[10.0]]);
    let x = tensor(&[2, 3], DType::F32)?;
    assert_eq!(x.apply_op2_no_bwd(&x, &Layer)?.dims(), [2, 2]);
    Ok(())
}

/// scores = alpha * (q · kᵀ), of the heads of each sequence and keys that the sequences share
#[gemm(T = [bf16, f32])]
fn scores<T>(
    q: Batched<T, (B, H), M, K>,
    k: Batched<T, H, N, K>,
    mask: Mat<f32, M, N>,
    alpha: f32,
) -> Batched<f32, (B, H), M, N> {
    alpha * matmul(q, k) + mask
}

/// y = x · wᵀ + bias, with a weight and a bias for each expert
#[gemm]
fn experts(
    x: Batched<f32, E, M, K>,
    w: Batched<f32, E, N, K>,
    bias: Batched<f32, E, N>,
) -> Batched<f32, E, M, N> {
    matmul(x, w) + bias
}

gemm_candle::custom_op! {
    struct Experts: CustomOp3 = experts;
}

#[test]
fn batches_have_a_dimension_for_each_index() -> Result<()> {
    const SCORES: Operation = Operation::new(&scores::FUNCTION);
    for dtype in [DType::BF16, DType::F32] {
        // As they lie after a projection: sequence, token, head, feature.
        let q = tensor(&[2, 5, 3, 7], dtype)?.transpose(1, 2)?;
        let (k, mask) = (tensor(&[3, 4, 7], dtype)?, tensor(&[5, 4], DType::F32)?);
        let y = SCORES.apply(&[(&q).into(), (&k).into(), (&mask).into(), 0.5f32.into()])?;
        let wide = |tensor: &Tensor| tensor.to_dtype(DType::F32)?.contiguous();
        let k = wide(&k)?.t()?.unsqueeze(0)?;
        let expected = (wide(&q)?.broadcast_matmul(&k)? * 0.5)?.broadcast_add(&mask)?;
        assert_eq!(y.dims(), [2, 3, 5, 4]);
        let difference = (y - expected)?.abs()?.max_all()?.to_scalar::<f32>()?;
        assert!(difference < 1e-5, "{dtype:?}: {difference}");
    }
    let (x, w) = (tensor(&[3, 5, 7], DType::F32)?, tensor(&[3, 4, 7], DType::F32)?);
    let bias = tensor(&[3, 4], DType::F32)?;
    let y = x.apply_op3_no_bwd(&w, &bias, &Experts)?;
    let expected = x.matmul(&w.t()?)?.broadcast_add(&bias.unsqueeze(1)?)?;
    assert_eq!(y.to_vec3::<f32>()?, expected.to_vec3::<f32>()?);
    Ok(())
}

#[test]
fn batches_that_differ_are_refused_with_the_names_of_their_indices() -> Result<()> {
    let of = |dims: &[usize]| tensor(dims, DType::F32);
    for (x, w, bias, expected) in [
        (
            &[3, 5, 7][..],
            &[2, 4, 7][..],
            &[3, 4][..],
            "experts: w: expected 3 along E (by x), got 2",
        ),
        (&[3, 5, 7], &[3, 4, 7], &[2, 4], "experts: bias: expected 3 along E (by x), got 2"),
        (&[3, 5, 7], &[3, 4, 6], &[3, 4], "experts: w: expected 7 columns (K of x), got 6"),
        (&[3, 5, 7], &[3, 4, 7], &[3, 5], "experts: bias: expected 4 elements (N of w), got 5"),
        (
            &[5, 7],
            &[3, 4, 7],
            &[3, 4],
            "experts: x: expected 3 dimensions, one for each index of `Batched<f32, E, M, K>`, got [5, 7]",
        ),
        (
            &[3, 5, 7],
            &[12, 7],
            &[3, 4],
            "experts: w: expected 3 dimensions, one for each index of `Batched<f32, E, N, K>`, got [12, 7]",
        ),
    ] {
        let error = of(x)?.apply_op3_no_bwd(&of(w)?, &of(bias)?, &Experts).expect_err(expected);
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    Ok(())
}

#[test]
fn batches_are_read_from_evenly_spaced_rows_and_may_be_empty() -> Result<()> {
    let (x, w) = (tensor(&[3, 5, 7], DType::F32)?, tensor(&[3, 4, 7], DType::F32)?);
    let bias = tensor(&[3, 4], DType::F32)?;
    let broadcast = tensor(&[3, 1, 7], DType::F32)?.broadcast_as((3, 5, 7))?;
    for turned in [broadcast, tensor(&[3, 7, 5], DType::F32)?.t()?] {
        let error = turned.apply_op3_no_bwd(&w, &bias, &Experts).expect_err("not row by row");
        assert!(error.to_string().starts_with("experts: x: a tensor of dimensions [3, 5, 7]"));
        assert!(matches!(Error::of(&error), Some(Error::NotRows { .. })), "{error}");
    }
    let empty = x.narrow(1, 5, 0)?.apply_op3_no_bwd(&w, &bias, &Experts)?;
    assert_eq!(empty.dims(), [3, 0, 4]);
    let part = tensor(&[3, 6, 9], DType::F32)?.narrow(1, 1, 5)?.narrow(2, 2, 7)?;
    let y = part.apply_op3_no_bwd(&w, &bias, &Experts)?;
    let expected = part.contiguous()?.apply_op3_no_bwd(&w, &bias, &Experts)?;
    assert_eq!(y.to_vec3::<f32>()?, expected.to_vec3::<f32>()?);
    Ok(())
}

#[test]
fn each_projection_has_columns_of_its_own() -> Result<()> {
    let x = tensor(&[2, 3, 8], DType::F16)?;
    let weights = [6, 2, 2].map(|rows| tensor(&[rows, 8], DType::F16).expect("weights"));
    let biases = [6, 2, 2].map(|rows| tensor(&[rows], DType::F32).expect("a bias"));
    let operands: Vec<_> =
        [&x].into_iter().chain(&weights).chain(&biases).map(Into::into).collect();
    let outputs = QKV.apply_all(&operands)?;
    assert_eq!(outputs.len(), 3);
    for ((y, w), bias) in outputs.iter().zip(&weights).zip(&biases) {
        let expected = x.broadcast_matmul(&w.t()?)?.to_dtype(DType::F32)?.broadcast_add(bias)?;
        assert_eq!(y.dims(), expected.dims());
        assert_eq!(
            y.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>()?,
            expected.flatten_all()?.to_vec1::<f32>()?
        );
    }
    let wide = tensor(&[3], DType::F32)?;
    let mut wrong = operands.clone();
    wrong[6] = (&wide).into();
    let message = QKV.apply_all(&wrong).expect_err("the bias is too long").to_string();
    assert!(message.contains("bv: expected 2 elements (N of wk), got 3"), "{message}");
    Ok(())
}
