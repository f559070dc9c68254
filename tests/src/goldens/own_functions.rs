//! Functions of a module that bodies call.

use super::prelude;
use super::prelude::*;

goldens! {
    own {
        /// Below zero a tenth, and at most `limit`.
        fn bounded(z: f32, limit: f32) -> f32 {
            let z = if z < 0.0 { damped(z, 3) } else { z };
            z.min(limit)
        }

        fn damped(int: f32, steps: i32) -> f32 {
            int * (steps * 3 - 8) as f32 * 0.1
        }

        /// Of no kernel.
        pub fn unused(z: f32) -> f32 {
            damped(z, 1)
        }
    }

    /// A function that calls another one, twice in a body, next to one of the language.
    #[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3)]
    pub fn own_functions(
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        bias: Vector<f32, N>,
        limit: f32,
    ) -> Mat<f32, M, N> {
        bounded(matmul(a, b) + bias, limit) + bounded(silu(bias), 1.0)
    }
}
