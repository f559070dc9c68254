//! Warp-wide and block-wide instructions.

use super::multiply::multiply;
use super::{matrix, shuffle};
use crate::exec::barrier::{Arrival, BARRIERS, BarrierState};
use crate::exec::step::{Common, Executed, Flow, Step, Stop};
use crate::exec::warp::{Fragment, State};
use crate::fault::{Direction, Violation, WarpProblem};
use crate::lanes::{ALL, LANES, Lanes, lanes_of};
use crate::program::{Barrier, CollectiveOp, MatrixMove};

pub(super) fn execute(step: &mut Step<'_>, op: &CollectiveOp) -> Executed<Flow> {
    let missing = match op {
        CollectiveOp::Barrier(barrier) => return block_barrier(step, barrier),
        CollectiveOp::ActiveMask { d } => {
            step.warp.registers.set_word(*d, step.active, &[step.active; LANES]);
            None
        }
        CollectiveOp::LoadMatrix(_) | CollectiveOp::StoreMatrix(_) | CollectiveOp::Multiply(_) => {
            let missing = whole_warp(step)?;
            if missing.is_none() {
                matrix_op(step, op)?;
            }
            missing
        }
        CollectiveOp::BarrierWarp { members }
        | CollectiveOp::Shuffle { members, .. }
        | CollectiveOp::Vote { members, .. }
        | CollectiveOp::Elect { members, .. } => {
            let members = *step.warp.registers.word(*members);
            let missing = named_lanes(step, &members)?;
            if missing.is_none() {
                shuffle::execute(step, op, &members)?;
            }
            missing
        }
    };
    Ok(missing.map_or(Flow::Next, |needed| wait(step, needed)))
}

/// Lets the fragment wait until the lanes it needs have come.
pub(super) fn wait(step: &mut Step<'_>, needed: u32) -> Flow {
    let (pc, mask, state) = (step.pc, step.mask, State::Waiting(needed));
    step.warp.fragments.push(Fragment { pc, mask, state, reduction: None });
    Flow::Waiting
}

fn inactive(step: &Step<'_>, needed: u32) -> Box<Stop> {
    let active = step.active;
    Stop::of_mask(Violation::Warp(WarpProblem::InactiveLanes { needed, active }), active)
}

/// Checks an instruction that all 32 lanes must execute; gives the lanes to wait for.
pub(super) fn whole_warp(step: &Step<'_>) -> Executed<Option<u32>> {
    if step.warp.live != ALL { Err(inactive(step, ALL)) } else { converged(step, ALL) }
}

/// The lanes to wait for so that all `needed` lanes execute an instruction together.
pub(super) fn converged(step: &Step<'_>, needed: u32) -> Executed<Option<u32>> {
    if step.mask & needed != needed {
        return Ok(Some(needed));
    }
    if step.active & needed != needed { Err(inactive(step, needed)) } else { Ok(None) }
}

/// Checks an instruction with a member mask in each lane; gives the lanes to wait for.
fn named_lanes(step: &Step<'_>, members: &Lanes<u32>) -> Executed<Option<u32>> {
    let mut named = 0;
    for lane in lanes_of(step.active) {
        if members[lane] >> lane & 1 == 0 {
            return Err(Stop::new(
                Violation::Warp(WarpProblem::NotAMember { members: members[lane] }),
                lane,
            ));
        }
        named |= members[lane];
    }
    let needed = named & step.warp.present;
    // A named lane that has exited is as undefined as one that executes another instruction.
    if needed & !step.warp.live != 0 {
        Err(inactive(step, needed))
    } else {
        converged(step, needed)
    }
}

fn matrix_op(step: &mut Step<'_>, op: &CollectiveOp) -> Executed {
    let profiled = |step: &mut Step<'_>, moved: &MatrixMove, rows: &Lanes<u64>| {
        if let Some(profile) = &mut step.common.profile {
            profile.matrices(step.pc, &rows[..8 * usize::from(moved.count)]);
        }
    };
    match op {
        CollectiveOp::LoadMatrix(moved) => {
            let rows = step.addresses(moved.address);
            profiled(step, moved, &rows);
            matrix::load(step, moved, &rows)?;
            step.trace_matrices(Direction::Read, &rows[..8 * usize::from(moved.count)]);
            Ok(())
        }
        CollectiveOp::StoreMatrix(moved) => {
            let rows = step.addresses(moved.address);
            profiled(step, moved, &rows);
            matrix::store(step, moved, &rows)?;
            step.trace_matrices(Direction::Write, &rows[..8 * usize::from(moved.count)]);
            Ok(())
        }
        CollectiveOp::Multiply(op) => {
            step.common.statistics.matrix_multiplies += 1;
            multiply(&mut step.warp.registers, op);
            Ok(())
        }
        // The others have no matrices.
        _ => Ok(()),
    }
}

/// An operand that must be the same in all active lanes.
fn uniform(step: &Step<'_>, register: u32, what: &'static str) -> Executed<u32> {
    let values = step.warp.registers.word(register);
    let first = values[step.active.trailing_zeros() as usize];
    match lanes_of(step.active).find(|lane| values[*lane] != first) {
        None => Ok(first),
        Some(lane) => Err(Stop::new(Violation::BadOperand { what, value: values[lane] }, lane)),
    }
}

fn block_barrier(step: &mut Step<'_>, barrier: &Barrier) -> Executed<Flow> {
    if barrier.aligned
        && let Some(needed) = converged(step, step.warp.live)?
    {
        return Ok(wait(step, needed));
    }
    let (active, pc) = (step.active, step.pc + 1);
    let (id, given) = barrier_of(step, barrier)?;
    let whole = given.is_some() && barrier.aligned;
    let warp = &mut *step.warp;
    let arrival = Arrival {
        warp: warp.number,
        mask: active,
        expected: given.unwrap_or(step.context.threads),
        weight: if whole { 32 } else { active.count_ones() },
        waits: barrier.waits,
        holds: barrier.reduction.map_or(0, |red| warp.registers.predicate_use(red.source)),
    };
    if given.is_some() {
        step.common.shared.arrive_at_barrier(id, warp.in_cluster, active);
    }
    let complete = step.common.barriers[id as usize].arrive(id, arrival);
    let complete = complete.map_err(|violation| Stop::of_mask(violation, active))?;
    if barrier.waits {
        let (state, reduction) = (State::AtBarrier(id), barrier.reduction);
        warp.fragments.push(Fragment { pc, mask: active, state, reduction });
    } else {
        warp.add(pc, active);
    }
    warp.add(pc, step.mask & !active);
    step.trace(|tracer, agent| tracer.arrive(agent, id, barrier.waits));
    if complete {
        let rank = step.common.rank;
        step.trace(|tracer, _| tracer.complete_barrier(rank, id));
        let first = step.warp.in_cluster - step.warp.number;
        finish_barrier(step.common, id, given.is_none(), first);
    }
    Ok(Flow::Parted)
}

/// The number of a barrier, and its count of threads if it is given.
fn barrier_of(step: &Step<'_>, barrier: &Barrier) -> Executed<(u32, Option<u32>)> {
    let id = uniform(step, barrier.id, "barriers differ in a warp")?;
    let given =
        barrier.threads.map(|at| uniform(step, at, "thread counts of a barrier differ in a warp"));
    let given = given.transpose()?;
    let threads = given.unwrap_or(step.context.threads);
    let bad = |what| {
        let violation = Violation::BadBarrier { barrier: id, threads, what };
        Err(Stop::of_mask(violation, step.active))
    };
    match given {
        _ if id >= BARRIERS => bad("a block has barriers 0 to 15"),
        Some(count) if count == 0 || count % 32 != 0 => {
            bad("the count must be a positive multiple of 32")
        }
        _ => Ok((id, given)),
    }
}

/// All have arrived at a barrier of a block whose first warp has a number in the cluster.
fn finish_barrier(common: &mut Common, id: u32, whole_block: bool, first: u32) {
    common.statistics.barriers += 1;
    common.completed = Some(id);
    common.met();
    if whole_block {
        common.shared.publish();
        return;
    }
    let BarrierState { members, waiters, .. } = &common.barriers[id as usize];
    common.shared.publish_to(id, waiters, |thread| {
        let warp = (thread / 32 - first) as usize;
        members.get(warp).is_some_and(|mask| mask >> (thread % 32) & 1 == 1)
    });
}
