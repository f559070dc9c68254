//! The warps of a schedule that names none.

use super::resolved::ResolvedSchedule;
use super::tiling::{self, Budget, Fragments};
use crate::axis::{PerSide, Side};
use crate::form::Form;
use crate::hardware::Target;
use crate::level::epilogue::{self, Stored};
use crate::level::mma::Multiply;
use crate::level::shared_to_register::LoadPath;
use crate::level::warps;
use crate::problem::{Axes, Reduces};

impl ResolvedSchedule {
    /// The warps that suit the tile best.
    pub(super) fn best_warps(&self, axes: Option<&Axes>) -> [u32; 3] {
        let unpacks = tiling::unpacks(self.mma, self.multiplied()[0], &self.targets);
        let fragments = Side::BOTH.map(|side| Fragments {
            registers: self.registers(side),
            // Beside fragments of two k-steps there is room for fewer.
            taken: tiling::taken(unpacks, self.along_k(side) && self.form != Form::WarpsByTensors),
            panels: self.has_panels(side, self.along_k(side)),
        });
        let budget = Budget {
            form: self.form,
            columns: self.columns_of_parts().max(self.packed_columns()),
            sum_bits: self.accumulator.bits() * if self.has_pending() { 2 } else { 1 },
            fragments,
            copies: &|threads| self.copies(threads),
        };
        let stored = axes.zip(self.multiply([0, 1]).ok());
        let staging_fits = |grid: [u32; 2]| {
            stored.is_none_or(|(axes, multiply)| self.staging_fits(axes, &multiply, grid))
        };
        tiling::warps(self.tile, self.mma, &budget, staging_fits)
    }

    /// Columns that share an element of B.
    fn packed_columns(&self) -> u32 {
        self.elements.b.lines()
    }

    /// Whether the epilogue of such warps has room for what it stages at the least, on every target. It
    /// stages the same for a BLK_K of one k-step.
    fn staging_fits(&self, axes: &Axes, multiply: &Multiply, [m, n]: [u32; 2]) -> bool {
        let (shape, [block_m, block_n, _]) = (multiply.shape(), self.tile);
        let warps = warps::plan([block_m, block_n, shape[2]], [m, n, 1], self.mma, shape);
        warps.is_ok_and(|warps| {
            let (orders, n_contiguous) = (axes.orders(), axes.n_contiguous());
            let path = |side| LoadPath::of_warps(side, *orders.get(side), multiply, &warps);
            let stored = Stored {
                n_contiguous,
                outputs: &[],
                matrices: &[],
                room: 0,
                walk: None,
                splits: 1,
                reduces: Reduces::Nothing,
                in_turn: false,
                products: self.products,
            };
            let bytes = epilogue::plan(&warps, multiply, PerSide::of(path), stored, 0);
            let limit = |target: &Target| target.limits().shared_bytes_per_block;
            self.targets.iter().all(|target| bytes.shared_bytes() <= limit(target))
        })
    }
}
