//! K split among blocks that share a tile.

use super::prelude::*;

goldens! {
    /// A body that is applied once, to the whole sum.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, split_k = 3)]
    pub fn split_gelu(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f16, M, N> {
        gelu(matmul(a, b) + bias)
    }

    /// Every matrix in its less usual order, and a narrow raster; integers tell what is added twice.
    #[gemm(
        tile = [32, 64, 32],
        warps = [1, 2],
        mma = m16n8k16,
        stages = 2,
        raster = along_n(2),
        split_k = 4,
    )]
    pub fn split_integers_km_kn_nm(a: Mat<i8, K, M>, b: Mat<u8, K, N>) -> Mat<i32, N, M> {
        matmul(a, b)
    }

    /// The largest tile of four warps: a block moves 64 KiB of sums.
    #[gemm(split_k = 2)]
    pub fn split_derived(a: Mat<bf16, M, K>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Sums of halves, added up as halves; an odd number of atoms, of eight bytes each.
    #[gemm(tile = [48, 24, 32], warps = [1, 1], stages = 2, acc = f16, split_k = 2)]
    pub fn split_halves(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }
}
