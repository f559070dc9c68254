//! Layers of language models: few tokens by many features.

use clap::{Args, ValueEnum};
use gemm_runtime::prelude::*;

use super::runner::{self, Lineup};
use super::squares::{brains, halves};
use crate::arena::{Arena, Selection};
use crate::report::Row;
use crate::task::{Compute, Task};

/// Features of a layer, out and in: the projections of models of some 7, 70 and 100 billion
/// weights.
const LAYERS: [[usize; 2]; 5] =
    [[4096, 4096], [14336, 4096], [4096, 14336], [28672, 8192], [8192, 28672]];

/// Which layers of few tokens.
#[derive(Args)]
pub(crate) struct Skinny {
    /// Tokens.
    #[arg(long, value_delimiter = ',', default_value = "1,8,16,32,64")]
    tokens: Vec<usize>,
    /// Which extent the tokens are.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "m,n")]
    sides: Vec<Side>,
    /// Elements of all matrices.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "f16,bf16")]
    dtype: Vec<Half>,
}

/// The extent that tokens are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    M,
    N,
}

/// An element of two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Half {
    F16,
    Bf16,
}

/// Chosen by shape; each starts before its predecessor has ended, and loads its weights, which
/// are its own.
#[gemm(pdl = [b], targets = [sm_90])]
pub(super) fn chained(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// Each row of the result has the same bits for any number of tokens.
#[gemm(invariant)]
pub(super) fn unvarying(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(a, b)
}

/// Each layer for each number of tokens, bf16: the choice among all schedules and among those of one order.
pub(super) fn invariant(arena: &Arena, tokens: &[usize]) -> Vec<Row> {
    let [(_, free), (_, tuned), ..] = brains::kernels();
    let kernels = [
        ("free", free),
        ("invariant", Selection::Chosen(&unvarying::KERNELS)),
        ("free, tuned", tuned),
        ("invariant, tuned", Selection::Tuned(&unvarying::KERNELS)),
    ];
    let lineup = Lineup { kernels: &kernels, roof: None, floor: false };
    runner::all::<bf16, bf16>(arena, tasks(tokens, Side::M), &lineup)
}

/// Each layer for each number of tokens, bf16.
pub(super) fn llm(arena: &Arena, tokens: &[usize]) -> Vec<Row> {
    let [auto, tuned, derived, ..] = brains::kernels();
    let kernels = [auto, tuned, derived, ("chained", Selection::Chosen(&chained::KERNELS))];
    let lineup = Lineup { kernels: &kernels, roof: None, floor: false };
    runner::all::<bf16, bf16>(arena, tasks(tokens, Side::M), &lineup)
}

/// The same, compared with a kernel that only reads the weights.
pub(super) fn skinny(arena: &Arena, skinny: &Skinny) -> Vec<Row> {
    let Skinny { tokens, sides, dtype } = skinny;
    let mut rows = Vec::new();
    for dtype in dtype {
        for side in sides {
            let tasks = tasks(tokens, *side);
            let lineup = |kernels| Lineup { kernels, roof: None, floor: true };
            rows.extend(match dtype {
                Half::F16 => {
                    let [(_, auto), (_, tuned), ..] = halves::kernels();
                    let kernels = [("auto f16", auto), ("tuned f16", tuned)];
                    runner::all::<f16, f16>(arena, tasks, &lineup(&kernels))
                }
                Half::Bf16 => {
                    let [(_, auto), (_, tuned), ..] = brains::kernels();
                    let kernels = [("auto bf16", auto), ("tuned bf16", tuned)];
                    runner::all::<bf16, bf16>(arena, tasks, &lineup(&kernels))
                }
            });
        }
    }
    rows
}

/// Every layer for every number of tokens.
pub(super) fn tasks(tokens: &[usize], side: Side) -> impl Iterator<Item = Task> {
    let products = tokens.iter().flat_map(|tokens| LAYERS.map(|layer| (*tokens, layer)));
    products.map(move |(tokens, [features, k])| {
        let shape = match side {
            Side::M => [tokens, features, k],
            Side::N => [features, tokens, k],
        };
        Task::plain(shape, Compute::F32)
    })
}
