//! Kernels of warpgroups: one copies, the others multiply from shared memory.

use super::prelude::*;

goldens! {
    /// Two warpgroups of 64×256.
    #[gemm(derived, mma = wgmma)]
    pub fn wgmma(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// One warpgroup, whose columns are no power of two, and a ring of two stages.
    #[gemm(tile = [64, 40, 64], warpgroups = [1, 1], mma = wgmma, stages = 2)]
    pub fn wgmma_narrow(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Two boxes along K for each k-tile: two panels of B, and one of A with twice as many rows.
    #[gemm(tile = [64, 64, 128], mma = wgmma, stages = 3)]
    pub fn wgmma_deep(a: Mat<bf16, K, M>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
        matmul(a, b)
    }

    /// The weights of a ring are on their way before the rows have been written, and L2 gives them up first.
    #[gemm(
        tile = [64, 32, 64], mma = wgmma, stages = 3, pdl = [w],
        copy(a = tma(evict_last), b = tma(evict_first)),
    )]
    pub fn wgmma_pdl(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
        relu(matmul(x, w) + bias)
    }

    /// Each of two warpgroups has two atoms along M; both factors lie along their own dimension.
    #[gemm(tile = [256, 128, 64], warpgroups = [2, 1], mma = wgmma, stages = 4)]
    pub fn wgmma_km_kn(a: Mat<f16, K, M>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Three warpgroups, stores along M and an epilogue.
    #[gemm(tile = [192, 96, 64], warpgroups = [3, 1], mma = wgmma, stages = 3)]
    pub fn wgmma_gelu(
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
        bias: Vector<bf16, N>,
    ) -> Mat<bf16, N, M> {
        gelu(matmul(a, b) + bias)
    }

    /// Two warpgroups side by side, for which copies bring the residual ahead of time.
    #[gemm(tile = [64, 256, 64], warpgroups = [1, 2], mma = wgmma, stages = 3)]
    pub fn wgmma_residual(
        a: Mat<f16, M, K>,
        b: Mat<f16, K, N>,
        residual: Mat<f16, M, N>,
    ) -> Mat<f16, M, N> {
        relu(matmul(a, b)) + residual
    }

    /// Bytes of both signs, rows of 128 of them, and a number of columns that is legal for them.
    #[gemm(tile = [128, 80, 128], warpgroups = [2, 1], mma = wgmma, stages = 3)]
    pub fn wgmma_bytes(a: Mat<i8, M, K>, b: Mat<u8, N, K>) -> Mat<i32, M, N> {
        matmul(a, b)
    }

    /// Factors that are rounded on the way, stores along M.
    #[gemm(
        tile = [64, 96, 32], warpgroups = [1, 1], mma = wgmma, precision = tf32, stages = 4
    )]
    pub fn wgmma_singles(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, N, M> {
        matmul(a, b)
    }

    /// Blocks that walk over tiles. Two warpgroups share each tile.
    #[gemm(schedule = cooperative, mma = wgmma)]
    pub fn wgmma_cooperative(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Two warpgroups that take turns.
    #[gemm(schedule = pingpong, mma = wgmma)]
    pub fn wgmma_pingpong(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> Mat<f16, M, N> {
        silu(matmul(a, b) + bias)
    }

    /// The same, with a tile without a power of two in its extents, and stores along M.
    #[gemm(tile = [64, 104, 64], schedule = pingpong, mma = wgmma, stages = 3)]
    pub fn wgmma_pingpong_nm(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        scale: Vector<f32, M>,
    ) -> Mat<f16, N, M> {
        matmul(a, b) * scale
    }

    /// The same with a residual, which copies bring and results replace, in epilogue tiles that have columns in
    /// common.
    #[gemm(tile = [64, 112, 64], schedule = pingpong, mma = wgmma, stages = 3)]
    pub fn wgmma_pingpong_residual(
        a: Mat<bf16, M, K>,
        b: Mat<bf16, N, K>,
        bias: Vector<bf16, N>,
        residual: Mat<bf16, M, N>,
    ) -> Mat<bf16, M, N> {
        gelu_tanh(matmul(a, b) + bias) + residual
    }

    /// Blocks that walk over the tiles of all matrices, with a vector for each matrix.
    #[gemm(
        tile = [128, 64, 64], warpgroups = [2, 1], schedule = cooperative, mma = wgmma, stages = 3
    )]
    pub fn wgmma_batched(
        a: Batched<bf16, B, M, K>,
        b: Batched<bf16, B, N, K>,
        bias: Batched<bf16, B, N>,
    ) -> Batched<bf16, B, M, N> {
        relu(matmul(a, b) + bias)
    }

    /// Clusters of two tiles along M, which walk and copy the tile of B once.
    #[gemm(
        tile = [128, 128, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 3
    )]
    pub fn wgmma_cluster(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Of two along N, a tile a block, which copy panels of A once; L2 is to keep them.
    #[gemm(
        tile = [64, 64, 64], cluster = [1, 2], mma = wgmma, stages = 3, copy(a = tma(evict_last)),
    )]
    pub fn wgmma_cluster_n(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Clusters whose warpgroups multiply in turn.
    #[gemm(
        tile = [64, 96, 64], schedule = pingpong, cluster = [1, 2], mma = wgmma, stages = 3
    )]
    pub fn wgmma_cluster_pingpong(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> Mat<f16, M, N> {
        relu(matmul(a, b) + bias)
    }

    /// Clusters of eight blocks that walk: four along M copy 20 rows each of a tile of B, two along N half
    /// of one of A.
    #[gemm(
        tile = [64, 80, 64], schedule = cooperative, cluster = [4, 2], mma = wgmma, stages = 3
    )]
    pub fn wgmma_cluster_both(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Blocks that sum the k-tiles of every second tile backwards, in clusters, of weights that are on
    /// their way before the rows have been written.
    #[gemm(
        tile = [128, 64, 64], mma = m64n64k16, schedule = cooperative, k_order = serpentine,
        cluster = [2, 1], stages = 3, pdl = [w]
    )]
    pub fn wgmma_serpentine(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {
        matmul(x, w)
    }

    /// Clusters of two blocks that share the K of a tile; each stores half of its columns by
    /// copies.
    #[gemm(tile = [64, 128, 64], mma = wgmma, stages = 2, split_k = 2)]
    pub fn wgmma_split(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }
}
