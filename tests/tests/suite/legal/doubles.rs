//! Doubles as elements, as scalars and in bodies, mixed with singles and integers.
#![deny(warnings)]

use gemm_runtime::prelude::*;

#[gemm]
fn plain(a: Mat<f64, M, K>, b: Mat<f64, K, N>) -> Mat<f64, N, M> {
    matmul(a, b)
}

/// Without tensor cores, on what has none for doubles.
#[gemm(mma = fma(4, 8), targets = [sm_75])]
fn lanes(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N> {
    matmul(a, b)
}

/// The deepest atom, several blocks a tile.
#[gemm(tile = [64, 64, 16], mma = m16n8k16, split_k = 2)]
pub fn deep(a: Mat<f64, K, M>, b: Mat<f64, N, K>, bias: Scalar<f64>) -> Mat<f64, M, N> {
    matmul(a, b) + bias
}

/// Literals and functions of both widths, `as` both ways.
#[gemm]
fn narrowed(
    a: Mat<f64, M, K>,
    b: Mat<f64, N, K>,
    scale: Vector<f32, N>,
    alpha: f64,
    mode: i32,
) -> Mat<f32, M, N> {
    let limit: f64 = 6.0;
    let sum = (alpha * matmul(a, b)).clamp(-limit, limit) + mode as f64;
    gelu(sum) as f32 * scale
}

#[gemm]
fn in_place(c: &mut Batched<f64, B, M, N>, a: Batched<f64, B, M, K>, b: Mat<f64, N, K>, beta: f64) {
    *c = matmul(a, b) + beta * *c
}

pub(super) fn check() {
    let shape = Shape { m: 1, n: 2, k: 1 };
    let (a, b) = ([3.0f64], [1.0, 1.0 + f64::EPSILON]);
    assert_eq!(plain::reference(shape, &a, &b).unwrap(), [3.0, 3.0 * b[1]]);
    assert_eq!(lanes::reference(shape, &a, &b).unwrap(), [3.0, 3.0 * b[1]]);
    assert_eq!(deep::reference(shape, &a, &b, 1.0).unwrap(), [4.0, 3.0 * b[1] + 1.0]);
    assert_eq!(narrowed::reference(shape, &a, &b, &[1.0, 2.0], 9.0, 3).unwrap(), [9.0, 18.0]);
    let old = [1.0, 2.0];
    assert_eq!(in_place::reference(1, shape, &old, &a, &[1.0, 2.0], 0.5).unwrap(), [3.5, 7.0]);
    let uses = |device: &Device, a: &Matrix<f64>, scale: &DeviceVector<f32>| {
        let mut product: Matrix<f64> = plain(device, a, a)?;
        lanes::into(device, a, a, &mut product)?;
        let singles: Matrix<f32> = narrowed(device, a, a, scale, 0.5, 1)?;
        Ok::<_, Error>(singles)
    };
    let _ = (uses, deep::PLAN);
}
