//! The gate of a transformer's MLP in one launch, silu(x · gate) · (x · up), bf16. cuBLASLt multiplies and
//! stores the sums; a pass of the bench's own reads them and stores the output.

use gemm_runtime::prelude::*;

use super::products::{self, Products, Stored};
use super::runner::Named;
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, One, Tuned};
use crate::report::Row;

/// Features out of each projection, and in.
const OUT: &[usize] = &[14336; 2];
const IN: usize = 4096;

/// Chosen by shape.
#[gemm]
fn auto(x: Mat<bf16, M, K>, gate: Mat<bf16, N, K>, up: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

/// Chosen by shape; each starts before its predecessor has ended, and loads its weights, which are its own.
#[gemm(pdl = [gate, up])]
fn early(x: Mat<bf16, M, K>, gate: Mat<bf16, N, K>, up: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

/// Everything derived.
#[gemm(derived)]
fn derived(x: Mat<bf16, M, K>, gate: Mat<bf16, N, K>, up: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    silu(matmul(x, gate)) * matmul(x, up)
}

/// The layer for each number of tokens.
pub(super) fn run(arena: &Arena, tokens: &[usize]) -> Vec<Row> {
    let of = |m: &usize| Products { m: *m, columns: OUT, k: IN, stored: Stored::Gated };
    let kernels: [Named; 4] = [
        ("auto", Chosen(&auto::KERNELS)),
        ("with PDL", Chosen(&early::KERNELS)),
        ("tuned", Tuned(&auto::KERNELS)),
        ("derived", One(&derived::KERNEL)),
    ];
    products::run(arena, tokens.iter().map(of).collect(), &kernels)
}
