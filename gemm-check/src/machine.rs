//! The machine that checks stand for, and what a kernel needs of a launch to be checked whole.

use gemm_codegen::auto::Machine;
use gemm_codegen::{Kernel, SplitK, Target};
use gemm_runtime::{EmulatorOptions, Shape};

/// A machine on which products are so slow that the tiles of the last wave are shared wherever that
/// leaves fewer multiprocessors waiting, and on which a few tiles make a wave.
pub const SLOW: Machine = Machine { target: Target::Sm80, processors: 3, clock: 1e3, memory: 1e12 };

/// An emulated device that deals tiles to blocks as [`SLOW`] wants them.
pub fn slow() -> EmulatorOptions {
    EmulatorOptions::default().machine(SLOW)
}

/// A `k` for a launch of a kernel: where K is split, one that is deeper by a tile for each split
/// but one, so that each has some.
pub fn deep_enough(k: usize, split_k: Option<SplitK>, block_k: usize) -> usize {
    match split_k {
        None => k,
        Some(split_k) => k.max(1) + (split_k.splits as usize - 1) * block_k,
    }
}

/// The shape of two tiles along M and N and four along K, so that nothing is cut off.
pub fn whole_tiles(kernel: &Kernel) -> Shape {
    let [m, n, k] = kernel.launch.block_tile.map(|extent| extent as usize);
    Shape { m: 2 * m, n: 2 * n, k: deep_enough(4 * k, kernel.launch.split_k, k) }
}

/// The architecture whose PTX is run unless another is asked for: sm_80, or the lowest that the
/// kernel is legal on.
pub fn usual_target(kernel: &Kernel) -> Target {
    let targets = &kernel.launch.targets;
    let lowest = kernel.launch.lowest_target().unwrap_or(Target::Sm80);
    if targets.contains(&Target::Sm80) { Target::Sm80 } else { lowest }
}
