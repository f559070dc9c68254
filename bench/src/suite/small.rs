//! Products of 64 to 512 along each extent, f16.

use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use super::squares::halves;
use crate::arena::Arena;
use crate::arena::Selection::One;
use crate::report::Row;
use crate::task::{Compute, Task};

const EXTENTS: [usize; 3] = [64, 256, 512];

/// Many blocks for small products.
#[gemm(tile = [64, 64, 64], warps = [2, 2], stages = 4)]
fn small_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Each shape by each kernel.
pub(super) fn run(arena: &Arena) -> Vec<Row> {
    let [auto, _, derived, ..] = halves::kernels();
    let kernels: [Named; 3] = [auto, derived, ("small", One(&small_tile::KERNEL))];
    let shapes = EXTENTS
        .into_iter()
        .flat_map(|m| EXTENTS.into_iter().flat_map(move |n| EXTENTS.map(|k| [m, n, k])));
    let tasks = shapes.map(|shape| Task::plain(shape, Compute::F32));
    runner::all::<f16, f16>(arena, tasks, &Lineup { kernels: &kernels, roof: None, floor: false })
}
