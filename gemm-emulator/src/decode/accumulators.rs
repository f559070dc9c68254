//! Which instructions access registers of `wgmma`, so that an access before its wait is found.

use std::collections::HashSet;

use super::Decoder;
use super::site::Site;
use crate::program::{Op, Slot, Touched, WarpgroupOp};

impl Site<'_, '_> {
    /// The slot of a register that the instruction accesses.
    pub(super) fn accessed(&mut self, register: usize, writes: bool) -> Slot {
        let slot = self.frame.registers[register];
        if let Slot::Word(register) = slot {
            let pc = self.decoder.program.code.len() as u32;
            self.decoder.touched.push((pc, Touched { register, writes }));
        }
        slot
    }
}

impl Decoder<'_> {
    /// Keeps of the accesses those to registers of `wgmma`, by other instructions.
    pub(super) fn mark_accumulators(&mut self) {
        let program = &mut self.program;
        let accumulators: HashSet<u32> =
            program.code.iter().flat_map(|instruction| of(&instruction.op)).collect();
        for (pc, touched) in self.touched.drain(..) {
            let instruction = &mut program.code[pc as usize];
            if accumulators.contains(&touched.register) && of(&instruction.op).next().is_none() {
                instruction.touches = true;
                program.touches.entry(pc).or_default().push(touched);
            }
        }
    }
}

/// The accumulators of an instruction, and the registers of its A.
fn of(op: &Op) -> impl Iterator<Item = u32> {
    let multiply = match op {
        Op::Warpgroup(WarpgroupOp::Multiply(multiply)) => Some(multiply),
        _ => None,
    };
    multiply
        .into_iter()
        .flat_map(|multiply| multiply.d.iter().chain(multiply.factor_registers()).copied())
}
