//! Double precision.

use gemm_codegen::Axis;
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsMatrix as _, AsMatrixMut as _, AsVector as _, launch};

use super::Golden;

goldens! {
    /// Halves, whose product a body of f64 takes on: what is f32 stays so until it is cast.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn widened(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        gate: Mat<f32, N, M>,
        bias: Vector<f64, N>,
        alpha: f64,
    ) -> Mat<f64, M, N> {
        let limit: f64 = 3.0;
        let sum = (matmul(a, b) * 0.5) as f64;
        if gate > 0.25 { (alpha * sum).clamp(-limit, limit) } else { gelu(sum + bias) * 0.1 }
    }
}
