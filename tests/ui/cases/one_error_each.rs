//! Mistakes that were reported twice, or whose help was of another one.

use gemm_runtime::prelude::*;

/// The scales of a factor, bound apart from the product.
#[gemm]
fn bound(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Tiled<f16, N, K, 1, 64>) -> Mat<f16, M, N> {
    let d = w * s;
    matmul(x, d)
}

/// One of two products, by the name of another library.
#[gemm]
fn gate(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(mat_mul(x, gate)) * matmul(x, up)
}

/// A literal beside a value whose type is wrong.
#[gemm]
fn mean(x: Mat<f16, M, K>, w: Mat<f16, N, K>, squares: Vector<f32, M>, n: i32) -> Mat<f16, M, N> {
    matmul(x, w) / (squares / n + 1e-6).sqrt()
}

/// A list of elements without a type parameter.
#[gemm(T = [f16, bf16])]
fn listed(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

/// Scales of a factor of f32, which lanes multiply.
#[gemm]
fn scaled(x: Mat<f32, M, K>, w: Mat<f32, N, K>, s: Tiled<f32, N, K, 1, 64>) -> Mat<f32, M, N> {
    matmul(x, w * s)
}

#[gemm]
mod own {
    use gemm_runtime::prelude::*;

    /// A value that is returned early.
    fn relu(x: f32) -> f32 {
        if x > 0.0 {
            return x;
        }
        0.0
    }

    #[gemm]
    fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        relu(matmul(x, w))
    }
}

fn main() {}
