//! Integers that are converted to the floats by which they are multiplied.

use super::prelude::*;

goldens! {
    /// Weights of 4 bits for few tokens: warps along K, and many bytes in flight.
    #[gemm(tile = [16, 32, 128], warps = [1, 1, 2], stages = 5)]
    pub fn converted_pairs(
        x: Mat<bf16, M, K>,
        w: Mat<i4x2, N, K>,
        s: Vector<bf16, N>,
    ) -> Mat<bf16, M, N> {
        matmul(x, w) * s
    }

    /// Weights of 8 bits, everything derived.
    #[gemm(derived)]
    pub fn converted_bytes(x: Mat<f16, M, K>, w: Mat<i8, N, K>, s: Vector<f32, N>) -> Mat<f16, M, N> {
        matmul(x, w) * s
    }

    /// The first factor, by way of registers and the smaller atom; K is shared by blocks.
    #[gemm(tile = [64, 32, 64], warps = [2, 2], mma = m16n8k8, copy = ld_global(8), stages = 2, split_k = 2)]
    pub fn converted_first(w: Mat<u4x2, M, K>, x: Mat<f16, N, K>) -> Mat<f32, N, M> {
        matmul(w, x)
    }

    /// Unsigned bytes as bf16.
    #[gemm(tile = [64, 64, 64], warps = [2, 2])]
    pub fn converted_unsigned(x: Mat<bf16, M, K>, w: Mat<u8, N, K>) -> Mat<f32, M, N> {
        matmul(x, w)
    }

    /// Weights of 4 bits by a warpgroup, in whole rows of a box: K of a quarter of such a row is left over.
    #[gemm(tile = [64, 32, 256], mma = wgmma, copy = tma, stages = 4)]
    pub fn converted_wgmma_pairs(
        w: Mat<i4x2, M, K>,
        x: Mat<bf16, N, K>,
        s: Vector<bf16, M>,
    ) -> Mat<bf16, N, M> {
        matmul(w, x) * s
    }

    /// Unsigned bytes by two warpgroups, beside tokens whose rows run along N.
    #[gemm(tile = [128, 64, 64], warpgroups = [2, 1], mma = wgmma, copy = tma, stages = 4)]
    pub fn converted_wgmma_bytes(w: Mat<u8, M, K>, x: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(w, x)
    }

    /// Warpgroups in turn, each with two instructions along M.
    #[gemm(tile = [128, 48, 64], mma = wgmma, copy = tma, schedule = pingpong, stages = 4)]
    pub fn converted_wgmma_pingpong(w: Mat<i8, M, K>, x: Mat<bf16, N, K>) -> Mat<f32, N, M> {
        matmul(w, x)
    }

    /// Warpgroups in turn, to whose stages warps copy scales: fewer bytes than a stage is aligned to.
    #[gemm(tile = [64, 32, 64], mma = wgmma, copy = tma, schedule = pingpong, stages = 4)]
    pub fn converted_wgmma_blocks(
        w: Mat<i4x2, M, K>,
        s: Tiled<f32, M, K, 1, 32>,
        x: Mat<f16, N, K>,
    ) -> Mat<f32, N, M> {
        matmul(w * s, x)
    }

    /// Blocks of a cluster, which walk over tiles and copy once what several of them convert.
    #[gemm(tile = [64, 16, 64], mma = wgmma, copy = tma, schedule = cooperative, cluster = [1, 2], stages = 5)]
    pub fn converted_wgmma_cluster(w: Mat<u4x2, M, K>, x: Mat<f16, N, K>) -> Mat<f32, N, M> {
        matmul(w, x)
    }
}
