//! The smallest tensor-core product: one warp, one `mma.sync.m16n8k16`. With factors of ones every
//! element of C(16×8) is 16.0, in row-major and in column-major order. Then the ownership map: which
//! lane of the warp holds which element of C.
//!
//! `cargo run --release --example hello_mma`

use anyhow::{Context, Result, ensure};
use gemm_runtime::prelude::*;
use gemm_runtime::{AtomMatrix, Fragment, Mma};

/// C(M×N, f32) = A(M×K, f16) · B(N×K, f16)ᵀ
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16)]
fn hello_mma(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The same with C column-major: M is contiguous.
#[gemm(tile = [16, 8, 16], warps = [1, 1], mma = m16n8k16)]
fn hello_mma_columns(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, N, M> {
    matmul(a, b)
}

fn main() -> Result<()> {
    let atom = Mma::M16n8k16;
    let [m, n, k] = atom.shape().map(|extent| extent as usize);
    let device = Device::auto()?;
    println!("device: {device}");

    let a = device.matrix(m, k, &vec![f16::ONE; m * k])?;
    let b = device.matrix(n, k, &vec![f16::ONE; n * k])?;
    check("row-major", &hello_mma(&device, &a, &b)?, [m, n])?;
    check("column-major", &hello_mma_columns(&device, &a, &b)?, [n, m])?;

    let c =
        Fragment::new(atom.shape(), AtomMatrix::C, 32).context("the accumulator has 32 bits")?;
    println!("\nownership map of C, lanes T00 to T31:\n{c}");
    Ok(())
}

/// Checks that each element is 16, the K of the atom.
fn check(order: &str, c: &Matrix<f32>, [rows, columns]: [usize; 2]) -> Result<()> {
    ensure!([c.rows(), c.columns()] == [rows, columns], "{c:?} has other extents");
    let elements = c.to_vec()?;
    let right = elements.iter().filter(|element| **element == 16.0).count();
    println!("{order:<12} {rows}x{columns}: {right} of {} elements are 16.0", elements.len());
    ensure!(right == rows * columns, "the product of ones is wrong");
    Ok(())
}
