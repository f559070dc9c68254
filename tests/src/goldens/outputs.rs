//! Several outputs of one product.

use super::prelude::*;

goldens_of_several! {
    /// A linear layer that keeps what goes into its activation, as training needs it.
    #[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
    pub fn linear_both(
        x: Mat<f16, M, K>,
        w: Mat<f16, N, K>,
        bias: Vector<f16, N>,
    ) -> (0: Mat<f32, M, N>, 1: Mat<f16, M, N>) {
        let z = matmul(x, w) + bias;
        (z, gelu(z))
    }

    /// M contiguous in both, of elements of one and of four bytes: a thread stores four at a time.
    #[gemm(tile = [64, 96, 32], warps = [2, 2], stages = 3)]
    pub fn both_nm(
        a: Mat<bf16, K, M>,
        b: Mat<bf16, K, N>,
        scale: Vector<f32, M>,
        residual: Mat<bf16, M, N>,
    ) -> (0: Mat<i8, N, M>, 1: Mat<f32, N, M>) {
        let sum = matmul(a, b);
        (sum * scale * 8.0, silu(sum) + residual)
    }

    /// One matrix of each output for each of the batch.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn batched_both(
        x: Batched<f16, B, M, K>,
        w: Mat<f16, N, K>,
        bias: Batched<f32, B, N>,
    ) -> (0: Batched<bf16, B, M, N>, 1: Batched<f32, B, M, N>) {
        let z = matmul(x, w) + bias;
        (relu(z), z)
    }

    /// The block that adds up the sums stores all outputs.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, split_k = 3)]
    pub fn split_both(
        a: Mat<f16, M, K>,
        b: Mat<f16, K, N>,
        alpha: f32,
    ) -> (0: Mat<f32, M, N>, 1: Mat<f16, M, N>) {
        let z = alpha * matmul(a, b);
        (z, z * sigmoid(z))
    }

    /// Sums of integers as they are, as a float and as bytes: values of two types.
    #[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 3)]
    pub fn three(
        a: Mat<i8, M, K>,
        b: Mat<u8, N, K>,
        scale: Scalar<f32>,
        bias: Vector<i32, N>,
    ) -> (0: Mat<i32, M, N>, 1: Mat<f16, M, N>, 2: Mat<u8, M, N>) {
        let sum = matmul(a, b) + bias;
        (sum, sum as f32 * (scale * 0.001), sum / 256 + 100)
    }

    /// The most there are, of sums in f64 and without a tensor core's even rows.
    #[gemm(tile = [48, 40, 8], warps = [1, 1], stages = 3)]
    pub fn four(
        a: Mat<f64, M, K>,
        b: Mat<f64, N, K>,
        bias: Vector<f64, M>,
    ) -> (0: Mat<f64, M, N>, 1: Mat<f32, M, N>, 2: Mat<bf16, M, N>, 3: Mat<f64, M, N>) {
        let z = matmul(a, b) + bias;
        let y = z as f32;
        (z, y, if y > 0.0 { y } else { 0.0 }, -z)
    }
}
