//! What a schedule that leaves a key out gets. Nothing here is trusted: the rules judge a derived
//! value like a written one.

use std::cmp::Reverse;
use std::num::NonZeroU16;

use crate::contraction::Contraction;
use crate::element::Element;
use crate::hardware::{MAX_THREADS_PER_BLOCK, Target, WARP};
use crate::layout::Swizzle;
use crate::level::global_to_shared::{self, CacheOperator, CopyAtom};
use crate::level::grid::Raster;
use crate::level::mma::{self, Accumulator, Atom, Fragment, Mma, Multiply, RegisterTile};
use crate::level::shared_tile::{self, CHUNK_BYTES, SharedTile};
use crate::level::shared_to_register::{self, LoadPath};
use crate::resources::{Registers, registers_of};
use crate::spec::{PerSide, Schedule, Side, Spec};

/// BLK_M, BLK_N of a schedule that names none: four warps of 64×64, two blocks an SM.
const TILE: [u32; 2] = [128, 128];

/// BLK_K of a schedule that names none, in bytes: two k-steps of the deepest atoms.
const TILE_K_BYTES: u32 = 64;

/// The most stages that are taken by default: four hide the latency of global memory.
const STAGES: u32 = 4;

// Both are unwrapped while this crate compiles, so neither can panic.

/// Blocks of a raster strip: eight panels stay in L2.
const RASTER_WIDTH: NonZeroU16 = NonZeroU16::new(8).unwrap();

/// Bytes of a copy: the widest.
const COPY_BYTES: NonZeroU16 = NonZeroU16::new(16).unwrap();

/// The keys of a schedule that do not depend on the operands, all filled in.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub(crate) tile: [u32; 3],
    pub(crate) warps: [u32; 2],
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
    pub(crate) raster: Raster,
    pub(crate) splits: u32,
    pub(crate) targets: Vec<Target>,
}

impl Filled {
    /// Threads of a block, as far as a block can have them.
    pub(crate) fn threads(&self) -> u32 {
        let threads = self.warps[0].saturating_mul(self.warps[1]).saturating_mul(WARP);
        threads.min(MAX_THREADS_PER_BLOCK)
    }

    /// Bytes of an element of A and of B.
    pub(crate) fn element_bytes(&self) -> [u32; 2] {
        [self.elements.a.bytes(), self.elements.b.bytes()]
    }

    /// Registers in which a thread of so many holds its copies of the next tile. Copies of a size
    /// that does not exist take none: they are an error elsewhere.
    pub(crate) fn copies(&self, threads: u32) -> u32 {
        let of = |side: Side| {
            let (atom, orders) = (*self.copy.get(side), self.orders?);
            global_to_shared::check_size(side, atom).ok()?;
            let (bytes, order) = (self.elements.get(side).bytes(), *orders.get(side));
            let swizzle = Swizzle { b: 0, m: 0, s: 0 };
            let tile = SharedTile::new(side, self.tile, order, bytes, swizzle);
            Some(global_to_shared::registers(&tile, atom, threads))
        };
        Side::BOTH.map(|side| of(side).unwrap_or(0)).into_iter().fold(0, u32::saturating_add)
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

    /// 32-bit registers of a lane for a side of one atom.
    pub(crate) fn registers(&self, side: Side) -> u32 {
        let element = *self.elements.get(side);
        match self.register_tile {
            Some(tile) => tile.fragment(side.matrix(), 8 * element.bytes()).words(),
            None => registers(self.mma, side, element),
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
    let schedule = &spec.schedule;
    let [a, b] = elements.unwrap_or([Element::F16; 2]);
    let default_k = TILE_K_BYTES / a.bytes();
    let block_k = schedule.tile.map_or(default_k, |[_, _, k]| k.get().into());
    let mma = schedule.mma.unwrap_or_else(|| atom(block_k, a, b));
    let orders = contraction.map(|contraction| PerSide {
        a: contraction.k_contiguous(Side::A),
        b: contraction.k_contiguous(Side::B),
    });
    let n_contiguous = contraction.is_none_or(Contraction::n_contiguous);
    let targets = schedule.targets.clone().unwrap_or_else(|| targets(spec, Atom::find(mma, a, b)));
    let unpacks = unpacks(mma, a, &targets);
    let tile = match schedule.tile {
        Some(tile) => tile.map(|extent| u32::from(extent.get())),
        None => tile(schedule.mma, a.bytes(), unpacks),
    };
    let sums = Atom::find(mma, a, b).map_or(Accumulator::F32, |atom| atom.accumulators[0]);
    let accumulator = match mma {
        Mma::Fma { .. } => mma::sums_of_lane(a),
        _ => schedule.acc.unwrap_or(sums),
    };
    let mut filled = Filled {
        tile,
        warps: [1, 1],
        mma,
        accumulator,
        elements: PerSide { a, b },
        orders,
        register_tile: RegisterTile::new(
            mma,
            tile[2],
            accumulator.staged().bytes(),
            orders.unwrap_or_default(),
            n_contiguous,
        ),
        copy: copies(schedule, &targets),
        raster: schedule.raster.unwrap_or(Raster::AlongM(RASTER_WIDTH)),
        splits: schedule.split_k.map_or(1, |splits| u32::from(splits.get())),
        targets,
    };
    filled.warps = match schedule.warps {
        Some(grid) => grid.map(|count| u32::from(count.get())),
        None => {
            let fragments = Side::BOTH.map(|side| filled.registers(side));
            let bits = filled.accumulator.bits();
            warps(tile, mma, (bits, fragments, unpacks), |threads| filled.copies(threads))
        }
    };
    filled
}

/// The tile of a schedule that names none. Register tiles are of any size: then it is the largest
/// that is no larger, of whole atoms and whole rows of copies.
fn tile(mma: Option<Mma>, element_bytes: u32, unpacks: bool) -> [u32; 3] {
    let [atom_m, atom_n] = match mma {
        Some(mma @ Mma::Fma { .. }) => [mma.shape()[0], mma.shape()[1]],
        _ => [1, 1],
    };
    let copy = u32::from(COPY_BYTES.get()) / element_bytes;
    let extent = |most: u32, atom: u32| {
        // Both divide it; the copies are a power of two.
        let unit = atom * (copy >> atom.trailing_zeros().min(copy.ilog2()));
        (most / unit * unit).max(atom)
    };
    let most_n = if unpacks { TILE[1] / 2 } else { TILE[1] };
    [extent(TILE[0], atom_m), extent(most_n, atom_n), TILE_K_BYTES / element_bytes]
}

/// The copy atoms: what one side names goes for both. `cp.async`, where every target has it.
fn copies(schedule: &Schedule, targets: &[Target]) -> PerSide<CopyAtom> {
    let PerSide { a, b } = schedule.copy;
    let is_async = match a.or(b) {
        Some(named) => named.is_async(),
        None => targets.iter().all(|target| *target >= Target::Sm80),
    };
    let default = match is_async {
        true => CopyAtom::CpAsync { bytes: COPY_BYTES, cache: CacheOperator::Cg },
        false => CopyAtom::LdGlobal { bytes: COPY_BYTES },
    };
    PerSide { a: a.unwrap_or(default), b: b.unwrap_or(default) }
}

/// The usual targets that have the atom and know the elements.
fn targets(spec: &Spec, atom: Option<&Atom>) -> Vec<Target> {
    let operands = spec.operands.iter().filter_map(|operand| operand.kind.element());
    let elements = operands.map(Element::read_since).chain([spec.output.element.stored_since()]);
    let oldest = elements.chain(atom.map(|atom| atom.oldest)).max();
    Target::DEFAULT.into_iter().filter(|target| Some(*target) >= oldest).collect()
}

/// 32-bit registers of a lane for a side of one atom. Where there is no such atom, as for halves: that is
/// an error elsewhere.
fn registers(shape: Mma, side: Side, element: Element) -> u32 {
    let of = |bytes: u32| Fragment::new(shape.shape(), side.matrix(), 8 * bytes);
    of(element.bytes()).or_else(|| of(2)).map_or(1, |fragment| fragment.words())
}

/// Whether ptxas makes halves of what tensor cores multiply, of 8-bit floats where these do not take
/// them. That takes two registers beside each of fragments, and sums of its own, which are added to the
/// accumulators: half the usual tile, so that eight warps have room for it.
fn unpacks(mma: Mma, element: Element, targets: &[Target]) -> bool {
    let of_8_bits = matches!(element, Element::E4m3 | Element::E5m2);
    let on_tensor_cores = !matches!(mma, Mma::Fma { .. });
    of_8_bits && on_tensor_cores && !targets.iter().all(|target| target.multiplies_float8())
}

/// The deepest atom that BLK_K allows. Where no atom multiplies these elements, as for halves.
fn atom(block_k: u32, a: Element, b: Element) -> Mma {
    let any = mma::of(a, b).next().is_some();
    let (a, b) = if any { (a, b) } else { (Element::F16, Element::F16) };
    let fits = |atom: &&Atom| block_k.is_multiple_of(atom.shape.shape()[2]);
    let found = mma::of(a, b).find(fits).or_else(|| mma::of(a, b).last());
    found.map_or(Mma::M16n8k16, |atom| atom.shape)
}

/// As many warps as give each about 64×64, or one atom of register tiles, but four where the tile
/// can be cut so, and then the squarest warp tile: it reads the fewest bytes of shared memory for
/// each product. Fewer or more where the registers of so many do not fit.
fn warps(
    tile: [u32; 3],
    mma: Mma,
    (sum_bits, fragments, unpacks): (u32, [u32; 2], bool),
    copies: impl Fn(u32) -> u32,
) -> [u32; 2] {
    const MOST: u32 = 16;
    let [atom_m, atom_n, _] = mma.shape();
    let wanted = match mma {
        Mma::Fma { .. } => {
            tile[0].saturating_mul(tile[1]).div_ceil(atom_m.saturating_mul(atom_n)).min(MOST)
        }
        _ => (tile[0] * tile[1]).div_ceil(64 * 64).clamp(4, MOST),
    };
    let grids = (1..=MOST).flat_map(|m| (1..=MOST / m).map(move |n| [m, n]));
    grids
        .filter(|[m, n]| tile[0].is_multiple_of(m * atom_m) && tile[1].is_multiple_of(n * atom_n))
        .max_by_key(|[m, n]| {
            let [warp_m, warp_n] = [tile[0] / m, tile[1] / n];
            let fragments = warp_m / atom_m * fragments[0] + warp_n / atom_n * fragments[1];
            let sums = registers_of(warp_m.saturating_mul(warp_n), sum_bits);
            let threads = m * n * WARP;
            let with = |sums, fragments| Registers::new(sums, fragments, copies(threads), threads);
            let taken = if unpacks { with(2 * sums, 3 * fragments) } else { with(sums, fragments) };
            let fit = (with(sums, fragments).fit(), taken.fit_as_wanted());
            let (count, excess) = (m * n, (m * n).saturating_sub(wanted));
            (fit, Reverse(excess), count, Reverse(warp_m + warp_n))
        })
        .unwrap_or([1, 1])
}

/// The swizzle of a side: the simplest that the laws allow and that needs the fewest passes of
/// the banks.
pub(crate) fn swizzle(
    schedule: &Schedule,
    filled: &Filled,
    contraction: &Contraction,
    multiply: &Multiply,
    side: Side,
) -> Swizzle {
    schedule.swizzle.get(side).unwrap_or_else(|| {
        best_swizzle(
            |swizzle| {
                let bytes = contraction.element(side).bytes();
                let k_contiguous = contraction.k_contiguous(side);
                SharedTile::new(side, filled.tile, k_contiguous, bytes, swizzle)
            },
            filled,
            multiply,
            side,
        )
        .0
    })
}

/// The best of all swizzles of 16-byte chunks or of 2, 4, 8 or 16 of them, and the passes it needs.
pub(crate) fn best_swizzle(
    tile: impl Fn(Swizzle) -> SharedTile,
    filled: &Filled,
    multiply: &Multiply,
    side: Side,
) -> (Swizzle, u32) {
    let chunk = CHUNK_BYTES / filled.elements.get(side).bytes();
    let least = chunk.ilog2() as u8;
    let identity = Swizzle { b: 0, m: least, s: least };
    let usual = (least..least + 3).flat_map(|m| {
        (1..=3u8).flat_map(move |b| (b.max(3)..=8).map(move |s| Swizzle { b, m, s }))
    });
    // Short rows of large elements may need another; they are tried last.
    let others = (least..least + 5)
        .flat_map(|m| (1..=4u8).flat_map(move |b| (b..=9).map(move |s| Swizzle { b, m, s })));
    let mut legal: Vec<SharedTile> = std::iter::once(identity)
        .chain(usual)
        .chain(others)
        .map(tile)
        .filter(|tile| shared_tile::check(tile).is_ok())
        .collect();
    // One load tells most of them apart from a clean one.
    let path = legal.first().map(|tile| filled.path(side, tile.k_contiguous, multiply));
    let Some(path) = path else { return (identity, u32::MAX) };
    let at_least = |tile: &SharedTile| shared_to_register::first_load_passes(tile, path);
    legal.sort_by_key(at_least);
    let mut best = (identity, u32::MAX);
    for tile in &legal {
        if at_least(tile) >= best.1 {
            break;
        }
        let passes = passes(tile, filled, multiply, side, best.1);
        if passes < best.1 {
            best = (tile.layout.swizzle, passes);
        }
    }
    best
}

/// The passes of the banks for the worst access to a tile, or for the first that needs `enough`.
fn passes(tile: &SharedTile, filled: &Filled, multiply: &Multiply, side: Side, enough: u32) -> u32 {
    let path = filled.path(side, tile.k_contiguous, multiply);
    let loads = shared_to_register::load_passes(tile, path, enough);
    if loads >= enough {
        return loads;
    }
    let atom = *filled.copy.get(side);
    loads.max(global_to_shared::store_passes(tile, atom, filled.threads(), enough))
}

/// The ring of a schedule that names none: as deep as fits every target, up to four stages and
/// from two; two where copies pass through registers.
pub(crate) fn stages(schedule: &Schedule, filled: &Filled, stage_bytes: u64) -> u32 {
    let limit = filled.targets.iter().map(|target| target.limits().shared_bytes_per_block).min();
    let most = if filled.copy.a.is_async() { STAGES } else { 2 };
    let fits = (2..=most)
        .rev()
        .find(|stages| u64::from(*stages) * stage_bytes <= limit.map_or(u64::MAX, u64::from));
    schedule.stages.map_or(fits.unwrap_or(2), |stages| u32::from(stages.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_are_square_and_few() {
        let grid = |m, n| warps([m, n, 32], Mma::M16n8k16, (32, [4, 2], false), |_| 0);
        assert_eq!(grid(128, 128), [2, 2]);
        assert_eq!(grid(128, 256), [2, 4]);
        assert_eq!(grid(256, 128), [4, 2]);
        assert_eq!(grid(64, 64), [2, 2]);
        assert_eq!(grid(16, 64), [1, 4]);
        assert_eq!(grid(16, 8), [1, 1]);
        assert_eq!(grid(48, 80), [3, 1]);
        assert_eq!(grid(384, 128), [4, 2], "twelve warps have 168 registers a thread");
        assert_eq!(grid(80, 200), [1, 5], "one warp has 255 registers a thread");
        assert_eq!(grid(17, 9), [1, 1]);
        let unpacked = warps([128, 64, 64], Mma::M16n8k32, (32, [4, 2], true), |_| 0);
        assert_eq!(unpacked, [4, 2], "halves of 8-bit floats");
        let doubles = warps([128, 128, 8], Mma::M8n8k4, (64, [2, 2], false), |_| 0);
        assert_eq!(doubles, [4, 2], "64 x 64 sums of 64 bits do not fit a thread");
    }
}
