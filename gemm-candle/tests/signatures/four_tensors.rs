//! candle has no operation of four tensors.

use gemm_runtime::prelude::*;

#[gemm]
fn layer(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    r: Mat<f16, M, N>,
) -> Mat<f16, M, N> {
    matmul(x, w) + bias + r
}

gemm_candle::custom_op! {
    struct Layer: CustomOp4 = layer;
}

fn main() {}
