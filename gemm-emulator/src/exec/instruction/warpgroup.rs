//! `wgmma` and `setmaxnreg`: what a single warp does of it.

use super::collective::{wait, whole_warp};
use crate::exec::step::{Executed, Flow, Step, Stop};
use crate::exec::warp::{Fragment, State};
use crate::exec::warpgroup::Operands;
use crate::fault::{Violation, WarpgroupProblem};
use crate::lanes::{ALL, lanes_of};
use crate::memory::ReadingId;
use crate::program::{WarpgroupMultiply, WarpgroupOp};

pub(super) fn execute(step: &mut Step<'_>, op: &WarpgroupOp) -> Executed<Flow> {
    if let Some(needed) = whole_warp(step)? {
        return Ok(wait(step, needed));
    }
    match op {
        WarpgroupOp::Multiply(op) => return multiply(step, op),
        WarpgroupOp::SetRegisters(_) => return step.meet_warpgroup(Operands::default()),
        WarpgroupOp::Fence => step.warp.multiplies.fence(),
        WarpgroupOp::Commit => step.warp.multiplies.commit(),
        WarpgroupOp::Wait(groups) => return Ok(wait_for_groups(step, *groups)),
    }
    Ok(Flow::Next)
}

fn stop(problem: WarpgroupProblem) -> Box<Stop> {
    Stop::of_mask(Violation::Warpgroup(problem), ALL)
}

/// Checks the accumulators that another instruction accesses.
#[cold]
pub(super) fn touch(step: &mut Step<'_>) -> Executed {
    let touches = step.context.program.touches.get(&step.pc);
    for touched in touches.into_iter().flatten() {
        let problem = step.warp.multiplies.touch(*touched);
        problem.map_err(|problem| Stop::of_mask(Violation::Warpgroup(problem), step.active))?;
    }
    Ok(())
}

fn multiply(step: &mut Step<'_>, op: &WarpgroupMultiply) -> Executed<Flow> {
    let descriptors = [op.a.descriptor, op.b.descriptor];
    let [a, b] = descriptors.map(|register| *step.warp.registers.long(register));
    let adds = step.warp.registers.predicate_use(op.adds);
    let differs = |what| {
        let warpgroup = step.warp.warpgroup();
        stop(WarpgroupProblem::OtherOperand { warpgroup, what })
    };
    if lanes_of(ALL).any(|lane| (a[lane], b[lane]) != (a[0], b[0])) {
        return Err(differs("a matrix descriptor"));
    }
    if adds != 0 && adds != ALL {
        return Err(differs("scale-d"));
    }
    step.warp.multiplies.issue(op).map_err(stop)?;
    let operands = Operands { descriptors: [a[0], b[0]], adds: adds == ALL };
    step.meet_warpgroup(operands)
}

fn wait_for_groups(step: &mut Step<'_>, groups: u32) -> Flow {
    // What is waited for may take any time. The other warps run first, or do not.
    if step.warp.multiplies.in_flight() && step.common.random.bool() {
        let (pc, mask, state) = (step.pc, step.mask, State::Yielded);
        step.warp.fragments.push(Fragment { pc, mask, state, reduction: None });
        return Flow::Waiting;
    }
    let number = step.warp.multiplies.wait(groups);
    let last = ReadingId::multiply(step.warp.warpgroup(), number);
    let first = step.warp.thread(0);
    step.common.shared.finish_readings(last, first..first + 32);
    Flow::Next
}
