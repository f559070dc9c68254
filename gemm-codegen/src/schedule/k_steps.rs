//! The k-steps of a schedule: what an instruction multiplies, and the registers that it takes.

use super::ResolvedSchedule;
use crate::axis::{PerSide, Side};
use crate::form::Form;
use crate::level::mma::{self, AtomMatrix, wgmma};
use crate::problem::Scale;

impl ResolvedSchedule {
    /// Neighbours along K that a lane has of each line, where warps convert a factor. Those of warpgroups do not
    /// depend on scales, unless they are packed.
    pub(super) fn run(&self) -> u32 {
        let packs = mma::Conversion::of([self.elements.a, self.elements.b])
            .is_some_and(mma::Conversion::packs);
        let by_warps =
            |scale: &Scale| (packs || matches!(self.form, Form::Warps(_))).then_some(*scale);
        let scales = PerSide::of(|side| self.scales.get(side).as_ref().and_then(by_warps));
        mma::run_of([self.elements.a, self.elements.b], scales)
    }

    /// 32-bit registers of a lane for a side of one atom.
    pub(crate) fn registers(&self, side: Side) -> u32 {
        let element = *self.elements.get(side);
        match self.register_tile {
            Some(tile) => tile.fragment(AtomMatrix::of(side), 8 * element.bytes()).words(),
            None if self.is_converted_by_groups(side) => {
                wgmma::REGISTERS_OF_A * self.converted_k() / self.shape()[2]
            }
            None if self.form == Form::Groups => 0,
            None if self.converts() => self.mma.registers_of(side, element.bits(), self.shape()[2]),
            None => self.mma.registers(side, element.bytes()),
        }
    }

    /// m, n, k of a k-step of an atom.
    pub(crate) fn shape(&self) -> [u32; 3] {
        match self.register_tile {
            Some(tile) => tile.shape(),
            None if self.form == Form::Groups => {
                wgmma::shape(wgmma::COLUMN_STEP, self.multiplied()[0].bytes().min(4))
            }
            None if self.converts() => {
                let [m, n, _] = self.mma.shape();
                [m, n, mma::step_of(self.run())]
            }
            None => self.mma.shape(),
        }
    }
}
