//! A wave of blocks of warpgroups.

use super::{Launch, slowest};
use crate::auto::fitted::{self, groups};
use crate::auto::footprint::Footprint;
use crate::level::mma::wgmma;
use crate::level::scheduler::Walk;

/// Seconds in which a multiprocessor runs `blocks` of warpgroups, of `tiles` tiles of K each. Filling the
/// ring and storing the output come on top of their products.
pub(super) fn wave(of: &Footprint, blocks: f64, tiles: f64, launch: &Launch<'_>) -> f64 {
    let [m, n, _] = of.block.map(f64::from);
    let storing = blocks * m * n * groups::STORE;
    groups::WAVE + tiles * tile(of, blocks, launch) + filling(of, blocks, launch) + storing
}

/// Seconds in which it runs `blocks` that walk over this number of tiles of the output each. The ring stays
/// full, and what is stored of one tile is hidden by the next one, but for what the warpgroups do
/// together.
pub(super) fn walk(
    of: &Footprint,
    walk: Walk,
    [blocks, walked]: [u64; 2],
    tiles: f64,
    launch: &Launch<'_>,
) -> f64 {
    let (blocks, walked) = (blocks as f64, walked as f64);
    let [m, n, _] = of.block.map(f64::from);
    let store = blocks * m * n * groups::STORE;
    let between = match walk {
        Walk::Cooperative => groups::BETWEEN + blocks * m * n * groups::STAGE,
        Walk::Pingpong => groups::TURN,
    };
    let products = walked * tiles * tile(of, blocks, launch);
    groups::WAVE + filling(of, blocks, launch) + products + (walked - 1.0) * between + store
}

/// Seconds of a tile of K.
///
/// In each a block waits for the slowest of four: the tensor cores, their reads of shared memory, the
/// copies, and the barriers of a stage.
fn tile(of: &Footprint, blocks: f64, launch: &Launch<'_>) -> f64 {
    let Launch { machine, moved: [moved_a, moved_b] } = launch;
    let [m, n, k] = of.block.map(f64::from);
    let [a, b, _] = of.element_bytes.map(f64::from);
    let tensor = m * n * k / (groups::TENSOR * f64::from(of.products) * machine.clock);
    // Each column of warpgroups reads all of A; each instruction reads its columns of B for 64 rows.
    let columns = f64::from(of.warps[1].max(1));
    let read = k * (columns * m * a + m / f64::from(wgmma::ROWS) * n * b);
    let shared = read / (groups::SHARED * machine.clock);
    let copied = (groups::L2 * machine.clock).min(in_flight(of, blocks) / fitted::LATENCY);
    let copies = k * (m * a * moved_a + n * b * moved_b) / copied;
    slowest([blocks * tensor, blocks * shared, blocks * copies, groups::TILE])
}

/// Seconds in which the rings are filled.
fn filling(of: &Footprint, blocks: f64, launch: &Launch<'_>) -> f64 {
    in_flight(of, blocks) / (groups::FILL * launch.machine.clock)
}

/// Bytes of all stages but the one that is multiplied.
fn in_flight(of: &Footprint, blocks: f64) -> f64 {
    let stages = f64::from(of.stages.max(1));
    blocks * f64::from(of.ring_bytes) * (stages - 1.0) / stages
}
