//! Tensors whose extents do not agree are refused on the CPU, in the words of a launch.

use candle_core::{DType, Device, Layout, Result, Tensor};
use gemm_candle::extents;
use gemm_runtime::prelude::*;

/// y = x · wᵀ + residual
#[gemm]
fn residual(x: Mat<f32, M, K>, w: Mat<f32, N, K>, r: Mat<f32, M, N>) -> Mat<f32, M, N> {
    matmul(x, w) + r
}

gemm_candle::custom_op! {
    struct Residual;

    fn residual(x: Mat<f32, M, K>, w: Mat<f32, N, K>, r: Mat<f32, M, N>) -> Mat<f32, M, N>;
}

/// y = x · wᵀ + bias
#[gemm]
fn linear(x: Mat<f32, M, K>, w: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N> {
    matmul(x, w) + bias
}

gemm_candle::custom_op! {
    struct Linear;

    fn linear(x: Mat<f32, M, K>, w: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, M, N>;
}

/// y = dyᵀ · x
#[gemm]
fn gradient(dy: Mat<f32, K, M>, x: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(dy, x)
}

gemm_candle::custom_op! {
    struct Gradient;

    fn gradient(dy: Mat<f32, T, H>, x: Mat<f32, T, D>) -> Mat<f32, H, D>;
}

/// y = w · xᵀ, whose rows are the second factor's
#[gemm]
fn crossed(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, N, M> {
    matmul(x, w) * 2.0
}

gemm_candle::custom_op! {
    struct Crossed;

    fn crossed(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, N, M>;
}

/// Elements 0, 1, 2 ..: a wrong order of rows is seen.
fn tensor(dims: &[usize]) -> Result<Tensor> {
    let length = dims.iter().product::<usize>() as u32;
    Tensor::arange(0, length, &Device::Cpu)?.to_dtype(DType::F32)?.reshape(dims)
}

/// What the operation with these operands reports.
fn refused(
    operation: impl candle_core::CustomOp3 + Send + Sync + 'static,
    [x, w, last]: [&[usize]; 3],
) -> Result<String> {
    let (x, w, last) = (tensor(x)?, tensor(w)?, tensor(last)?);
    let result = x.apply_op3_no_bwd(&w, &last, &operation);
    Ok(result.map_or_else(|error| error.to_string(), |y| format!("accepted: {:?}", y.dims())))
}

#[test]
fn each_extent_is_compared_with_that_of_its_index() -> Result<()> {
    for (operands, expected) in [
        ([&[5, 7][..], &[3, 7], &[3, 5]], "residual: r: expected 5 rows (M of x), got 3"),
        ([&[5, 7], &[3, 7], &[15]], "residual: r: expected 5 rows (M of x), got 1"),
        ([&[5, 7], &[3, 7], &[1, 15]], "residual: r: expected 5 rows (M of x), got 1"),
        ([&[5, 7], &[3, 7], &[5, 4]], "residual: r: expected 3 columns (N of w), got 4"),
        // 21 elements as 7×3, which could be read as 3×7.
        ([&[5, 7], &[7, 3], &[5, 7]], "residual: w: expected 7 columns (K of x), got 3"),
    ] {
        let got = refused(Residual, operands)?;
        assert!(got.starts_with(expected), "{operands:?}: {got}");
    }
    let got = refused(Linear, [&[5, 7], &[3, 7], &[4]])?;
    assert!(got.starts_with("linear: bias: expected 3 elements (N of w), got 4"), "{got}");
    Ok(())
}

#[test]
fn leading_dimensions_are_compared_before_they_are_flattened() -> Result<()> {
    for (operands, expected) in [
        (
            [&[2, 5, 7][..], &[2, 3, 7], &[2, 5, 6]],
            "residual: w: expected leading dimensions [6] (N of the output), got [2, 3], which are \
             flattened to 6 rows\nhelp: give it the dimensions [6, 7], such as by `reshape`",
        ),
        (
            [&[2, 5, 7], &[3, 7], &[5, 2, 3]],
            "residual: r: expected leading dimensions [2, 5] (M of x), got [5, 2]",
        ),
        (
            [&[2, 5, 7], &[3, 7], &[10, 3]],
            "residual: r: expected leading dimensions [2, 5] (M of x), got [10]",
        ),
    ] {
        let got = refused(Residual, operands)?;
        assert!(got.starts_with(expected), "{operands:?}: {got}");
    }
    // Dimensions of 1 do not change the order of rows.
    let same = refused(Residual, [&[2, 1, 5, 7], &[1, 3, 7], &[2, 5, 3]])?;
    assert_eq!(same, "accepted: [2, 1, 5, 3]");
    Ok(())
}

#[test]
fn rows_that_are_summed_have_the_same_leading_dimensions() -> Result<()> {
    let (dy, x) = (tensor(&[2, 3, 5])?, tensor(&[2, 3, 7])?);
    let expected = dy.reshape((6, 5))?.t()?.matmul(&x.reshape((6, 7))?)?;
    let got = dy.apply_op2_no_bwd(&x, &Gradient)?;
    assert_eq!(got.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);

    let error = dy.apply_op2_no_bwd(&tensor(&[3, 2, 7])?, &Gradient).expect_err("3, 2");
    let expected = "gradient: x: expected leading dimensions [2, 3] (K of dy), got [3, 2]";
    assert!(error.to_string().starts_with(expected), "{error}");
    Ok(())
}

#[test]
fn an_output_may_have_the_rows_of_the_second_factor() -> Result<()> {
    let (x, w) = (tensor(&[5, 7])?, tensor(&[2, 3, 7])?);
    let got = x.apply_op2_no_bwd(&w, &Crossed)?;
    assert_eq!(got.dims(), [2, 3, 5]);
    let expected = (w.reshape((6, 7))?.matmul(&x.t()?)? * 2.0)?;
    assert_eq!(got.reshape((6, 5))?.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);
    Ok(())
}

/// y = x · wᵀ, of batches
#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn batched(x: Batched<f32, B, M, K>, w: Mat<f32, N, K>) -> Batched<f32, B, M, N> {
    matmul(x, w)
}

/// h = h + alpha * (x · wᵀ)
#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn update(h: &mut Mat<f32, M, N>, x: Mat<f32, M, K>, w: Mat<f32, N, K>, alpha: f32) {
    *h += alpha * matmul(x, w);
}

#[test]
fn an_operation_by_hand_gets_the_extents_of_its_tensors() -> Result<()> {
    let of = |dims: &[usize]| Layout::contiguous(dims);
    let (x, w, h) = (of(&[2, 5, 7]), of(&[3, 7]), of(&[2, 5, 3]));
    let shape = Shape { m: 10, n: 3, k: 7 };
    assert_eq!(extents(&update::SIGNATURE, &[&x, &w, &h])?, shape);
    assert_eq!(extents(&update::SIGNATURE, &[&x, &w])?, shape);

    let refused = |signature, tensors: &[&Layout]| {
        extents(signature, tensors).expect_err("they do not fit").to_string()
    };
    let swapped = of(&[5, 2, 3]);
    let got = refused(&update::SIGNATURE, &[&x, &w, &swapped]);
    assert!(got.starts_with("update: h: expected leading dimensions [2, 5] (M of x)"), "{got}");
    for tensors in [&[&x][..], &[&x, &w, &h, &h]] {
        let got = refused(&update::SIGNATURE, tensors);
        assert!(got.starts_with("update takes 3 arguments, got "), "{got}");
    }
    let got = refused(&batched::SIGNATURE, &[&x, &w]);
    assert!(got.starts_with("batched: x: a batch of matrices cannot be read"), "{got}");
    Ok(())
}
