//! The warps of a schedule that names none.

use super::resolved::ResolvedSchedule;
use super::tiling::{self, Budget, Fragments};
use crate::axis::Side;
use crate::form::Form;
use crate::hardware::Target;
use crate::level::epilogue::{self, Stored};
use crate::level::warps;
use crate::problem::Axes;

impl ResolvedSchedule {
    /// The warps that suit the tile best.
    pub(super) fn best_warps(&self, axes: Option<&Axes>, unpacks: bool) -> [u32; 3] {
        let along_k = |side| self.orders.is_none_or(|orders| *orders.get(side));
        let fragments = Side::BOTH.map(|side| Fragments {
            registers: self.registers(side),
            // Beside fragments of two k-steps there is room for fewer.
            taken: tiling::taken(unpacks, along_k(side) && self.form != Form::WarpsByTensors),
            panels: self.has_panels(side, along_k(side)),
        });
        let bits = self.accumulator.bits();
        let staging_fits = |grid| axes.is_none_or(|axes| self.staging_fits(axes, grid));
        let (form, products) = (self.form, self.products);
        let budget = Budget { form, products, copies: |threads| self.copies(threads) };
        tiling::warps(self.tile, self.mma, (bits, fragments), budget, staging_fits)
    }

    /// Whether the epilogue of such warps has room for what it stages at the least, on every target.
    /// Where that is unclear, it has: what makes it so is an error elsewhere.
    fn staging_fits(&self, axes: &Axes, grid: [u32; 3]) -> bool {
        let with = ResolvedSchedule { warps: grid, ..self.clone() };
        let warps = warps::plan(with.tile, grid, with.mma, with.shape());
        let (Ok(warps), Some(multiply)) = (warps, with.multiply()) else { return true };
        let paths = with.paths(axes, &multiply);
        let n_contiguous = axes.n_contiguous();
        let stored = Stored {
            n_contiguous,
            outputs: &[],
            matrices: &[],
            room: 0,
            walk: None,
            splits: 1,
            products: self.products,
        };
        let bytes = epilogue::plan(&warps, &multiply, paths, stored, 0);
        let limit = |target: &Target| target.limits().shared_bytes_per_block;
        with.targets.iter().all(|target| bytes.shared_bytes() <= limit(target))
    }
}
