//! Products whose rows are not multiples of 16 bytes apart, f16.

use half::f16;

use super::runner::{self, Lineup};
use super::squares::halves;
use crate::arena::Arena;
use crate::report::Row;
use crate::roofs::Unit;
use crate::task::{Compute, Task};

/// Rows of one or both factors, of the output, or of all.
pub(super) const SHAPES: [[usize; 3]; 4] =
    [[4095; 3], [4098; 3], [2053, 4099, 4096], [1023, 50257, 769]];

/// Each shape by what a launch chooses, and by two kernels between which it chooses: one of warps, which
/// reads such rows, and one of warpgroups, for which they are copied.
pub(super) fn run(arena: &Arena) -> Vec<Row> {
    let [auto, tuned, _, wide, _, _, _, cooperative, ..] = halves::kernels();
    let kernels = [auto, tuned, wide, cooperative];
    let tasks = SHAPES.map(|shape| Task::plain(shape, Compute::F32));
    let lineup = Lineup { kernels: &kernels, roof: Some(Unit::F16), floor: false };
    runner::all::<f16, f16>(arena, tasks, &lineup)
}
