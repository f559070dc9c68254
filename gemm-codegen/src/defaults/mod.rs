//! What a schedule that leaves a key out gets. Nothing here is trusted: the rules judge a derived
//! value like a written one.

mod atom;
mod copies;
mod lanes;
mod swizzles;
mod tiling;

use std::num::NonZeroU16;

use crate::axis::{PerSide, Side};
use crate::contraction::Contraction;
use crate::element::Element;
use crate::hardware::{MAX_THREADS_PER_BLOCK, Target, WARP};
use crate::layout::{Swizzle, TileOrder};
use crate::level::epilogue;
use crate::level::global_to_shared::{self, CopyAtom, tensor};
use crate::level::mma::{self, Accumulator, Atom, AtomMatrix, Mma, Multiply, RegisterTile};
use crate::level::pdl;
use crate::level::pipeline::PipelineKind;
use crate::level::scheduler::{Raster, Splits};
use crate::level::shared_tile::SharedTile;
use crate::level::shared_to_register::LoadPath;
use crate::level::warps;
use crate::resources::Copies;
use crate::spec::{Schedule, Spec};

pub(crate) use swizzles::{best_swizzle, swizzle};
use tiling::Fragments;

// Both are unwrapped while this crate compiles, so neither can panic.

/// Blocks of a raster strip: eight panels stay in L2.
const RASTER_WIDTH: NonZeroU16 = NonZeroU16::new(8).unwrap();

/// Bytes of a copy: the widest.
const COPY_BYTES: NonZeroU16 = NonZeroU16::new(16).unwrap();

/// The keys of a schedule that do not depend on the operands, all filled in.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub(crate) tile: [u32; 3],
    pub(crate) warps: [u32; 3],
    pub(crate) mma: Mma,
    /// What it sums in, whether it does or not.
    pub(crate) accumulator: Accumulator,
    /// What is multiplied; where that is unclear, f16.
    pub(crate) elements: PerSide<Element>,
    /// Which side's rows run along K, where that is clear.
    orders: Option<PerSide<bool>>,
    /// What `fma(m, n)` asks for.
    pub(crate) register_tile: Option<RegisterTile>,
    pub(crate) copy: PerSide<CopyAtom>,
    /// The form of pipeline that these copies have.
    pub(crate) pipeline: PipelineKind,
    /// Whether they transpose the tile of a side.
    pub(crate) transposed: PerSide<bool>,
    pub(crate) raster: Raster,
    pub(crate) splits: Splits,
    pub(crate) targets: Vec<Target>,
}

impl Filled {
    /// Threads of a block, as far as a block can have them.
    pub(crate) fn threads(&self) -> u32 {
        let threads = self.warps.into_iter().fold(WARP, u32::saturating_mul);
        threads.min(MAX_THREADS_PER_BLOCK)
    }

    /// Bytes of an element of A and of B.
    pub(crate) fn element_bytes(&self) -> [u32; 2] {
        [self.elements.a.bytes(), self.elements.b.bytes()]
    }

    /// m, n and k of the tiles of a stage in shared memory: those of the block, or of tensor copies
    /// those of the warps at one place along K, which have rings of their own.
    fn staged(&self) -> [u32; 3] {
        let [m, n, k] = self.tile;
        match self.pipeline {
            PipelineKind::Tma => [m, n, warps::share(k, self.warps[2])],
            PipelineKind::DoubleBuffer | PipelineKind::Multistage => self.tile,
        }
    }

    /// Whether a row along K of a tile in shared memory has the bytes of one of a box.
    pub(crate) fn is_box(&self, side: Side) -> bool {
        self.staged()[2].saturating_mul(self.elements.get(side).bytes()) == tensor::ROW_BYTES
    }

    /// The tile of a side whose rows run along K, or do not, in shared memory; with this swizzle,
    /// where rows lie one after the other.
    pub(crate) fn shared_tile(
        &self,
        side: Side,
        k_contiguous: bool,
        swizzle: Swizzle,
    ) -> SharedTile {
        let bytes = self.elements.get(side).bytes();
        match self.transposed.get(side) {
            true => SharedTile::transposed(side, self.staged(), bytes),
            false => {
                let panels = self.has_panels(side, k_contiguous) && self.is_box(side);
                let order = if panels { TileOrder::Panels } else { TileOrder::Rows }(swizzle);
                SharedTile::new(side, self.staged(), k_contiguous, bytes, order)
            }
        }
    }

    /// Whether tensor copies cut the tile of a side, whose rows run along K or do not, into panels.
    /// Where they cannot, or nothing could load them, that is an error elsewhere.
    fn has_panels(&self, side: Side, k_contiguous: bool) -> bool {
        let mn = self.tile[usize::from(side == Side::B)];
        *self.copy.get(side) == CopyAtom::Tma
            && self.register_tile.is_none()
            && !k_contiguous
            && tensor::transposes(self.elements.get(side).bytes())
            && tensor::are_panels(mn)
    }

    /// Who copies, and through how many registers of a thread of so many. Copies of a size that does
    /// not exist take none: they are an error elsewhere. So are tensor copies for register tiles.
    pub(crate) fn copies(&self, threads: u32) -> Copies {
        if self.pipeline == PipelineKind::Tma && self.register_tile.is_none() {
            return Copies::OfTensors;
        }
        let of = |side: Side| {
            let (atom, orders) = (*self.copy.get(side), self.orders?);
            global_to_shared::check_size(side, atom).ok()?;
            let tile = self.shared_tile(side, *orders.get(side), Swizzle::IDENTITY);
            Some(global_to_shared::registers(&tile, atom, threads))
        };
        let both = Side::BOTH.map(|side| of(side).unwrap_or(0));
        Copies::OfThreads(both.into_iter().fold(0, u32::saturating_add))
    }

    /// How a warp loads its fragments of a side whose rows run along K, or do not.
    pub(crate) fn path(&self, side: Side, k_contiguous: bool, multiply: &Multiply) -> LoadPath {
        let axis = usize::from(side == Side::B);
        let lines = self.tile[axis] / self.warps[axis].max(1);
        LoadPath::of(self.elements.get(side).bytes(), k_contiguous, multiply, lines)
    }

    /// That of both sides.
    pub(crate) fn paths(
        &self,
        contraction: &Contraction,
        multiply: &Multiply,
    ) -> PerSide<LoadPath> {
        let path = |side| self.path(side, contraction.k_contiguous(side), multiply);
        PerSide { a: path(Side::A), b: path(Side::B) }
    }

    /// Whether the epilogue of such warps has room for what it stages at the least, on every target.
    /// Where that is unclear, it has: what makes it so is an error elsewhere.
    fn staging_fits(&self, contraction: &Contraction, grid: [u32; 3]) -> bool {
        let with = Filled { warps: grid, ..self.clone() };
        let warps = warps::plan(with.tile, grid, with.mma, with.shape());
        let multiply = Multiply {
            atom: with.mma,
            elements: with.elements,
            accumulator: with.accumulator,
            tile: with.register_tile,
        };
        let (Ok(warps), true) = (warps, multiply.is_known()) else { return true };
        let paths = with.paths(contraction, &multiply);
        let bytes = epilogue::plan(&warps, &multiply, paths, contraction.n_contiguous(), 0);
        let limit = |target: &Target| target.limits().shared_bytes_per_block;
        with.targets.iter().all(|target| bytes.shared_bytes() <= limit(target))
    }

    /// The warps that suit the tile best.
    fn best_warps(&self, contraction: Option<&Contraction>, unpacks: bool) -> [u32; 3] {
        let along_k = |side| self.orders.is_none_or(|orders| *orders.get(side));
        let fragments = Side::BOTH.map(|side| Fragments {
            registers: self.registers(side),
            // Beside fragments of two k-steps there is room for fewer.
            taken: tiling::taken(unpacks, along_k(side) && self.pipeline != PipelineKind::Tma),
            panels: self.has_panels(side, along_k(side)),
        });
        let bits = self.accumulator.bits();
        let staging_fits =
            |grid| contraction.is_none_or(|contraction| self.staging_fits(contraction, grid));
        let copies = |threads| self.copies(threads);
        tiling::warps(self.tile, self.mma, (bits, fragments), copies, staging_fits)
    }

    /// 32-bit registers of a lane for a side of one atom.
    pub(crate) fn registers(&self, side: Side) -> u32 {
        let element = *self.elements.get(side);
        match self.register_tile {
            Some(tile) => tile.fragment(AtomMatrix::of(side), 8 * element.bytes()).words(),
            None => tiling::registers(self.mma, side, element),
        }
    }

    /// m, n, k of a k-step of an atom.
    pub(crate) fn shape(&self) -> [u32; 3] {
        self.register_tile.map_or(self.mma.shape(), |tile| tile.shape())
    }
}

/// Fills in what depends on no more than the elements, and the roles of the operands where they are
/// clear.
pub(crate) fn fill(
    spec: &Spec,
    elements: Option<[Element; 2]>,
    contraction: Option<&Contraction>,
) -> Filled {
    let elements = elements.unwrap_or([Element::F16; 2]);
    let with = |mma| fill_with(spec, elements, contraction, mma);
    match spec.schedule.mma {
        Some(mma) => with(mma),
        None => atom::choose(elements, |atom| targets(spec, atom), with),
    }
}

/// The same with this atom.
fn fill_with(
    spec: &Spec,
    [a, b]: [Element; 2],
    contraction: Option<&Contraction>,
    mma: Mma,
) -> Filled {
    let schedule = &spec.schedule;
    let orders = contraction.map(|contraction| PerSide {
        a: contraction.k_contiguous(Side::A),
        b: contraction.k_contiguous(Side::B),
    });
    let n_contiguous = contraction.is_none_or(Contraction::n_contiguous);
    let targets = targets(spec, Atom::find(mma, a, b));
    let (copy, transposed) = copies::of(schedule, &targets, mma, [a, b], orders);
    let unpacks = tiling::unpacks(mma, a, &targets);
    let along_k = |side| orders.is_none_or(|orders| *orders.get(side));
    let in_shared =
        orders.map(|orders| PerSide { a: orders.a && !transposed.a, b: orders.b && !transposed.b });
    let full = lanes::are_full(mma, [a, b], in_shared, &copy);
    let warps_k = schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()));
    let tile = match schedule.tile {
        Some(tile) => tile.map(|extent| u32::from(extent.get())),
        None => {
            let narrow = unpacks && !Side::BOTH.into_iter().all(along_k);
            let mut tile = tiling::tile(schedule.mma, a, narrow);
            if schedule.copies_tensors() {
                tile[2] = warps_k.saturating_mul(tensor::ROW_BYTES / a.bytes());
            }
            let of_lanes = full.then(|| lanes::tile(schedule, &targets, transposed));
            of_lanes.flatten().unwrap_or(tile)
        }
    };
    let sums = Atom::find(mma, a, b).map_or(Accumulator::F32, |atom| atom.accumulators[0]);
    let accumulator = match mma {
        Mma::Fma { .. } => mma::sums_of_lane(a),
        _ => schedule.acc.unwrap_or(sums),
    };
    let mut filled = Filled {
        tile,
        warps: [1; 3],
        mma,
        accumulator,
        elements: PerSide { a, b },
        orders,
        register_tile: RegisterTile::new(
            mma,
            warps::share(tile[2], warps_k),
            accumulator.staged().bytes(),
            in_shared.unwrap_or_default(),
            n_contiguous,
        ),
        pipeline: PipelineKind::of(&copy),
        copy,
        transposed,
        raster: schedule.raster.unwrap_or(Raster::AlongM(RASTER_WIDTH)),
        splits: schedule.split_k.unwrap_or(Splits::Every(NonZeroU16::MIN)),
        targets,
    };
    filled.warps = match (schedule.warps, lanes::warps(tile).filter(|_| full)) {
        (Some(grid), _) => grid.map(|count| u32::from(count.get())),
        (None, Some(of_lanes)) => of_lanes,
        (None, None) => filled.best_warps(contraction, unpacks),
    };
    filled
}

/// The targets that are named; else the usual ones that have the atoms, know the elements and can wait
/// for the grid in front, if they have to.
fn targets(spec: &Spec, atom: Option<&Atom>) -> Vec<Target> {
    if let Some(named) = &spec.schedule.targets {
        return named.clone();
    }
    let operands = spec.operands.iter().filter_map(|operand| operand.kind.element());
    let stored = spec.outputs.iter().map(|output| output.element.stored_since());
    let elements = operands.map(Element::read_since).chain(stored);
    let tma = spec.schedule.copies_tensors().then(|| CopyAtom::Tma.oldest());
    let waits = spec.schedule.pdl.as_ref().map(|_| pdl::OLDEST);
    let oldest = elements.chain(atom.map(|atom| atom.oldest)).chain(tma).chain(waits).max();
    Target::DEFAULT.into_iter().filter(|target| Some(*target) >= oldest).collect()
}

/// The ring of a schedule that names none: as deep as fits every target, up to four stages and
/// from two; two where copies pass through registers.
pub(crate) fn stages(schedule: &Schedule, filled: &Filled, stage_bytes: u64) -> u32 {
    let limit = filled.targets.iter().map(|target| target.limits().shared_bytes_per_block).min();
    let fits = (2..=filled.pipeline.default_stages())
        .rev()
        .find(|stages| u64::from(*stages) * stage_bytes <= limit.map_or(u64::MAX, u64::from));
    schedule.stages.map_or(fits.unwrap_or(2), |stages| u32::from(stages.get()))
}
