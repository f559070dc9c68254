//! A bias and GELU behind a product, in one kernel.

use anyhow::Result;
use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;
use indicatif::ProgressBar;

use crate::arena::Arena;
use crate::operands::sets;
use crate::report::Row;

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
pub(super) fn run(arena: &Arena, sizes: &[usize]) -> Result<Vec<Row>> {
    let progress = ProgressBar::new(2 * sizes.len() as u64);
    let mut rows = Vec::new();
    for &size in sizes {
        let (case, shape) = (format!("{size}³"), [size; 3]);
        let mut sets = sets::<f16>(&arena.stream, shape)?;
        for (name, kernel, with_bias) in
            [("plain", &plain::KERNEL, false), ("bias and GELU", &bias_gelu::KERNEL, true)]
        {
            let rounds = arena.duel(&Kernels::new(kernel, &[]), shape, with_bias, &mut sets)?;
            rows.push(Row::of_product(case.clone(), name, shape, &rounds));
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}
