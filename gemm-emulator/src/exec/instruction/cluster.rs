//! The barrier of a cluster, and addresses in its blocks.

use super::collective::{converged, wait};
use crate::exec::step::{Executed, Flow, Step, Stop};
use crate::exec::warp::{Fragment, State};
use crate::fault::{ClusterProblem, Violation};
use crate::lanes::{LANES, lanes_of};
use crate::memory::{cluster_address, cluster_place, resolve, window};
use crate::program::{Address, ClusterOp};
use crate::ptx::Space;

pub(super) fn execute(step: &mut Step<'_>, op: &ClusterOp) -> Executed<Flow> {
    match *op {
        ClusterOp::Arrive { releases, aligned } => arrive(step, releases, aligned),
        ClusterOp::Wait { aligned } => wait_for_all(step, aligned),
        ClusterOp::Map { long, generic, d, a, rank } => {
            let addresses = map(step, generic, a, rank)?;
            match long {
                true => step.warp.registers.set_long(d, step.active, &addresses),
                false => {
                    let addresses = addresses.map(|address| address as u32);
                    step.warp.registers.set_word(d, step.active, &addresses);
                }
            }
            Ok(Flow::Next)
        }
        ClusterOp::Rank { generic, d, a } => {
            let mut ranks = [0; LANES];
            let addresses = step.addresses(a);
            for lane in lanes_of(step.active) {
                let rank = cluster_place(within(step, generic, addresses[lane], lane)?).0;
                ranks[lane] = rank.unwrap_or(step.common.rank);
            }
            step.warp.registers.set_word(d, step.active, &ranks);
            Ok(Flow::Next)
        }
    }
}

fn stop(problem: ClusterProblem, lane: usize) -> Box<Stop> {
    Stop::new(Violation::Cluster(problem), lane)
}

/// The lanes to wait for before an aligned instruction.
fn apart(step: &Step<'_>, aligned: bool) -> Executed<Option<u32>> {
    if aligned { converged(step, step.warp.live) } else { Ok(None) }
}

fn arrive(step: &mut Step<'_>, releases: bool, aligned: bool) -> Executed<Flow> {
    if let Some(needed) = apart(step, aligned)? {
        return Ok(wait(step, needed));
    }
    let (warp, lanes) = (step.warp.in_cluster, step.active);
    let common = &mut *step.common;
    common.shared.arrive_at_cluster(warp, lanes, releases);
    let complete = common.peers.barrier.arrive(warp, lanes);
    let complete = complete.map_err(|problem| stop(problem, lanes.trailing_zeros() as usize))?;
    if complete {
        common.shared.complete_cluster();
    }
    step.trace(|tracer, agent| tracer.arrive_at_cluster(agent, complete));
    Ok(Flow::Next)
}

fn wait_for_all(step: &mut Step<'_>, aligned: bool) -> Executed<Flow> {
    if let Some(needed) = apart(step, aligned)? {
        return Ok(wait(step, needed));
    }
    let (warp, lanes) = (step.warp.in_cluster, step.active);
    let common = &mut *step.common;
    let complete = common.peers.barrier.wait(warp, lanes);
    let passed = complete.map_err(|problem| stop(problem, lanes.trailing_zeros() as usize))?;
    if passed {
        common.shared.leave_cluster(warp, lanes);
    }
    step.trace(|tracer, agent| tracer.wait_for_cluster(agent, passed));
    if passed {
        return Ok(Flow::Next);
    }
    let (pc, mask, state) =
        (step.pc, step.mask, State::AtCluster(step.common.peers.barrier.phase()));
    step.warp.fragments.push(Fragment { pc, mask, state, reduction: None });
    Ok(Flow::Waiting)
}

/// Threads exit, and the barrier no longer waits for them.
pub(super) fn exit(step: &mut Step<'_>) {
    let common = &mut *step.common;
    if common.peers.barrier.exit(step.warp.in_cluster, step.active) {
        common.shared.complete_cluster();
    }
}

/// The address of a lane within the space of the cluster.
fn within(step: &Step<'_>, generic: bool, address: u64, lane: usize) -> Executed<u64> {
    if !generic {
        return Ok(address);
    }
    let (space, within) = resolve(address);
    if matches!(space, Space::Shared | Space::Cluster) {
        return Ok(within);
    }
    let what = "rank of an address that is not in shared memory";
    let value = step.common.rank;
    Err(Stop::new(Violation::BadOperand { what, value }, lane))
}

/// The address of each active lane in the block of its rank.
fn map(step: &Step<'_>, generic: bool, a: Address, rank: u32) -> Executed<[u64; LANES]> {
    let (addresses, ranks) = (step.addresses(a), step.warp.registers.word(rank));
    let blocks = step.context.team.blocks;
    let mut mapped = [0; LANES];
    for lane in lanes_of(step.active) {
        let rank = ranks[lane];
        if rank >= blocks {
            return Err(stop(ClusterProblem::Rank { rank, blocks }, lane));
        }
        let (_, offset) = cluster_place(within(step, generic, addresses[lane], lane)?);
        let base = if generic { window(Space::Shared) } else { 0 };
        mapped[lane] = base + cluster_address(rank, offset);
    }
    Ok(mapped)
}
