//! rustc says it once, and uses of the function compile.

use gemm_runtime::prelude::*;

#[gemm]
fn operator(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    relu(x @ w)
}

#[gemm]
fn default(x: Mat<f16, M, K>, w: Mat<f16, N, K>, eps: f32 = 1e-5) -> Mat<f16, M, N> {
    matmul(x, w) + eps
}

#[gemm]
mod layers {
    use super::*;

    #[gemm]
    pub fn inner(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        let z = matmul(x, w) z
    }
}

struct Layer;

#[gemm]
impl Layer {
    #[gemm]
    fn forward(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x w)
    }
}

fn main() {
    let _ = operator::SOURCE;
}
