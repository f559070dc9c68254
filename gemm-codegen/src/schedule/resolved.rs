//! [`ResolvedSchedule`]: a value for every key, and what follows from them before anything is proved.

use crate::axis::{Axis, PerSide, Side};
use crate::element::Element;
use crate::field::Field;
use crate::form::Form;
use crate::hardware::{MAX_THREADS_PER_BLOCK, Target, WARP};
use crate::help::{Edit, Values};
use crate::layout::{Swizzle, TileOrder};
use crate::level::epilogue;
use crate::level::global_to_shared::{self, tensor};
use crate::level::mma::{self, Multiply, RegisterTile, Unit};
use crate::level::shared_tile::{self, Parts, SharedTile};
use crate::level::warps::{self, Warps};
use crate::problem::Scale;
use crate::registers::Registers;
use crate::resources;
use crate::rule::Diagnostic;
use crate::spec::{Accumulator, CopyAtom, KOrder, Mma, Planes, Promotion, Raster, Splits, Walk};

/// The least stages that are derived: one is read while the next one is filled.
pub(super) const LEAST_STAGES: u32 = 2;

/// Every key of a schedule as written, or derived where it was left out.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedSchedule {
    /// BLK_M, BLK_N, BLK_K; the last in columns of planes, if these are multiplied.
    pub(crate) tile: [u32; 3],
    pub(crate) warps: [u32; 3],
    pub(crate) mma: Mma,
    /// What it sums in.
    pub(crate) accumulator: Accumulator,
    /// After how much of K it is promoted, as written.
    pub(crate) promote: Option<Promotion>,
    /// How many products lie next to each other.
    pub(crate) products: u32,
    /// What the factors are stored as; where that is unclear, f16.
    pub(crate) elements: PerSide<Element>,
    /// Their scales, where these are clear.
    pub(crate) scales: PerSide<Option<Scale>>,
    /// The planes that they are of, if they are.
    pub(crate) planes: Option<Planes>,
    /// Which side's rows run along K, where that is clear.
    pub(super) orders: Option<PerSide<bool>>,
    /// What `fma(m, n)` asks for.
    pub(crate) register_tile: Option<RegisterTile>,
    pub(crate) copy: PerSide<CopyAtom>,
    /// The form of the atom and its copies.
    pub(crate) form: Form,
    /// Whether they transpose the tile of a side.
    pub(crate) transposed: PerSide<bool>,
    /// Where one is derived, it is the identity until the tile it permutes is known to fit.
    pub(crate) swizzle: PerSide<Swizzle>,
    pub(crate) stages: u32,
    /// How a block of warpgroups walks over several tiles, if it does.
    pub(crate) walk: Option<Walk>,
    /// The order of k-tiles.
    pub(crate) k_order: KOrder,
    pub(crate) raster: Raster,
    pub(crate) splits: Splits,
    pub(crate) targets: Vec<Target>,
}

impl ResolvedSchedule {
    /// Threads of a block that multiply, as far as a block can have them.
    pub(crate) fn threads(&self) -> u32 {
        let threads = self.warps.into_iter().fold(WARP * self.mma.warps(), u32::saturating_mul);
        threads.min(MAX_THREADS_PER_BLOCK)
    }

    /// Whether tensor copies are written for both tiles, whether anything can read what they bring or not.
    pub(crate) fn copies_tensors(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.copy.get(side).is_tma())
    }

    /// What the factors are multiplied as.
    pub(crate) fn multiplied(&self) -> [Element; 2] {
        mma::multiplied_as([self.elements.a, self.elements.b])
    }

    /// Whether warps convert a factor.
    pub(super) fn converts(&self) -> bool {
        self.multiplied() != [self.elements.a, self.elements.b]
    }

    /// Bits of a number of A and of B.
    pub(crate) fn element_bits(&self) -> [u32; 2] {
        [self.elements.a.bits(), self.elements.b.bits()]
    }

    /// m, n and k of the tiles of a stage in shared memory: those of the block, or of tensor copies
    /// those of the warps at one place along K, which have rings of their own.
    pub(super) fn staged(&self) -> [u32; 3] {
        let [m, n, k] = self.tile;
        match self.form {
            Form::WarpsByTensors => [m, n, warps::share(k, self.warps[2])],
            Form::Warps(_) | Form::Lanes(_) | Form::Groups => self.tile,
        }
    }

    /// The tile of a side whose rows run along K, or do not, in shared memory; with this swizzle,
    /// where rows lie one after the other.
    pub(crate) fn shared_tile(
        &self,
        side: Side,
        k_contiguous: bool,
        swizzle: Swizzle,
    ) -> SharedTile {
        let element = *self.elements.get(side);
        let tile = match self.transposed.get(side) {
            true => SharedTile::transposed(side, self.staged(), element),
            false => {
                let is_cut = self.boxes_along_k(side).is_some_and(|boxes| match k_contiguous {
                    true => boxes > 1,
                    false => self.has_panels(side, k_contiguous),
                });
                let order = match is_cut {
                    true => {
                        TileOrder::Panels { cols: tensor::panel_cols(element.bytes()), swizzle }
                    }
                    false => TileOrder::Rows(swizzle),
                };
                SharedTile::new(side, self.staged(), k_contiguous, element, order)
            }
        };
        SharedTile { parts: self.parts(side), ..tile }
    }

    /// How the lines of a side are divided among its factors, where that is evenly.
    fn parts(&self, side: Side) -> Parts {
        match side {
            Side::A => Parts::ONE,
            Side::B => {
                let of_warp = warps::share(self.tile[1], self.warps[1].max(1));
                let is_whole = of_warp.is_multiple_of(self.columns_of_parts());
                let rows = of_warp / self.elements.b.lines();
                if is_whole { Parts::of(self.products, rows) } else { Parts::ONE }
            }
        }
    }

    /// A warp's columns are a multiple of this, so that it has a part of each product.
    pub(super) fn columns_of_parts(&self) -> u32 {
        let bytes = self.elements.b.bytes();
        // A copy of rows along N, or a packed element, has several columns; a copy of a size that does not exist, none.
        let copied = match self.copy.b {
            _ if self.along_k(Side::B) => self.elements.b.lines(),
            CopyAtom::Tma { .. } => tensor::panel_cols(bytes),
            // Lines of two bands of bytes may be interleaved, which then have scales of one product.
            atom if bytes == 1 && self.scales.b.is_some() => atom.bytes().max(2 * mma::BAND),
            atom => (atom.bytes() / bytes).max(1),
        };
        shared_tile::columns_of_parts(self.products, copied)
    }

    /// Proves that each warp has a part of every product.
    pub(crate) fn check_parts(&self, warps: &Warps) -> Result<(), Vec<Diagnostic>> {
        shared_tile::check_parts(self.products, warps, self.columns_of_parts())
    }

    /// Whether the tile of a side, whose rows run along K or do not, consists of panels along M or N: those
    /// of tensor copies, which `ldmatrix` or a descriptor can transpose.
    pub(super) fn has_panels(&self, side: Side, k_contiguous: bool) -> bool {
        let mn = self.tile[usize::from(side == Side::B)];
        self.copy.get(side).is_tma()
            && self.register_tile.is_none()
            && !k_contiguous
            && tensor::transposes(self.elements.get(side).bytes())
            && tensor::are_panels(mn)
    }

    /// Proves that the registers of a thread fit.
    pub(crate) fn registers_fit(&self, warps: &Warps) -> Result<Registers, Vec<Diagnostic>> {
        let of = |side, axis: usize| self.registers(side) * warps.atoms[axis];
        let fragments = [of(Side::A, 0), of(Side::B, 1)];
        let copies = (self.form, self.copies(warps.threads));
        let sums = (self.accumulator, self.pending(warps));
        let fit = resources::registers_fit(warps, self.walk, self.mma, sums, fragments, copies)?;
        let in_turn = self.promotes_in_turn(warps, &fit);
        Ok(if in_turn { Registers { promoted_sets: 2, ..fit } } else { fit })
    }

    /// Columns of a factor for each of K: one, or one of each plane.
    pub(crate) fn columns_of_k(&self) -> u32 {
        self.planes.map_or(1, |planes| planes.count())
    }

    /// Proves that the ring of stages fits, and returns its bytes.
    pub(crate) fn ring_fits(&self) -> Result<u32, Vec<Diagnostic>> {
        let stage = (self.stage_bytes(), self.scaled().scale_bytes());
        let fits = resources::ring_fits(self.stages, stage, self.staged_apart(), &self.targets);
        // Derived stages are as many as fit the tile, so it is the tile that is too large.
        fits.map_err(|broken| {
            let too_large = |broken: Diagnostic| {
                let broken = broken.or_at(Field::Tile(Axis::K));
                let no_stages =
                    broken.values.as_ref().is_some_and(|values| values.edits.is_empty());
                if no_stages { broken.naming(self.smaller_tiles()) } else { broken }
            };
            broken.into_iter().map(too_large).collect()
        })
    }

    /// Smaller extents of the tile: along K, then along N and M.
    fn smaller_tiles(&self) -> Values {
        let [m, n, k] = self.tile;
        let extents = [(Axis::K, k / self.columns_of_k()), (Axis::N, n), (Axis::M, m)];
        let halves = |extent: u32| (1..7).map(move |bits| extent >> bits).filter(|half| *half > 0);
        let smaller = extents
            .into_iter()
            .flat_map(|(axis, extent)| halves(extent).map(move |half| Edit::Tile(axis, half)));
        Values::one(smaller, ", so that 2 stages fit")
    }

    /// Whether a block of some target holds a stage, so that its tiles may be enumerated.
    pub(crate) fn is_enumerable(&self) -> bool {
        let limits = Target::ALL.map(|target| target.limits().shared_bytes_per_block);
        limits.into_iter().any(|limit| self.stage_bytes() <= u64::from(limit))
    }

    /// Bytes that the epilogue stages beside the ring.
    pub(crate) fn staged_apart(&self) -> u32 {
        self.staged_apart_by(self.warps)
    }

    /// Bytes that this grid of warpgroups does.
    fn staged_apart_by(&self, grid: [u32; 3]) -> u32 {
        let groups = grid.into_iter().fold(Walk::tiles_at_a_time(self.walk), u32::saturating_mul);
        self.walk.map_or(0, |_| epilogue::tile_bytes(groups))
    }

    /// Whether a ring of these stages fits every target beside what this grid stages apart from it.
    pub(super) fn has_room(&self, stages: u32, grid: [u32; 3]) -> bool {
        let limit = self.targets.iter().map(|target| target.limits().shared_bytes_per_block).min();
        let bytes = u64::from(stages) * self.stage_bytes() + u64::from(self.staged_apart_by(grid));
        limit.is_none_or(|limit| bytes <= u64::from(limit))
    }

    /// Registers through which a thread of a block of `threads` copies tiles at the least: those of the
    /// sides whose order is clear and whose copies exist.
    pub(crate) fn copies(&self, threads: u32) -> u32 {
        let of = |side: Side| {
            let (atom, orders) = (*self.copy.get(side), self.orders?);
            global_to_shared::check_size(side, atom).ok()?;
            let tile = self.shared_tile(side, *orders.get(side), Swizzle::IDENTITY);
            Some(global_to_shared::registers(&tile, atom, threads))
        };
        Side::BOTH.into_iter().filter_map(of).fold(0, u32::saturating_add)
    }

    /// Proves that the atom multiplies the elements of these operands, and that what it converts reaches it.
    pub(crate) fn multiply(&self, operands: [usize; 2]) -> Result<Multiply, Vec<Diagnostic>> {
        let stored = [self.elements.a, self.elements.b];
        let by = (self.form, self.run(), self.products);
        mma::check_conversion(stored, operands, self.orders, by)?;
        let orders = PerSide::of(|side| self.along_k(side));
        let unit = |atom| Unit::of(atom, warps::share(self.tile[1], self.warps[1].max(1)), orders);
        let factors = (stored, self.run());
        mma::plan(self.mma, (self.register_tile, unit), self.accumulator, factors, operands)
    }

    /// Proves that the warps tile the block.
    pub(crate) fn plan_warps(&self) -> Result<Warps, Vec<Diagnostic>> {
        let warps = warps::plan(self.tile, self.warps, self.mma, self.shape())?;
        mma::check_packed([self.elements.a, self.elements.b], &warps)?;
        Ok(warps)
    }

    /// Whether the rows of a side run along K, as they do where that is not clear.
    pub(super) fn along_k(&self, side: Side) -> bool {
        self.orders.is_none_or(|orders| *orders.get(side))
    }

    /// Rings of a block.
    pub(crate) fn rings(&self) -> u32 {
        self.form.rings(self.warps[2])
    }

    /// Bytes of the barriers of a stage of all rings.
    pub(crate) fn barrier_bytes(&self) -> u32 {
        self.form.barrier_bytes() * self.rings()
    }

    /// Bytes of a stage: its tiles, the scales that it holds and its barriers.
    pub(crate) fn stage_bytes(&self) -> u64 {
        let tiles = resources::stage_bytes(self.tile, self.element_bits(), self.transposed);
        tiles + self.scaled().scale_bytes() + u64::from(self.barrier_bytes())
    }

    /// The stages that are derived: as many as fit every target, from two up to what the pipeline needs
    /// to hide the latency of global memory.
    pub(super) fn derived_stages(&self) -> u32 {
        let mut all = (LEAST_STAGES..=self.form.default_stages()).rev();
        all.find(|stages| self.has_room(*stages, self.warps)).unwrap_or(LEAST_STAGES)
    }
}
