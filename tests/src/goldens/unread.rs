//! Kernels whose launches read an operand, or do not, as a scalar says.

use super::prelude::*;

goldens! {
    /// A bias for each row and each column, which a scalar of the host turns on.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn switched_bias(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        rows: Vector<f16, M>,
        columns: Vector<f16, N>,
        scale: Scalar<f32>,
        with: i32,
    ) -> Mat<f16, M, N> {
        let z = matmul(a, b);
        if with > 0 { z * scale + rows + columns } else { z }
    }
}
