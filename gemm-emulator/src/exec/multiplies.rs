//! The multiplications by `wgmma` that a warp has issued, and what it may do with their accumulators.
//!
//! (PTX ISA, "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group")

use std::collections::VecDeque;

use crate::fault::{Direction, WarpgroupProblem};
use crate::program::{Touched, WarpgroupMultiply};

/// How a word register was used last.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Number of the last multiplication that accumulated in it; 0 if none did.
    multiply: u64,
    /// Columns and contraction extent of that one.
    shape: (usize, usize),
    /// How many fences came before that one.
    multiplied: u64,
    /// How many fences came before the last access by another instruction.
    touched: u64,
    /// Number of the last multiplication whose A it holds a part of.
    factor: u64,
}

pub(crate) struct Multiplies {
    /// Of each word register; empty in a kernel without `wgmma`.
    uses: Vec<Use>,
    /// Multiplications issued.
    issued: u64,
    /// Those that were waited for.
    landed: u64,
    /// How many had been issued at each commit that was not waited for, oldest first.
    groups: VecDeque<u64>,
    fences: u64,
}

impl Multiplies {
    pub(crate) fn new(words: usize) -> Multiplies {
        let uses = vec![Use::default(); words];
        Multiplies { uses, issued: 0, landed: 0, groups: VecDeque::new(), fences: 0 }
    }

    /// Size in bytes for that many word registers.
    pub(crate) fn memory(words: usize) -> usize {
        words * size_of::<Use>()
    }

    pub(crate) fn reset(&mut self) {
        self.uses.fill(Use::default());
        self.groups.clear();
        (self.issued, self.landed, self.fences) = (0, 0, 0);
    }

    /// Number of the last multiplication, from 1.
    pub(crate) fn issued(&self) -> u64 {
        self.issued
    }

    pub(crate) fn in_flight(&self) -> bool {
        self.issued > self.landed
    }

    /// Checks and notes the access of another instruction to an accumulator or a register of A.
    pub(crate) fn touch(&mut self, touched: Touched) -> Result<(), WarpgroupProblem> {
        let used = &mut self.uses[touched.register as usize];
        let direction = if touched.writes { Direction::Write } else { Direction::Read };
        if used.multiply > self.landed {
            return Err(WarpgroupProblem::AccumulatorInFlight { direction });
        }
        if used.factor > self.landed {
            return Err(WarpgroupProblem::FactorInFlight { direction });
        }
        used.touched = self.fences;
        Ok(())
    }

    /// Checks the registers of a multiplication's A, and notes that it reads them.
    fn issue_factor(&mut self, registers: &[u32]) -> Result<(), WarpgroupProblem> {
        for register in registers {
            let used = &mut self.uses[*register as usize];
            if used.multiply > self.landed {
                let direction = Direction::Read;
                return Err(WarpgroupProblem::AccumulatorInFlight { direction });
            }
            if used.touched == self.fences {
                return Err(WarpgroupProblem::FactorNoFence);
            }
            used.factor = self.issued;
        }
        Ok(())
    }

    /// Checks the accumulators of a multiplication and its A in registers, and issues it.
    ///
    /// One of another shape than the last one in the same registers needs a wait and a fence.
    pub(crate) fn issue(&mut self, op: &WarpgroupMultiply) -> Result<(), WarpgroupProblem> {
        let shape = (op.columns, op.k());
        self.issued += 1;
        self.issue_factor(op.factor_registers())?;
        for register in &op.d {
            let used = &mut self.uses[*register as usize];
            let reshaped = used.multiply != 0 && used.shape != shape;
            if used.factor > self.landed {
                let direction = Direction::Write;
                return Err(WarpgroupProblem::FactorInFlight { direction });
            }
            if reshaped && used.multiply > self.landed {
                return Err(WarpgroupProblem::OtherShape);
            }
            if used.touched == self.fences || reshaped && used.multiplied == self.fences {
                return Err(WarpgroupProblem::NoFence);
            }
            (used.multiply, used.shape, used.multiplied) = (self.issued, shape, self.fences);
        }
        Ok(())
    }

    pub(crate) fn fence(&mut self) {
        self.fences += 1;
    }

    pub(crate) fn commit(&mut self) {
        self.groups.push_back(self.issued);
    }

    /// Lands all but the newest `groups`; gives the number of the last multiplication that has landed.
    pub(crate) fn wait(&mut self, groups: u32) -> u64 {
        while self.groups.len() > groups as usize {
            self.landed = self.groups.pop_front().unwrap_or(self.landed);
        }
        self.landed
    }
}
