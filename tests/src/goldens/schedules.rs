//! What the attribute can ask for: tiles, warps, atoms, copies, swizzles, rasters.

use super::prelude::*;

goldens! {
    /// The classic: 128×128×32, four warps, 16-byte copies past L1.
    #[gemm(
        tile = [128, 128, 32],
        warps = [2, 2],
        mma = m16n8k16,
        copy = cp_async(16, cg),
        swizzle = [2, 3, 3],
        stages = 4,
    )]
    pub fn classic(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The atom of half the depth.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k8, stages = 3)]
    pub fn atom_m16n8k8(a: Mat<bf16, M, K>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Eight warps on a tile for large problems; too large for the shared memory of sm_86.
    #[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 3, targets = [sm_80, sm_90])]
    pub fn big_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// One warp.
    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
    pub fn small_tile(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// No extent is a power of two.
    #[gemm(tile = [80, 96, 48], warps = [1, 3], stages = 3)]
    pub fn odd_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// Copies of 8 bytes through L1.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], copy = cp_async(8, ca), stages = 3)]
    pub fn copies_of_8_bytes(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Copies of 4 bytes for one side only.
    #[gemm(
        tile = [64, 64, 64],
        warps = [2, 2],
        copy(a = cp_async(4, ca), b = cp_async(16, cg)),
        stages = 3,
    )]
    pub fn copies_of_4_bytes(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// No swizzle: the eight rows of a matrix that is loaded begin in the same bank.
    #[gemm(
        tile = [64, 64, 64],
        warps = [2, 2],
        swizzle = [0, 3, 3],
        stages = 2,
        allow(bank_conflicts),
    )]
    pub fn conflicts_no_swizzle(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Copies, too, meet in a bank: rows of 48 elements cross the lines that the swizzle permutes.
    #[gemm(
        tile = [48, 32, 64],
        warps = [1, 4],
        swizzle(a = [2, 3, 4], b = [1, 3, 3]),
        stages = 2,
        allow(bank_conflicts),
    )]
    pub fn conflicts_weak_swizzle(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Strips of blocks along N.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], raster = along_n(4))]
    pub fn raster_along_n(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }
}
