//! A wave of blocks of warpgroups.

use super::{Launch, Wave};
use crate::auto::fitted::groups;
use crate::auto::footprint::Footprint;
use crate::hardware::WARP;
use crate::level::mma::wgmma;
use crate::level::scheduler::Walk;

/// Seconds in which blocks of warpgroups run a tile of the output each. Filling the ring and storing the
/// output come on top of their products.
pub(super) fn wave(of: &Footprint, wave: Wave, launch: &Launch<'_>) -> f64 {
    start(of) + filling(of, wave, launch) + wave.steps * tile(of, wave, launch) + store(of, wave)
}

/// Seconds in which they walk over this number of tiles of the output each. The ring stays full, and what is
/// stored of one tile is hidden by the next one, but for what the warpgroups do together.
pub(super) fn walk(
    of: &Footprint,
    walk: Walk,
    wave: Wave,
    walked: u64,
    launch: &Launch<'_>,
) -> f64 {
    let walked = walked as f64;
    let between = match walk {
        Walk::Cooperative => groups::BETWEEN + elements(of, wave) * groups::STAGE,
        Walk::Pingpong => groups::TURN,
    };
    let products = walked * wave.steps * tile(of, wave, launch);
    let first = start(of) + filling(of, wave, launch) + store(of, wave);
    first + products + (walked - 1.0) * between
}

/// Seconds until the first copy, and of the end of a block.
fn start(of: &Footprint) -> f64 {
    let warpgroups = of.threads() / (wgmma::WARPS * WARP);
    let is_pair = of.parts.iter().any(|parts| *parts > 1);
    let pair = if is_pair { groups::PAIR } else { 0.0 };
    groups::WAVE + f64::from(warpgroups.saturating_sub(2)) * groups::WARPGROUP + pair
}

/// Seconds of a tile of K.
///
/// In each a block waits for the slowest of four: the tensor cores, their reads of shared memory, the
/// copies, and the barriers of a stage. A multiprocessor takes in all that it multiplies; from L2 all of
/// them read what is not copied by another block of a cluster.
fn tile(of: &Footprint, wave: Wave, launch: &Launch<'_>) -> f64 {
    let Launch { machine, moved: [moved_a, moved_b] } = launch;
    let (blocks, cycle) = (wave.each as f64, 1.0 / machine.clock);
    let [m, n, k] = of.block.map(f64::from);
    let [a, b, _] = of.element_bytes.map(f64::from);
    let tensor = m * n * k / (groups::TENSOR * f64::from(of.products)) * cycle;
    // Each column of warpgroups reads all of A; each instruction reads its columns of B for 64 rows.
    let columns = f64::from(of.warps[1].max(1));
    let read = k * (columns * m * a + m / f64::from(wgmma::ROWS) * n * b);
    let shared = read / groups::SHARED * cycle;
    let taken = (groups::L2 * machine.clock).min(of.in_flight(blocks) / groups::LATENCY);
    let [parts_a, parts_b] = of.parts.map(|parts| f64::from(parts.max(1)));
    let asked = k * (m * a * moved_a / parts_a + n * b * moved_b / parts_b);
    let of_all = wave.blocks as f64 / f64::from(machine.processors.max(1));
    let copies =
        (blocks * k * (m * a + n * b) / taken).max(of_all * asked / groups::L2_OF_ALL * cycle);
    slowest([blocks * tensor, blocks * shared, copies, groups::TILE])
}

/// Seconds in which the rings are filled.
fn filling(of: &Footprint, wave: Wave, launch: &Launch<'_>) -> f64 {
    of.filled(wave.each as f64, wave.steps) / (groups::FILL * launch.machine.clock)
}

/// Seconds in which the output is stored.
fn store(of: &Footprint, wave: Wave) -> f64 {
    elements(of, wave) * groups::STORE
}

/// Elements of the output of a multiprocessor.
fn elements(of: &Footprint, wave: Wave) -> f64 {
    let [m, n, _] = of.block.map(f64::from);
    wave.each as f64 * m * n
}

/// Seconds of things that go on at the same time, and hinder each other less than those of warps do.
pub(super) fn slowest(seconds: [f64; 4]) -> f64 {
    seconds.iter().map(|seconds| seconds.powi(4)).sum::<f64>().sqrt().sqrt()
}
