//! What a schedule promotes or scales, and the registers that it takes.

use super::ResolvedSchedule;
use crate::form::Form;
use crate::hardware::WARP;
use crate::level::mma::{Conversion, Promoted, Scaled, wgmma};
use crate::level::warps::{self, Warps};
use crate::registers::registers_of;

impl ResolvedSchedule {
    /// Whether sums are promoted.
    pub(super) fn promotes(&self) -> bool {
        let scales = self.scaled().any() && matches!(self.form, Form::Warps(_));
        scales || self.promoted().tiles(self.promote).is_some()
    }

    /// What scaled sums depend on.
    pub(crate) fn scaled(&self) -> Scaled {
        Scaled {
            scales: self.scales,
            form: self.form,
            sums: self.accumulator,
            products: self.products,
            warp_k: warps::share(self.tile[2], self.warps[2].max(1)),
            step: self.shape()[2],
            planes: self.planes.is_some(),
            promote: self.promote,
            converted: Conversion::of([self.elements.a, self.elements.b]).map(|of| of.side),
            k_order: self.k_order,
        }
    }

    /// Registers of a thread for sums until they are promoted: of one instruction of warpgroups at a time. Of
    /// more than two ptxas issues the products of all at a time, and spills what does not fit (NVRTC 13.1,
    /// seen on emitted kernels).
    pub(super) fn promoted_sums(&self, warps: &Warps) -> u32 {
        let [rows, columns, _] = warps.tile;
        let atoms = rows / wgmma::ROWS;
        match self.form {
            Form::Groups => columns / 2 * if atoms > 2 { atoms } else { 1 },
            _ => registers_of(rows * columns, self.accumulator.bits()) / WARP,
        }
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
