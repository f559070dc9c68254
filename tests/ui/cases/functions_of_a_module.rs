//! Functions of a module that bodies call: each mistake is one error, however many kernels call the function.

use gemm_runtime::prelude::*;

const LIMIT: f32 = 2.0;

#[gemm]
mod mistaken {
    use super::*;

    fn recursive(z: f32, depth: i32) -> f32 {
        if depth > 0 { recursive(z * 0.5, depth - 1) } else { z }
    }

    fn even(i: i32) -> bool {
        i == 0 || odd(i - 1)
    }

    fn odd(i: i32) -> bool {
        i != 0 && even(i - 1)
    }

    fn out_of_scope(z: f32) -> f32 {
        (z + bias).min(LIMIT) * row() as f32 + matmul(x, w)
    }

    fn gelu(z: f32) -> f32 {
        z
    }

    fn typed(z: f32) -> i32 {
        z * 2.0
    }

    #[gemm]
    fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f16, M, N> {
        let z = recursive(out_of_scope(gelu(matmul(x, w)) + bias), 3);
        if even(typed(z)) { z } else { 0.0 }
    }

    #[gemm]
    fn two(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        out_of_scope(matmul(x, w))
    }
}

#[gemm]
mod unreadable {
    use super::*;

    fn looped(mut z: f32) -> f32 {
        for _ in 0..3 {
            z *= 0.5;
        }
        z
    }

    fn of_slices(z: f32, all: &[f32]) -> f32 {
        z + all[0]
    }

    async fn generic<T>(z: T) {}

    #[gemm]
    fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        looped(of_slices(matmul(x, w), 0.0)) + generic(1.0)
    }
}

#[gemm]
mod calls {
    use super::*;

    fn scaled(z: f32, by: f32) -> f32 {
        z * by
    }

    #[gemm]
    fn typed(x: Mat<f16, M, K>, w: Mat<f16, N, K>, by: i32) -> Mat<f16, M, N> {
        scaled(matmul(x, w), by)
    }

    #[gemm]
    fn counted(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        scaled(matmul(x, w))
    }

    #[gemm]
    fn misspelt(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        scald(matmul(x, w), 2.0)
    }

    #[gemm]
    pub(super) fn legal(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        scaled(matmul(x, w), 2.0)
    }
}

mod theirs {
    pub fn gelu(z: f32) -> f32 {
        z
    }
}

#[gemm]
mod hidden {
    use super::*;
    use super::theirs::gelu;

    fn halved(z: f32) -> f32 {
        0.5 * gelu(z)
    }

    #[gemm]
    pub(super) fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        halved(matmul(x, w))
    }
}

#[gemm(stages = 4)]
mod keys {
    fn plain() {}
}

fn main() {
    println!("{} {}", calls::legal::PLAN, hidden::one::PLAN);
}
