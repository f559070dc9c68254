//! Outputs that are reduced over an index.

use super::prelude::*;

goldens_of_several! {
    /// A linear layer with what RMSNorm and a quantisation need of each row.
    #[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
    pub fn norms(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> (0: Mat<f16, M, N>, 1: Vector<f32, M>, 2: Vector<f32, M>) {
        let h = matmul(x, w) + bias;
        (h, sum(h * h), abs_max(h))
    }

    /// Rows and columns of a transposed output, of several products.
    #[gemm(tile = [64, 96, 32], warps = [2, 1], stages = 3)]
    pub fn reduced_products(
        x: Mat<f16, M, K>,
        gate: Mat<f16, N, K>,
        up: Mat<f16, N, K>,
    ) -> (0: Vector<f32, N>, 1: Mat<f16, M, N>, 2: Vector<f32, M>) {
        let h = silu(matmul(x, gate)) * matmul(x, up);
        (min(h), h, sum(h))
    }

    /// Of integers, alone; the block that adds up the sums of a tile reduces them.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3, split_k = 3)]
    pub fn reduced_integers(
        a: Mat<i8, M, K>,
        b: Mat<i8, N, K>,
        bias: Mat<i32, M, N>,
    ) -> (0: Vector<i32, M>, 1: Vector<i32, N>) {
        let sum_of_products = matmul(a, b) + bias;
        (sum(sum_of_products), max(sum_of_products))
    }

    /// Of a batch: rows of a matrix.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn batched_norms(
        x: Batched<bf16, B, M, K>,
        w: Mat<bf16, N, K>,
    ) -> (0: Batched<bf16, B, M, N>, 1: Batched<f32, B, M>) {
        let h = matmul(x, w);
        (h, sum(h * h))
    }

    /// The output with M contiguous, of lanes without tensor cores.
    #[gemm(mma = fma(4, 4), tile = [64, 64, 16], warps = [2, 1], stages = 3)]
    pub fn fma_norms(
        x: Mat<f32, M, K>,
        w: Mat<f32, N, K>,
        residual: Mat<f32, M, N>,
    ) -> (0: Mat<f32, N, M>, 1: Vector<f32, M>, 2: Vector<f32, N>) {
        let h = matmul(x, w) + residual;
        (h, sum(h), sum(h * h))
    }

    /// Each warpgroup reduces its part of a tile.
    #[gemm(tile = [128, 128, 64], mma = wgmma)]
    pub fn wgmma_norms(
        x: Mat<bf16, M, K>,
        w: Mat<bf16, N, K>,
    ) -> (0: Mat<bf16, M, N>, 1: Vector<f32, M>, 2: Vector<f32, N>) {
        let h = matmul(x, w);
        (h, sum(h * h), max(h))
    }

    /// One that walks over tiles, with M contiguous.
    #[gemm(tile = [64, 192, 64], mma = wgmma, schedule = pingpong, stages = 4)]
    pub fn wgmma_norms_nm(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        bias: Vector<f32, N>,
    ) -> (0: Vector<f32, M>, 1: Mat<f16, N, M>, 2: Vector<f32, N>) {
        let h = matmul(x, w) + bias;
        (abs_max(h), h, sum(h))
    }

    /// Blocks of a cluster share the K of a tile, and reduce a part of its columns each.
    #[gemm(tile = [64, 128, 64], mma = wgmma, split_k = 2)]
    pub fn wgmma_split_norms(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
    ) -> (0: Mat<f32, M, N>, 1: Vector<f32, M>) {
        let h = matmul(x, w);
        (h, sum(h))
    }

    /// Rows alone are reduced as results are staged. The last epilogue tile of an atom of 176 columns begins in
    /// the one before.
    #[gemm(tile = [128, 176, 64], warpgroups = [2, 1], mma = wgmma, schedule = cooperative, cluster = [2, 1])]
    pub fn wgmma_rows(
        x: Mat<bf16, M, K>,
        w: Mat<bf16, N, K>,
        bias: Vector<bf16, N>,
    ) -> (0: Vector<f32, M>, 1: Mat<bf16, M, N>, 2: Vector<f32, M>) {
        let h = matmul(x, w) + bias;
        (sum(h * h), h, max(h))
    }

    /// A warpgroup walks over every second tile, of two atoms, whose rows are those of a batch.
    #[gemm(tile = [128, 96, 64], mma = wgmma, schedule = pingpong)]
    pub fn wgmma_batched_rows(
        x: Batched<bf16, B, M, K>,
        w: Mat<bf16, N, K>,
    ) -> (0: Batched<bf16, B, M, N>, 1: Batched<f32, B, M>) {
        let h = matmul(x, w);
        (h, sum(h * h))
    }
}
