//! A bias and GELU behind a product, in one kernel, and the product without.

use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Kernel::One;
use crate::report::Row;
use crate::task::{Compute, Task};

/// cuBLASLt's GELU is the one by tanh.
#[gemm(tile = [128, 256, 32], warps = [2, 4], stages = 4)]
fn bias_gelu(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu_tanh(matmul(a, b) + bias)
}

/// The same without what is behind the product.
#[gemm(tile = [128, 256, 32], warps = [2, 4], stages = 4)]
fn plain(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Each square with and without an epilogue.
pub(super) fn run(arena: &Arena, sizes: &[usize]) -> Vec<Row> {
    let kernels: [(bool, Named); 2] = [
        (false, ("plain", One(&plain::KERNEL))),
        (true, ("bias and GELU", One(&bias_gelu::KERNEL))),
    ];
    let mut rows = Vec::new();
    for (bias_gelu, kernel) in kernels {
        let tasks =
            sizes.iter().map(|size| Task { bias_gelu, ..Task::plain([*size; 3], Compute::F32) });
        let lineup = Lineup { kernels: &[kernel], roof: None, floor: false };
        rows.extend(runner::all::<f16, f16>(arena, tasks, &lineup));
    }
    rows
}
