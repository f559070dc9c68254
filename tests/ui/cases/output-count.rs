//! More outputs than a kernel has.

use gemm_runtime::prelude::*;

#[gemm]
fn five(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
) -> (Mat<f32, M, N>, Mat<f16, M, N>, Mat<f16, M, N>, Mat<f16, M, N>, Mat<bf16, M, N>) {
    let z = matmul(x, w);
    (z, -z, relu(z), gelu(z), silu(z))
}

fn main() {}
