//! All of a body is read before anything is said.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    let y = match x { _ => matmul(x, w) };
    let z = f32::max(y[0], y?) as i64;
    for i in 0..3 {}
    return z;
}

fn main() {}
