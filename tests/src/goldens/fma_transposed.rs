//! Products of f32 without tensor cores: tiles that their copies transpose, and such that keep rows.

use super::prelude::*;

goldens! {
    /// The derived tile with one side of each order: A is transposed, B is not.
    #[gemm(derived, mma = fma(8, 8))]
    pub fn fma_wide_nn(a: Mat<f32, M, K>, b: Mat<f32, K, N>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// The same to rows along M.
    #[gemm(derived, mma = fma(8, 8))]
    pub fn fma_wide_nm(a: Mat<f32, M, K>, b: Mat<f32, N, K>, bias: Vector<f32, N>) -> Mat<f32, N, M> {
        relu(matmul(a, b) + bias)
    }

    /// Wide copies, which keep rows along K: vectors of two along K.
    #[gemm(derived, mma = fma(8, 8), copy = cp_async(16, cg))]
    pub fn fma_rows(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
        matmul(a, b)
    }

    /// Rows of A and columns of B, in k-steps of two; warps and blocks that share K.
    #[gemm(
        tile = [32, 128, 16],
        warps = [1, 2, 2],
        mma = fma(8, 8),
        copy(a = cp_async(16, cg), b = cp_async(4, ca)),
        stages = 3,
        split_k = 2,
    )]
    pub fn fma_rows_and_columns(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f16, M, N> {
        matmul(a, b)
    }

    /// Runs of two rows and of one column, four copies of a row at a time, a batch with a policy.
    #[gemm(
        tile = [48, 80, 12],
        warps = [2, 2],
        mma = fma(6, 5),
        copy(a = cp_async(4, ca), b = cp_async(4, ca, evict_last)),
    )]
    pub fn fma_columns_odd(a: Batched<f32, B, M, K>, b: Mat<f32, N, K>) -> Batched<f32, B, M, N> {
        matmul(a, b)
    }
}
