//! Warps that share the K of each tile: what few rows need, whose blocks would have too few warps
//! to keep memory busy.

use super::prelude::*;

goldens! {
    /// Few rows and long sums, as when a language model decodes: eight warps, one k-step each.
    #[gemm(tile = [16, 64, 128], warps = [1, 1, 8], stages = 4)]
    pub fn along_k_gelu(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f32, N>) -> Mat<f16, M, N> {
        gelu(matmul(a, b) + bias)
    }

    /// Warps along all three, every matrix in its less usual order; three k-steps each.
    #[gemm(tile = [64, 64, 96], warps = [2, 2, 2], stages = 2)]
    pub fn along_k_km_kn_nm(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// The sum of a tile is split among warps and among blocks.
    #[gemm(tile = [16, 64, 256], warps = [1, 2, 4], stages = 2, split_k = 3)]
    pub fn along_k_split(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// Register tiles, copied through registers; halves of a sum of halves.
    #[gemm(tile = [64, 64, 24], warps = [2, 1, 2], mma = fma(8, 4), copy = ld_global(16))]
    pub fn along_k_fma(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }
}
