//! The kernels of the book's ladder, M = N = K, f16: what each means gains over the kernel before.

use gemm_book::ladder::STEPS;
use gemm_runtime::prelude::f16;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::One;
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Task};

/// Each square by each step.
pub(super) fn run(arena: &Arena, sizes: &[usize]) -> Vec<Row> {
    let tasks = sizes.iter().map(|size| Task::plain([*size; 3], Compute::F32));
    let kernels: Vec<Named> = STEPS.iter().map(|(name, kernel)| (*name, One(kernel))).collect();
    let lineup = Lineup { kernels: &kernels, roof: Some(Unit::F16), floor: false };
    runner::all::<f16, f16>(arena, tasks, &lineup)
}
