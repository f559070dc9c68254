//! K of the last wave's tiles split among blocks.

use super::prelude::*;

goldens! {
    /// Some tiles have a block each, others up to four.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, split_k = tail(4))]
    pub fn split_tail(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f16, M, N> {
        relu(matmul(a, b) + bias)
    }

    /// The same by tensor copies, whose blocks begin at any tile of K.
    #[gemm(
        tile = [64, 128, 64],
        warps = [2, 2],
        stages = 3,
        copy = tma,
        raster = along_n(3),
        split_k = tail(3),
    )]
    pub fn split_tail_tensors(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Integers, which tell what is added twice; every matrix in its less usual order.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], mma = m16n8k32, stages = 3, split_k = tail(2))]
    pub fn split_tail_integers_km_kn_nm(a: Mat<i8, K, M>, b: Mat<u8, K, N>) -> Mat<i32, N, M> {
        matmul(a, b)
    }
}
