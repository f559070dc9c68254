//! What a schedule promotes or scales, and the registers that it takes.

use super::ResolvedSchedule;
use crate::axis::{PerSide, Side};
use crate::form::Form;
use crate::hardware::WARP;
use crate::level::mma::{Conversion, Promoted, Scaled, ScaledBy, converted_k, wgmma};
use crate::level::shared_tile::CHUNK_BYTES;
use crate::level::warps::{self, Warps};
use crate::registers::{Registers, registers_of};
use crate::resources::Pending;
use crate::spec::Walk;

impl ResolvedSchedule {
    /// Whether a thread has sums that it promotes or scales later.
    pub(super) fn has_pending(&self) -> bool {
        self.scales_sums() || self.promoted().tiles(self.promote).is_some()
    }

    fn scales_sums(&self) -> bool {
        let scaled = self.scaled();
        let can_scale = matches!(self.form, Form::Warps(_)) || scaled.converted_by_groups();
        can_scale && scaled.any() && scaled.by() == ScaledBy::Sums
    }

    /// The registers of these sums.
    pub(super) fn pending(&self, warps: &Warps) -> Pending {
        match (self.scales_sums(), self.has_pending()) {
            (true, _) => Pending::Scaled(self.pending_sums(warps)),
            (false, true) => Pending::Promoted(self.pending_sums(warps)),
            (false, false) => Pending::None,
        }
    }

    /// What scaled sums depend on.
    pub(crate) fn scaled(&self) -> Scaled {
        Scaled {
            scales: self.scales,
            form: self.form,
            sums: self.accumulator,
            products: self.products,
            k_contiguous: PerSide::of(|side| self.along_k(side)),
            block: self.tile,
            warp_k: warps::share(self.tile[2], self.warps[2].max(1)),
            columns: warps::share(self.tile[1], self.warps[1].max(1)),
            atoms: self.atoms_of_warp(),
            at_a_time: Walk::tiles_at_a_time(self.walk),
            step: self.scaled_step(),
            planes: self.planes.is_some(),
            promote: self.promote,
            converted: Conversion::of([self.elements.a, self.elements.b]),
            k_order: self.k_order,
        }
    }

    /// Atoms of a warp's tile.
    fn atoms_of_warp(&self) -> u32 {
        let [m, n, _] = self.shape();
        let of =
            |at: usize, extent: u32| warps::share(self.tile[at], self.warps[at].max(1)) / extent;
        of(0, m) * of(1, n)
    }

    /// K that warpgroups convert at a time: a k-tile, or what is summed before it is scaled.
    pub(super) fn converted_k(&self) -> u32 {
        let scaled = self.scaled();
        let sums = scaled.any() && scaled.by() == ScaledBy::Sums;
        converted_k(self.tile[2], sums.then(|| scaled.k()))
    }

    /// K of what may be scaled alone: a k-step, of what warpgroups convert a chunk.
    fn scaled_step(&self) -> u32 {
        let converted = Side::BOTH.into_iter().find(|side| self.is_converted_by_groups(*side));
        let of_chunk = |side| CHUNK_BYTES * 8 / self.elements.get(side).bits();
        converted.map_or(self.shape()[2], of_chunk)
    }

    /// Registers of a thread for sums until they are promoted or scaled: of one instruction of warpgroups at a time. Of
    /// more than two ptxas issues the products of all at a time, and spills what does not fit (NVRTC 13.1,
    /// seen on emitted kernels).
    fn pending_sums(&self, warps: &Warps) -> u32 {
        let [rows, columns, _] = warps.tile;
        let atoms = rows / wgmma::ROWS;
        match self.form {
            // Those of what is multiplied and of what is converted next, and of the other factor's lines.
            Form::Groups if self.scaled().any() => 2 * columns / 2 * (atoms + self.has_offset()),
            Form::Groups => sums_of_atom(warps) * if atoms > 2 { atoms } else { 1 },
            _ => {
                let sums = 1 + u32::from(self.scaled().two_sums());
                sums * registers_of(rows * columns, self.accumulator.bits()) / WARP
            }
        }
    }

    /// Whether a thread that has these registers with one set of sums to promote has room for two, which are
    /// multiplied and promoted in turn, so that tensor cores have products in flight at all times. With two
    /// atoms ptxas waits for each instruction (NVRTC 13.1, C7514).
    pub(crate) fn promotes_in_turn(&self, warps: &Warps, registers: &Registers) -> bool {
        let is_promoted = self.form == Form::Groups && self.has_pending() && !self.scaled().any();
        let is_of_one = warps.tile[0] == wgmma::ROWS;
        is_promoted && is_of_one && registers.have_room(sums_of_atom(warps))
    }

    /// 1 if a factor has an offset, else 0.
    fn has_offset(&self) -> u32 {
        let offset = |side| (*self.scales.get(side)).is_some_and(|scale| scale.offset.is_some());
        u32::from(Side::BOTH.into_iter().any(offset))
    }

    /// What a promotion depends on.
    pub(crate) fn promoted(&self) -> Promoted {
        Promoted {
            form: self.form,
            element: self.multiplied()[0],
            sums: self.accumulator,
            planes: self.planes.is_some(),
            converts: self.converts(),
            block_k: (self.tile[2] / self.columns_of_k()).max(1),
            stages: self.stages,
        }
    }
}

/// Registers of a thread for the sums of an instruction of a warpgroup.
fn sums_of_atom(warps: &Warps) -> u32 {
    warps.tile[1] / 2
}
