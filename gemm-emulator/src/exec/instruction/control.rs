//! Branches and exits.

use super::{cluster, tensor_store};
use crate::exec::step::{Executed, Flow, Step, Stop};
use crate::fault::{Violation, WarpgroupProblem};
use crate::lanes::lanes_of;
use crate::program::ControlOp;

pub(super) fn execute(step: &mut Step<'_>, op: &ControlOp) -> Executed<Flow> {
    let (active, rest) = (step.active, step.mask & !step.active);
    match *op {
        ControlOp::Branch(target) => {
            if rest == 0 {
                return Ok(Flow::Jump(target));
            }
            step.warp.add(target, active);
        }
        ControlOp::BranchIndexed(table, index) => {
            let targets = &step.context.program.tables[table as usize];
            let indices = *step.warp.registers.word(index);
            for lane in lanes_of(active) {
                let Some(target) = targets.get(indices[lane] as usize) else {
                    let what = "index of a branch is out of range";
                    let violation = Violation::BadOperand { what, value: indices[lane] };
                    return Err(Stop::new(violation, lane));
                };
                step.warp.add(*target, 1 << lane);
            }
        }
        ControlOp::Exit => {
            may_end(step)?;
            step.warp.live &= !active;
            cluster::exit(step);
        }
        ControlOp::WaitForPredecessor => {
            step.warp.early &= !active;
            return Ok(Flow::Next);
        }
        ControlOp::LaunchDependents => {
            has_waited(step, Violation::DependentsBeforePredecessor)?;
            return Ok(Flow::Next);
        }
        ControlOp::Trap => return Err(Stop::of_mask(Violation::Trap, active)),
    }
    step.warp.add(step.pc + 1, rest);
    Ok(Flow::Parted)
}

/// Checks that what threads have started was waited for.
fn may_end(step: &mut Step<'_>) -> Executed {
    has_waited(step, Violation::EndsBeforePredecessor)?;
    if step.warp.multiplies.in_flight() {
        let left = Violation::Warpgroup(WarpgroupProblem::Left);
        return Err(Stop::of_mask(left, step.active));
    }
    tensor_store::exit(step)
}

/// The violation, if a lane has not waited for the predecessor.
fn has_waited(step: &Step<'_>, violation: Violation) -> Executed {
    match step.warp.early & step.active {
        0 => Ok(()),
        early => Err(Stop::of_mask(violation, early)),
    }
}
