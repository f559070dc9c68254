//! A `#[gemm]` function is a free function: its module cannot stand in an `impl`.

use gemm_runtime::prelude::*;

struct Layer;

impl Layer {
    #[gemm]
    fn forward(&self, x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }

    #[gemm]
    fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(x, w)
    }
}

fn main() {
    let _ = Layer;
}
