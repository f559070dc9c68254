//! When sums are promoted, and how they are held until then.

use super::Plan;
use crate::level::mma::{Promoting, Unit, wgmma};

impl Plan {
    /// After how much of K sums are added to f32 registers and begun again, if they are.
    pub fn promotion(&self) -> Option<u32> {
        self.promotion.map(|tiles| tiles * self.block()[2])
    }

    /// How warpgroups hold the sums that they promote, if they do.
    pub(crate) fn promoting(&self) -> Option<Promoting> {
        let Unit::Warpgroup(wgmma) = self.mma.unit else { return None };
        self.promotion.map(|_| match self.registers.promoted_sets {
            1 if self.warps.tile[0] == wgmma::ROWS && wgmma.has_halves() => Promoting::Halves,
            1 => Promoting::Atoms,
            _ => Promoting::InTurn,
        })
    }
}
