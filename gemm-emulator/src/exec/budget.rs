//! The registers that the threads of each warpgroup may use, which `setmaxnreg` passes between warpgroups.
//!
//! A block starts with as many for each thread as fit the register file, in units of 8: ptxas gives a kernel that
//! changes them this many. (PTX ISA, "setmaxnreg")

use crate::fault::WarpgroupProblem;
use crate::lanes::WARPS;

/// Registers of a streaming multiprocessor, and of a block.
const FILE: u32 = 65_536;
/// The most registers of a thread.
const MOST: u32 = 256;

pub(crate) struct Budget {
    first: u32,
    /// For each thread of each warpgroup.
    registers: Vec<u32>,
}

impl Budget {
    /// Of a block of that many warps.
    pub(super) fn new(warps: u32) -> Budget {
        let warpgroups = warps.div_ceil(WARPS);
        let first = (FILE / (warpgroups * WARPS * 32)).min(MOST) / 8 * 8;
        Budget { first, registers: vec![first; warpgroups as usize] }
    }

    pub(super) fn reset(&mut self) {
        self.registers.fill(self.first);
    }

    /// How many more registers each thread of one warpgroup could have.
    pub(super) fn free(&self) -> u32 {
        self.first * self.registers.len() as u32 - self.registers.iter().sum::<u32>()
    }

    /// Gives the threads of a warpgroup `count` registers, if there are enough; whether there are.
    pub(super) fn set(
        &mut self,
        warpgroup: u32,
        count: u32,
        increases: bool,
    ) -> Result<bool, WarpgroupProblem> {
        let free = self.free();
        let own = &mut self.registers[warpgroup as usize];
        let current = *own;
        if count != current && increases != (count > current) {
            return Err(WarpgroupProblem::Registers { warpgroup, current, count });
        }
        let granted = count <= current + free;
        if granted {
            *own = count;
        }
        Ok(granted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_starts_with_all_that_fit() {
        for (warps, registers) in [(1, 256), (8, 256), (9, 168), (12, 168), (17, 96), (32, 64)] {
            assert_eq!(Budget::new(warps).first, registers, "{warps} warps");
        }
    }

    #[test]
    fn what_one_gives_up_another_gets() {
        let mut budget = Budget::new(12);
        assert_eq!(budget.set(1, 240, true), Ok(false));
        assert_eq!((budget.set(0, 24, false), budget.free()), (Ok(true), 144));
        assert_eq!((budget.set(1, 240, true), budget.free()), (Ok(true), 72));
        assert_eq!((budget.set(2, 248, true), budget.free()), (Ok(false), 72));
        assert_eq!((budget.set(2, 240, true), budget.free()), (Ok(true), 0));
    }
}
