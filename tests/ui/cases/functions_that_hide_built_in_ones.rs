//! A body calls the built-in function of a name, or the name is ambiguous: in the module, by an import
//! or in a block.

use gemm_runtime::prelude::*;

mod own {
    pub fn silu(x: f32) -> f32 {
        x
    }
}

fn gelu(x: f32) -> f32 {
    x
}

#[gemm]
fn of_the_module(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    gelu(matmul(x, w))
}

/// Of the same type as the built-in function.
fn mish<T: gemm_runtime::Real>(x: T) -> T {
    relu(x)
}

#[gemm(T = [f16, bf16])]
fn of_the_same_type<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    mish(matmul(x, w))
}

mod importing {
    use crate::own::silu;
    use gemm_runtime::prelude::*;

    #[gemm]
    pub fn imported(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        silu(matmul(x, w))
    }
}

fn blocks() {
    fn relu(x: f32) -> f32 {
        x
    }
    let elu = |x: f32| x;
    use own::silu;

    #[gemm]
    fn of_a_block(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        relu(silu(matmul(x, w)))
    }

    #[gemm]
    fn of_a_variable(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        elu(matmul(x, w), 1.0)
    }

    println!("{}", elu(relu(silu(1.0))));
}

/// These are the built-in ones.
mod same {
    use gemm_runtime::body::gelu;
    use gemm_runtime::prelude::{Mat, f16, gemm};

    fn matmul(x: f32, y: f32) -> f32 {
        x * y
    }

    #[gemm]
    pub fn hardswish(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        mish(hardswish(gelu(matmul(x, w))))
    }

    pub fn product() -> f32 {
        gelu(matmul(1.0, 2.0))
    }
}

#[gemm]
fn inside(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    fn gelu(x: f32) -> f32 {
        x
    }
    let silu = |x: f32| x;
    gelu(silu(matmul(x, w)))
}

fn main() {
    blocks();
    println!("{} {} {}", gelu(1.0), mish(1.0), same::product());
}
