//! 8-bit floats, summed in f32, with the scales that they are used with.

use super::prelude::*;

goldens! {
    /// 8-bit floats, everything derived; also the targets, which are those that have them.
    #[gemm(derived)]
    pub fn float8(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// Both kinds, every matrix in its less usual order.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn float8_km_kn_nm(a: Mat<e5m2, K, M>, b: Mat<e4m3, K, N>) -> Mat<e5m2, N, M> {
        matmul(a, b)
    }

    /// The same orders of A and B with everything derived.
    #[gemm(derived)]
    pub fn float8_km_kn(a: Mat<e4m3, K, M>, b: Mat<e4m3, K, N>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// A scale for each operand as a whole, from and to 8 bits.
    #[gemm(tile = [64, 128, 64], warps = [2, 2], stages = 3)]
    pub fn float8_scaled(
        a: Mat<e4m3, M, K>,
        b: Mat<e5m2, N, K>,
        bias: Vector<bf16, N>,
        scale_a: f32,
        scale_b: f32,
        scale_out: f32,
    ) -> Mat<e4m3, M, N> {
        relu(scale_a * scale_b * matmul(a, b) + bias) / scale_out
    }

    /// A scale for each row of A and for each column of B.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn float8_scaled_by_row_and_column(
        a: Mat<e4m3, M, K>,
        b: Mat<e4m3, K, N>,
        scale_a: Vector<f32, M>,
        scale_b: Vector<f32, N>,
    ) -> Mat<f16, M, N> {
        scale_a * scale_b * matmul(a, b)
    }

    /// 8-bit floats around the product of halves.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, targets = [sm_89, sm_90])]
    pub fn float8_values(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        bias: Vector<e5m2, M>,
        residual: Mat<e4m3, N, M>,
    ) -> Mat<e4m3, M, N> {
        gelu(matmul(a, b) + bias) + residual
    }
}
