//! What `custom_op!` says, by the name alone, and `Operation` of a function that they make no operation of.

use candle_core::{DType, Device, Result, Tensor};
use gemm_candle::__private::{joined, length, unfit};
use gemm_candle::Operation;
use gemm_runtime::prelude::*;
use gemm_runtime::signature::Signature;

#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn swiglu(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn residual(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    r: Mat<f16, M, N>,
) -> Mat<f16, M, N> {
    matmul(x, w) + bias + r
}

#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f32) -> Mat<f16, M, N> {
    alpha * matmul(x, w)
}

#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn both(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, Mat<f32, M, N>) {
    let y = matmul(x, w);
    (y, y)
}

#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn update(h: &mut Mat<f16, M, N>, x: Mat<f16, M, K>, w: Mat<f16, N, K>, alpha: f32) {
    *h += alpha * matmul(x, w);
}

#[gemm]
#[allow(dead_code, reason = "its signature is used")]
fn quantized(x: Mat<f16, M, K>, w: Mat<u4x2, N, K>, s: Tiled<f16, N, K, 1, 64>) -> Mat<f16, M, N> {
    matmul(x, w * s)
}

/// The message, as the macro joins it.
fn message(signature: &Signature, count: usize) -> String {
    let (operation, count) = match count {
        2 => ("CustomOp2", "2"),
        _ => ("CustomOp3", "3"),
    };
    let message = unfit(signature, operation, count);
    let text = joined::<1000>(&message)[..length(&message)].to_vec();
    String::from_utf8(text).expect("text")
}

#[test]
fn a_function_that_is_no_operation_is_told_why_and_what_to_write() {
    for (signature, count, expected) in [
        (&swiglu::SIGNATURE, 3, ""),
        (
            &swiglu::SIGNATURE,
            2,
            "`swiglu` has 3 tensors, a `CustomOp2` has 2\nhelp: write `CustomOp3`",
        ),
        (
            &residual::SIGNATURE,
            3,
            "`residual` has 4 tensors, a `CustomOp3` has 3\nhelp: make a `gemm_candle::Operation` of it",
        ),
        (
            &scaled::SIGNATURE,
            2,
            "`scaled` has the scalar `alpha`, a `CustomOp2` has tensors alone\n\
             help: make a `gemm_candle::Operation` of it",
        ),
        (
            &both::SIGNATURE,
            2,
            "`both` has several outputs, a `CustomOp2` has one\nhelp: make a `gemm_candle::Operation` of it",
        ),
        (
            &update::SIGNATURE,
            2,
            "`update` works in place, a `CustomOp2` returns its output\nhelp: write an `InplaceOp3` by hand, of the \
             functions of `gemm_candle::cpu` and `gemm_candle::cuda`",
        ),
        (
            &quantized::SIGNATURE,
            3,
            "`quantized` has the scales of tiles `s`, which no tensor is read as\n\
             help: `gemm_candle::QuantizedLinear` is a layer of such weights; write another operation by hand, of \
             `gemm_candle::quantized::Weights` and the functions of `gemm_candle::cpu` and `gemm_candle::cuda`",
        ),
    ] {
        assert_eq!(message(signature, count), expected);
    }
}

#[test]
fn an_operation_says_what_reads_scales_of_tiles() -> Result<()> {
    let of = |dims: &[usize], dtype| Tensor::zeros(dims, dtype, &Device::Cpu);
    let (x, w) = (of(&[3, 64], DType::F16)?, of(&[4, 32], DType::U8)?);
    let s = of(&[4, 1], DType::F16)?;
    let operation = Operation::new(&quantized::FUNCTION);
    let error = operation.apply(&[&x, &w, &s].map(Into::into)).expect_err("it has scales");
    let expected = "quantized: s: an operation reads no scales of tiles (`Tiled`)\n\
                    help: `QuantizedLinear` is a layer of such weights; write another operation by hand";
    assert!(error.to_string().starts_with(expected), "{error}");
    Ok(())
}
