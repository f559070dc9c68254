//! 8-bit integers, summed exactly.

use super::prelude::*;

goldens! {
    /// 8-bit integers, everything derived.
    #[gemm(derived)]
    pub fn integers(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// 8-bit integers of both kinds, every matrix in its less usual order.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn integers_km_kn_nm(a: Mat<u8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, N, M> {
        matmul(a, b)
    }

    /// The same orders of A and B with everything derived.
    #[gemm(derived)]
    pub fn integers_km_kn(a: Mat<i8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// Warps too narrow for chunks of 16 bytes along N, which are loaded one by one.
    #[gemm(tile = [64, 48, 64], warps = [2, 2], stages = 3, allow(bank_conflicts))]
    pub fn integers_narrow_warps(a: Mat<u8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// 8-bit weights of a layer whose activations are halves again.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn dequantized(
        a: Mat<i8, M, K>,
        b: Mat<u8, K, N>,
        scale: Vector<f32, N>,
        alpha: f32,
    ) -> Mat<f16, M, N> {
        matmul(a, b) as f32 * (0.001 * alpha * scale)
    }

    /// From 8 bits to 8 bits, through integers and floats.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k16, stages = 3)]
    pub fn requantized(
        a: Mat<u8, K, M>,
        b: Mat<i8, N, K>,
        bias: Vector<i32, N>,
        scale: Vector<f32, M>,
    ) -> Mat<i8, M, N> {
        (matmul(a, b) + bias) as f32 * scale * 0.002
    }

    /// Integers alone, no extent a power of two, copies of one side narrower.
    #[gemm(
        tile = [80, 96, 48],
        warps = [1, 3],
        copy(a = cp_async(8, ca), b = cp_async(16, cg)),
        stages = 3,
    )]
    pub fn quotients(
        a: Mat<u8, M, K>,
        b: Mat<u8, N, K>,
        offset: Mat<i8, N, M>,
        divisor: i32,
    ) -> Mat<u8, N, M> {
        matmul(a, b) / (1024 * divisor) - offset.max(-5)
    }
}
