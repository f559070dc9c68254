//! An integer where a float is needed, and a condition that is a number.

use gemm_runtime::prelude::*;

#[gemm]
fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>, count: i32) -> Mat<f16, M, N> {
    if count { matmul(x, w) * 2 } else { 0.0 + count }
}

fn main() {}
