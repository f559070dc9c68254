//! Several products whose outputs differ in their columns: their tiles follow each other.

use super::prelude::*;

goldens_of_several! {
    /// The projections of grouped-query attention, each with its bias.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k16, copy = cp_async(16, cg))]
    pub fn in_turn(
        x: Mat<f16, M, K>,
        q: Mat<f16, N, K>,
        k: Mat<f16, N1, K>,
        v: Mat<f16, N1, K>,
        bias_q: Vector<f32, N>,
        bias_k: Vector<f32, N1>,
        bias_v: Vector<f32, N1>,
        scale: f32,
        one: f32,
    ) -> (0: Mat<f16, M, N>, 1: Mat<f16, M, N1>, 2: Mat<f16, M, N1>) {
        (
            scale * (matmul(x, q) + bias_q),
            one * (matmul(x, k) + bias_k),
            one * (matmul(x, v) + bias_v),
        )
    }

    /// Four widths by lanes, with a matrix that each product adds, and stored to rows along M.
    #[gemm(tile = [32, 64, 16], warps = [1, 2], mma = fma(4, 4), copy = ld_global(4))]
    pub fn fma_in_turn(
        x: Mat<f32, M, K>,
        a: Mat<f32, K, N>,
        b: Mat<f32, K, N1>,
        c: Mat<f32, K, N2>,
        d: Mat<f32, K, N3>,
        of_a: Mat<f32, M, N>,
        of_b: Mat<f32, M, N1>,
        of_c: Mat<f32, M, N2>,
        of_d: Mat<f32, M, N3>,
    ) -> (
        0: Mat<f32, M, N>,
        1: Mat<f32, M, N1>,
        2: Mat<f32, M, N2>,
        3: Mat<f32, M, N3>,
    ) {
        (matmul(x, a) + of_a, matmul(x, b) + of_b, matmul(x, c) + of_c, matmul(x, d) + of_d)
    }

    /// The K of each tile shared by blocks.
    #[gemm(tile = [32, 64, 32], warps = [1, 2], mma = m16n8k16, split_k = 3)]
    pub fn split_in_turn(
        x: Mat<bf16, M, K>,
        q: Mat<bf16, N, K>,
        k: Mat<bf16, N1, K>,
        bias_q: Vector<f32, N>,
        bias_k: Vector<f32, N1>,
    ) -> (0: Mat<bf16, M, N>, 1: Mat<bf16, M, N1>) {
        (relu(matmul(x, q) + bias_q), relu(matmul(x, k) + bias_k))
    }

    /// By tensor copies of warps.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], mma = m16n8k16, copy = tma)]
    pub fn tensor_in_turn(
        x: Mat<f16, M, K>,
        q: Mat<f16, N, K>,
        k: Mat<f16, N1, K>,
        of_q: Vector<f32, N>,
        of_k: Vector<f32, N1>,
    ) -> (0: Mat<f32, M, N>, 1: Mat<f32, M, N1>) {
        (of_q * matmul(x, q), of_k * matmul(x, k))
    }

    /// By warpgroups, for one tile.
    #[gemm(tile = [128, 64, 64], warpgroups = [2, 1], mma = wgmma)]
    pub fn wgmma_in_turn(
        x: Mat<bf16, M, K>,
        q: Mat<bf16, N, K>,
        k: Mat<bf16, N1, K>,
        v: Mat<bf16, N1, K>,
        bias_q: Vector<bf16, N>,
        bias_k: Vector<bf16, N1>,
        bias_v: Vector<bf16, N1>,
    ) -> (0: Mat<bf16, M, N>, 1: Mat<bf16, M, N1>, 2: Mat<bf16, M, N1>) {
        (matmul(x, q) + bias_q, matmul(x, k) + bias_k, matmul(x, v) + bias_v)
    }

    /// By warpgroups that walk over the tiles of all products in clusters.
    #[gemm(
        tile = [128, 128, 64], warpgroups = [2, 1], mma = wgmma, schedule = cooperative, cluster = [2, 1],
        raster = along_m(8)
    )]
    pub fn wgmma_in_turn_cooperative(
        x: Mat<bf16, M, K>,
        q: Mat<bf16, N, K>,
        k: Mat<bf16, N1, K>,
        bias_q: Vector<f32, N>,
        bias_k: Vector<f32, N1>,
    ) -> (0: Mat<bf16, M, N>, 1: Mat<bf16, M, N1>) {
        (matmul(x, q) + bias_q, matmul(x, k) + bias_k)
    }

    /// Two tiles in hand at a time, of matrices that the body reads too.
    #[gemm(tile = [64, 128, 64], mma = wgmma, schedule = pingpong, cluster = [1, 2])]
    pub fn wgmma_in_turn_pingpong(
        x: Mat<f16, M, K>,
        q: Mat<f16, K, N>,
        k: Mat<f16, K, N2>,
        of_q: Mat<f16, M, N>,
        of_k: Mat<f16, M, N2>,
    ) -> (0: Mat<f16, M, N>, 1: Mat<f16, M, N2>) {
        (matmul(x, q) + of_q, matmul(x, k) + of_k)
    }

    /// Of a batch.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], mma = m16n8k16)]
    pub fn batched_in_turn(
        x: Batched<f16, B, M, K>,
        q: Batched<f16, B, N, K>,
        k: Batched<f16, B, N1, K>,
        bias_q: Vector<f32, N>,
        bias_k: Vector<f32, N1>,
    ) -> (0: Batched<f16, B, M, N>, 1: Batched<f16, B, M, N1>) {
        (matmul(x, q) + bias_q, matmul(x, k) + bias_k)
    }
}
