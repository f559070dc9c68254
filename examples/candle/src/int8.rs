//! A quantised layer: factors of 8 bits, sums of 32, scaled to F16 in the same kernel.

use gemm_runtime::prelude::*;

/// y = (x · wᵀ) * scale, a factor per output feature
#[gemm]
pub fn int8_linear(x: Mat<i8, M, K>, w: Mat<i8, N, K>, scale: Vector<f32, N>) -> Mat<f16, M, N> {
    matmul(x, w) as f32 * scale
}

gemm_candle::custom_op! {
    /// `(x · wᵀ) * scale` of `x: [.., k]` and `w: [n, k]` in U8, which hold the bits of `i8`, and
    /// `scale: [n]` in F32; the result is F16.
    ///
    /// candle has no dtype of signed bytes, and no product of bytes.
    #[derive(Clone, Copy, Debug)]
    pub struct Int8Linear: CustomOp3 = int8_linear;
}
