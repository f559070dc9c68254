//! One instruction of one fragment: dispatch, branches, results of barrier reductions.

use super::barrier::BarrierState;
use super::block::{Common, Stop};
use super::context::Context;
use super::registers::{Registers, lanes_of};
use super::warp::Warp;
use super::{access, collective, float, integer, mbarrier, moves};
use crate::fault::Violation;
use crate::program::{BarrierReduction, ControlOp, LANES, Op, Reduction};

/// An instruction about to be executed.
pub(crate) struct Site<'s> {
    pub(crate) context: &'s Context<'s>,
    pub(crate) pc: u32,
    /// The lanes of the fragment.
    pub(crate) mask: u32,
    /// Those that the guard lets execute; never none.
    pub(crate) active: u32,
    /// The lanes of the warp that have not waited for the predecessor, in a launch that overlaps it.
    pub(crate) early: u32,
}

/// Where a fragment goes on.
pub(crate) enum Flow {
    Next,
    Jump(u32),
    /// Its lanes have been given to the warp's fragments, or have ended.
    Parted,
    /// So they have, to execute this instruction once the lanes that take part in it have come.
    Waiting,
}

#[inline]
pub(crate) fn step(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    op: &Op,
) -> Result<Flow, Box<Stop>> {
    let flow = if site.active == 0 { Flow::Next } else { execute(site, common, warp, op)? };
    if !matches!(flow, Flow::Waiting) {
        common.statistics.instructions += 1;
        if let Some(profile) = &mut common.profile {
            profile.executed(site.pc, site.active);
        }
    }
    Ok(flow)
}

#[inline]
fn execute(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    op: &Op,
) -> Result<Flow, Box<Stop>> {
    match op {
        Op::Nop => {}
        Op::Move(op) => moves::execute(warp, site.active, op),
        Op::Integer(op) => integer::execute(warp, site.active, op),
        Op::Float(op) => float::execute(&mut warp.registers, site.active, op),
        Op::Memory(op) => access::execute(site, common, warp, op)?,
        Op::Control(op) => return control(site, warp, op),
        Op::Collective(op) => return collective::execute(site, common, warp, op),
        Op::Mbarrier(op) => return mbarrier::execute(site, common, warp, op),
    }
    Ok(Flow::Next)
}

fn control(site: &Site<'_>, warp: &mut Warp, op: &ControlOp) -> Result<Flow, Box<Stop>> {
    let rest = site.mask & !site.active;
    match *op {
        ControlOp::Branch { target } => {
            if rest == 0 {
                return Ok(Flow::Jump(target));
            }
            warp.add(target, site.active);
        }
        ControlOp::BranchIndexed { table, index } => {
            let targets = &site.context.program.tables[table as usize];
            let indices = *warp.registers.word(index);
            for lane in lanes_of(site.active) {
                let Some(target) = targets.get(indices[lane] as usize) else {
                    let what = "index of a branch is out of range";
                    let violation = Violation::BadOperand { what, value: indices[lane] };
                    return Err(Stop::new(violation, lane));
                };
                warp.add(*target, 1 << lane);
            }
        }
        ControlOp::Exit => {
            has_waited(site, Violation::EndsBeforePredecessor)?;
            warp.live &= !site.active;
        }
        ControlOp::WaitForPredecessor => {
            warp.early &= !site.active;
            return Ok(Flow::Next);
        }
        ControlOp::LaunchDependents => {
            has_waited(site, Violation::DependentsBeforePredecessor)?;
            return Ok(Flow::Next);
        }
        ControlOp::Trap => return Err(Stop::of_mask(Violation::Trap, site.active)),
    }
    warp.add(site.pc + 1, rest);
    Ok(Flow::Parted)
}

/// The violation, if a lane has not waited for the predecessor.
fn has_waited(site: &Site<'_>, violation: Violation) -> Result<(), Box<Stop>> {
    match site.early & site.active {
        0 => Ok(()),
        early => Err(Stop::of_mask(violation, early)),
    }
}

/// Gives lanes the result of a barrier's reduction.
pub(crate) fn reduce(
    registers: &mut Registers,
    mask: u32,
    reduction: BarrierReduction,
    state: &BarrierState,
) {
    let spread = |holds: bool| if holds { u32::MAX } else { 0 };
    match reduction.f {
        Reduction::Popc => registers.set_word(reduction.d, mask, &[state.true_count; LANES]),
        Reduction::And => registers.set_predicate(reduction.d, mask, spread(state.all_true)),
        Reduction::Or => registers.set_predicate(reduction.d, mask, spread(state.true_count > 0)),
    }
}
