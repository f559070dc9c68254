//! Terms that cannot be summed where the product is.

use gemm_runtime::prelude::*;

/// A term of its own index, in any order, among others, by any scalar.
#[gemm]
fn legal(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    alpha: f32,
    bias: Vector<f32, N>,
) -> Mat<f16, M, N> {
    relu(bias - alpha / 2.0 * matmul(t, b) + matmul(x, w))
}

/// The product, its term and the scale may have names.
#[gemm]
fn legal_by_names(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    alpha: f32,
) -> Mat<f16, M, N> {
    let scale = alpha / 16.0;
    let y = matmul(x, w);
    let delta = matmul(t, b);
    y + scale * delta
}

#[gemm]
fn scaled_by_a_vector(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
    s: Vector<f32, M>,
) -> Mat<f16, M, N> {
    matmul(x, w) + s * matmul(t, b)
}

#[gemm]
fn beside_a_further_product(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    v: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    (matmul(x, w) + matmul(t, b)) * matmul(x, v)
}

#[gemm]
fn of_other_elements(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<bf16, M, R>,
    b: Mat<bf16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm]
fn of_another_order(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, R, N>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm]
fn of_another_batch(
    x: Batched<f16, B, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Batched<f16, B, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm]
fn of_other_rows(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, P, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm]
fn of_no_index_in_common(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, S>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm]
fn of_scaled_weights(
    x: Mat<bf16, M, K>,
    w: Mat<i8, N, K>,
    s: Tiled<bf16, N, K, 1, 128>,
    t: Mat<bf16, M, R>,
    b: Mat<i8, N, R>,
) -> Mat<bf16, M, N> {
    matmul(x, w * s) + matmul(t, b)
}

#[gemm(precision = f16x3)]
fn of_planes(
    x: Mat<f32, M, K>,
    w: Mat<f32, N, K>,
    t: Mat<f32, M, R>,
    b: Mat<f32, N, R>,
) -> Mat<f32, M, N> {
    matmul(x, w) + matmul(t, b)
}

/// Warps promote the sums of each term, warpgroups do not.
#[gemm(tile = [64, 64, 64], warps = [2, 2], mma = m16n8k16, promote = 64)]
fn promoted_by_warps(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm(tile = [128, 128, 64], mma = wgmma, promote = 64)]
fn promoted_by_warpgroups(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

/// Sums in f16 take a term as it is.
#[gemm(acc = f16)]
fn in_halves(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm(acc = f16)]
fn scaled_in_halves(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + 0.5 * matmul(t, b)
}

/// The kernel waits for its predecessor before it reads anything.
#[gemm(targets = [sm_90], pdl = [])]
fn late(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

#[gemm(targets = [sm_90], pdl = [w])]
fn early(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    t: Mat<f16, M, R>,
    b: Mat<f16, N, R>,
) -> Mat<f16, M, N> {
    matmul(x, w) + matmul(t, b)
}

fn main() {}
