//! The kinds of instructions, and the dispatch to them.

mod access;
mod async_copy;
mod atomic;
mod cluster;
mod collective;
mod control;
mod float;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
mod moves;
mod multiply;
mod shuffle;
mod tensor_box;
mod tensor_copy;
mod tensor_store;
mod warpgroup;

pub(super) use multiply::multiply_by_warpgroup;

use super::step::{Executed, Flow, Step};
use crate::program::{Instruction, Op};

/// Executes one instruction of a fragment, and counts it.
#[inline]
pub(super) fn execute(step: &mut Step<'_>, instruction: &Instruction) -> Executed<Flow> {
    if instruction.touches && step.active != 0 {
        warpgroup::touch(step)?;
    }
    let flow = if step.active == 0 { Flow::Next } else { dispatch(step, &instruction.op)? };
    if !matches!(flow, Flow::Waiting) {
        step.common.statistics.instructions += 1;
        if let Some(profile) = &mut step.common.profile {
            profile.executed(step.pc, step.active);
        }
    }
    Ok(flow)
}

#[inline]
fn dispatch(step: &mut Step<'_>, op: &Op) -> Executed<Flow> {
    match op {
        Op::Nop => {}
        Op::Move(op) => moves::execute(step.warp, step.active, op),
        Op::Integer(op) => integer::execute(step.warp, step.active, op),
        Op::Float(op) => float::execute(&mut step.warp.registers, step.active, op),
        Op::Memory(op) => memory::execute(step, op)?,
        Op::Control(op) => return control::execute(step, op),
        Op::Collective(op) => return collective::execute(step, op),
        Op::Mbarrier(op) => return mbarrier::execute(step, op),
        Op::Cluster(op) => return cluster::execute(step, op),
        Op::Warpgroup(op) => return warpgroup::execute(step, op),
    }
    Ok(Flow::Next)
}
