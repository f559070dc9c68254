//! A wave of blocks of warpgroups.

use super::{Launch, slowest};
use crate::auto::fitted::{self, groups};
use crate::auto::footprint::Footprint;
use crate::level::mma::wgmma;

/// Seconds in which a multiprocessor runs `blocks` of warpgroups, of `tiles` tiles of K each.
///
/// In each tile of K a block waits for the slowest of four: the tensor cores, their reads of shared
/// memory, the copies, and the barriers of a stage. Filling the ring and storing the output come on top.
pub(super) fn wave(of: &Footprint, blocks: f64, tiles: f64, launch: &Launch<'_>) -> f64 {
    let Launch { machine, moved: [moved_a, moved_b] } = launch;
    let [m, n, k] = of.block.map(f64::from);
    let [a, b, _] = of.element_bytes.map(f64::from);
    let tensor = m * n * k / (groups::TENSOR * f64::from(of.products) * machine.clock);
    // Each column of warpgroups reads all of A; each instruction reads its columns of B for 64 rows.
    let columns = f64::from(of.warps[1].max(1));
    let read = k * (columns * m * a + m / f64::from(wgmma::ROWS) * n * b);
    let shared = read / (groups::SHARED * machine.clock);

    let stages = f64::from(of.stages.max(1));
    let in_flight = blocks * f64::from(of.ring_bytes) * (stages - 1.0) / stages;
    let copied = (groups::L2 * machine.clock).min(in_flight / fitted::LATENCY);
    let copies = k * (m * a * moved_a + n * b * moved_b) / copied;
    let tile = slowest([blocks * tensor, blocks * shared, blocks * copies, groups::TILE]);

    let filling = in_flight / (fitted::FILL * machine.clock);
    let storing = blocks * m * n * groups::STORE;
    groups::WAVE + tiles * tile + filling + storing
}
