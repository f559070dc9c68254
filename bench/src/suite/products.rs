//! Plain products, a · bᵀ, each shape by every kernel of its suite.

use anyhow::{Context as _, Result};
use cudarc::cublaslt::{CudaBlasLT, Matmul};
use gemm_runtime::KernelSource;
use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;
use indicatif::ProgressBar;

use crate::arena::Arena;
use crate::operands::{Sample, sets};
use crate::report::Row;

/// What a launch chooses among, by a name.
type Kernel<'k> = (&'static str, &'k Kernels<'static>);

/// Features of a layer, N and K: the projections of models of some 7, 70 and 100 billion weights.
const LAYERS: [[usize; 2]; 5] =
    [[4096, 4096], [14336, 4096], [4096, 14336], [28672, 8192], [8192, 28672]];

/// Everything derived.
#[gemm]
fn derived(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Chosen by shape.
#[gemm(auto)]
pub(super) fn auto(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Eight warps of 64×64, in shared memory that every default target has.
#[gemm(tile = [128, 256, 32], warps = [2, 4], stages = 4)]
fn wide(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// The same with twice the depth, for sm_80 and sm_90.
#[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 3, targets = [sm_80, sm_90])]
fn deep(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Many blocks for small products.
#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 4)]
fn small_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Everything derived.
#[gemm]
fn derived_bf16(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// Chosen by shape.
#[gemm(auto)]
fn auto_bf16(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// Everything derived: factors are rounded to tf32.
#[gemm]
fn derived_tf32(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Each square by each kernel.
pub(super) fn squares(arena: &Arena, sizes: &[usize]) -> Result<Vec<Row>> {
    let kernels: [Kernel; 4] = [
        ("auto", &auto::KERNELS),
        ("derived", &one(&derived::KERNEL)),
        ("wide", &one(&wide::KERNEL)),
        ("deep", &one(&deep::KERNEL)),
    ];
    all::<f16>(arena, sizes.iter().map(|size| [*size; 3]), &kernels)
}

/// Each layer for each number of tokens.
pub(super) fn llm(arena: &Arena, tokens: &[usize]) -> Result<Vec<Row>> {
    let kernels: [Kernel; 2] =
        [("derived", &one(&derived_bf16::KERNEL)), ("auto", &auto_bf16::KERNELS)];
    let shapes = tokens.iter().flat_map(|m| LAYERS.iter().map(|[n, k]| [*m, *n, *k]));
    all::<bf16>(arena, shapes, &kernels)
}

/// Products of 64 to 512 along each extent.
pub(super) fn small(arena: &Arena) -> Result<Vec<Row>> {
    const EXTENTS: [usize; 3] = [64, 256, 512];
    let kernels: [Kernel; 3] = [
        ("auto", &auto::KERNELS),
        ("derived", &one(&derived::KERNEL)),
        ("small", &one(&small_tile::KERNEL)),
    ];
    let shapes = EXTENTS
        .iter()
        .flat_map(|m| EXTENTS.iter().flat_map(move |n| EXTENTS.iter().map(move |k| [*m, *n, *k])));
    all::<f16>(arena, shapes, &kernels)
}

/// Squares of f32.
pub(super) fn tf32(arena: &Arena, sizes: &[usize]) -> Result<Vec<Row>> {
    let kernels: [Kernel; 1] = [("derived", &one(&derived_tf32::KERNEL))];
    all::<f32>(arena, sizes.iter().map(|size| [*size; 3]), &kernels)
}

/// No choice.
const fn one(kernel: &'static KernelSource) -> Kernels<'static> {
    Kernels::new(kernel, &[])
}

fn all<T: Sample>(
    arena: &Arena,
    shapes: impl Iterator<Item = [usize; 3]>,
    kernels: &[Kernel],
) -> Result<Vec<Row>>
where
    CudaBlasLT: Matmul<T>,
{
    let shapes: Vec<[usize; 3]> = shapes.collect();
    let progress = ProgressBar::new((shapes.len() * kernels.len()) as u64);
    let mut rows = Vec::new();
    for shape in shapes {
        let case = shape.map(|extent| extent.to_string()).join("×");
        let mut sets = sets::<T>(&arena.stream, shape)?;
        for (name, kernels) in kernels {
            let rounds = arena.duel(kernels, shape, false, &mut sets);
            let rounds = rounds.with_context(|| format!("{case} by {name}"))?;
            rows.push(Row::of_product(case.clone(), name, shape, &rounds));
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}
