//! The golden kernels that write into a parameter.
//!
//! Their output has old elements, which the judgement knows. What a kernel does twice to an element,
//! or reads after it was written, shows in the numbers.

use super::prelude::*;

goldens_in_place! {
    /// The product of BLAS: `c = alpha · a · bᵀ + beta · c`.
    #[gemm(tile = [64, 128, 32], warps = [2, 2], stages = 3)]
    pub fn axpby(
        c: &mut Mat<f32, M, N>,
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        alpha: f32,
        beta: f32,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }

    /// The same in double precision, M contiguous.
    #[gemm(tile = [64, 32, 8], warps = [2, 1], stages = 4)]
    pub fn axpby_doubles(
        c: &mut Mat<f64, N, M>,
        a: Mat<f64, K, M>,
        b: Mat<f64, N, K>,
        alpha: f64,
        beta: f64,
    ) {
        *c = alpha * matmul(a, b) + beta * *c;
    }

    /// A sum that grows, in 16 bits and with M contiguous, beside a vector.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn accumulate_nm(
        c: &mut Mat<bf16, N, M>,
        a: Mat<bf16, K, M>,
        b: Mat<bf16, K, N>,
        scale: Vector<f32, M>,
    ) {
        let scaled = scale * matmul(a, b);
        *c += scaled.max(-*c);
    }

    /// Integers, added up without rounding.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn accumulate_integers(
        c: &mut Mat<i32, M, N>,
        a: Mat<u8, M, K>,
        b: Mat<i8, N, K>,
    ) {
        *c += matmul(a, b);
    }
}
