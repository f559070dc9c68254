//! `wgmma` and `setmaxnreg`: what a single warp does of it.

use super::collective::{wait, whole_warp};
use crate::exec::meeting::{Meeting, Operands};
use crate::exec::step::{Executed, Flow, Step, Stop};
use crate::exec::warp::{Fragment, State};
use crate::fault::{Violation, WarpgroupProblem};
use crate::lanes::{ALL, LANES, WARPS, lanes_of};
use crate::memory::ReadingId;
use crate::program::{FactorSource, WarpgroupMultiply, WarpgroupOp};
use crate::trace::Tracer;

pub(super) fn execute(step: &mut Step<'_>, op: &WarpgroupOp) -> Executed<Flow> {
    if let Some(needed) = whole_warp(step)? {
        return Ok(wait(step, needed));
    }
    match op {
        WarpgroupOp::Multiply(op) => return multiply(step, op),
        WarpgroupOp::SetRegisters(_) => return step.meet_warpgroup(Operands::default()),
        WarpgroupOp::Fence => step.warp.multiplies.fence(),
        WarpgroupOp::Commit => {
            step.warp.multiplies.commit();
            step.trace(Tracer::commit_products);
        }
        WarpgroupOp::Wait(groups) => return Ok(wait_for_groups(step, *groups)),
    }
    Ok(Flow::Next)
}

fn stop(problem: WarpgroupProblem) -> Box<Stop> {
    Stop::of_mask(Violation::Warpgroup(problem), ALL)
}

/// Checks the accumulators and registers of A that another instruction accesses.
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
    let [a, b] = [op.a.source, op.b.source].map(|source| match source {
        FactorSource::Descriptor(register) => *step.warp.registers.long(register),
        FactorSource::Registers(_) => [0; LANES],
    });
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
    let first = step.warp.member(0);
    step.common.shared.finish_readings(last, first..first + 32);
    step.trace(|tracer, agent| tracer.wait_for_products(agent, groups));
    Flow::Next
}

impl Step<'_> {
    /// The warp has come to an instruction of its warpgroup.
    fn meet_warpgroup(&mut self, operands: Operands) -> Executed<Flow> {
        let warpgroup = self.warp.warpgroup();
        let stop = |problem| Err(Stop::new(Violation::Warpgroup(problem), 0));
        let warps = self.context.warps() - WARPS * warpgroup;
        if warps < WARPS {
            return stop(WarpgroupProblem::Incomplete { warpgroup, warps });
        }
        let meeting = &mut self.common.meetings[warpgroup as usize];
        let meeting = meeting.get_or_insert(Meeting { pc: self.pc, operands, warps: 0 });
        if meeting.pc != self.pc {
            let line = self.context.program.origins[meeting.pc as usize].ptx_line;
            return stop(WarpgroupProblem::OtherInstruction { warpgroup, line });
        }
        if meeting.operands.descriptors != operands.descriptors {
            let what = "a matrix descriptor";
            return stop(WarpgroupProblem::OtherOperand { warpgroup, what });
        }
        if meeting.operands != operands {
            return stop(WarpgroupProblem::OtherOperand { warpgroup, what: "scale-d" });
        }
        meeting.warps |= 1 << (self.warp.number % WARPS);
        if meeting.is_complete() {
            self.common.met_warpgroup = Some(warpgroup);
        }
        let (pc, mask, state) = (self.pc + 1, self.mask, State::AtWarpgroup);
        self.warp.fragments.push(Fragment { pc, mask, state, reduction: None });
        Ok(Flow::Parted)
    }
}
