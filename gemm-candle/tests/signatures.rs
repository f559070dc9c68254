//! What rustc says of an operation whose signature is not that of its `#[gemm]` function.
//!
//! `TRYBUILD=overwrite cargo test -p gemm-candle --test signatures -- --ignored` blesses the texts. That
//! one is refused is a test of the gate, too: in the documentation of `custom_op!`.

use candle_core::{DType, Device, Result, Tensor};
use gemm_runtime::prelude::{Mat, f16, gemm};

#[test]
#[ignore = "builds candle once more, for a minute and a half: cargo xtask test --long"]
fn another_signature_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/signatures/*.rs");
}

const SCALE: f32 = 2.0;

/// y = (x · wᵀ) * 2, whose constant is not an operand
#[gemm(T = [f32, f16])]
fn doubled<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w) * SCALE
}

gemm_candle::custom_op! {
    struct Doubled;

    fn doubled(x: Mat<f32, T, D>, w: Mat<f32, H, D>) -> Mat<f32, T, H>;
}

#[test]
fn an_equal_signature_compiles_with_other_names_of_indices() -> Result<()> {
    let x = Tensor::ones((3, 4), DType::F32, &Device::Cpu)?;
    let y = x.apply_op2_no_bwd(&x, &Doubled)?;
    assert_eq!(y.flatten_all()?.to_vec1::<f32>()?, [8.0; 9]);
    Ok(())
}
