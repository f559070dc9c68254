//! A product with a fused epilogue of a bias, GELU and a residual, and the product alone.

use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::Chosen;
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Epilogue, Task};

/// The product alone.
#[gemm]
fn plain(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// cuBLASLt's GELU is the one by tanh.
#[gemm]
fn bias_gelu(a: Mat<f16, M, K>, b: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu_tanh(matmul(a, b) + bias)
}

/// cuBLASLt needs a pass over the output for the residual.
#[gemm]
fn bias_gelu_residual(
    a: Mat<f16, M, K>,
    b: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    residual: Mat<f16, M, N>,
) -> Mat<f16, M, N> {
    gelu_tanh(matmul(a, b) + bias) + residual
}

/// Each square with and without an epilogue.
pub(super) fn run(arena: &Arena, sizes: &[usize]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (epilogue, kernel) in kernels() {
        let tasks =
            sizes.iter().map(|size| Task { epilogue, ..Task::plain([*size; 3], Compute::F32) });
        let lineup = Lineup { kernels: &[kernel], roof: Some(Unit::F16), floor: false };
        rows.extend(runner::all::<f16, f16>(arena, tasks, &lineup));
    }
    rows
}

/// The epilogues, the longest last.
pub(super) fn kernels() -> [(Epilogue, Named); 3] {
    [
        (Epilogue::Nothing, ("plain", Chosen(&plain::KERNELS))),
        (Epilogue::BiasGelu, ("bias + GELU", Chosen(&bias_gelu::KERNELS))),
        (
            Epilogue::BiasGeluResidual,
            ("bias + GELU + residual", Chosen(&bias_gelu_residual::KERNELS)),
        ),
    ]
}
