//! How exact f32 products are cut by default: the register tile, and the tile and the warps of
//! `fma(8, 8)`.
//!
//! An SM multiplies as fast as its registers deliver factors. Sixteen warps of 32×64 read the fewest
//! bytes of shared memory that 128 registers a thread allow, and one such block fills an SM. Measured
//! on an H200: a tile of 128×128 in two blocks of eight warps is slower.

use std::num::NonZeroU16;

use super::ResolvedSchedule;
use crate::axis::PerSide;
use crate::element::Element;
use crate::form::{ByThreads, Form};
use crate::hardware::Target;
use crate::level::mma::LANES;
use crate::level::warps;
use crate::resources;
use crate::spec::{CopyAtom, Mma, Schedule};

/// The tile, BLK_K 64 bytes.
const TILE: [u32; 3] = [128, 256, 16];

/// Its warps.
const WARPS: [u32; 3] = [4, 4, 1];

/// Rows, or columns, of a lane in the register tiles that are derived, the most first. Unwrapped while
/// this crate compiles.
const EXTENTS: [NonZeroU16; 4] = [
    NonZeroU16::new(8).unwrap(),
    NonZeroU16::new(4).unwrap(),
    NonZeroU16::new(2).unwrap(),
    NonZeroU16::new(1).unwrap(),
];

/// The schedule with the largest register tile whose atoms tile a warp's part of the block tile, of several products with
/// a part of each: the more sums a lane has, the fewer factors it loads for each product. Where none does, the smallest.
///
/// `with` fills in the rest. A block tile that is not written is one of whole atoms, so that it differs from register
/// tile to register tile.
pub(super) fn choose(with: impl Fn(Mma) -> ResolvedSchedule) -> ResolvedSchedule {
    let [most, .., least] = EXTENTS;
    let of_warp = |schedule: &ResolvedSchedule, axis: usize| {
        warps::share(schedule.tile[axis], schedule.warps[axis].max(1))
    };
    let fits = |m: NonZeroU16, n: NonZeroU16, axis: usize| {
        let (schedule, extent) = (with(Mma::Fma { m, n }), [m, n][axis]);
        of_warp(&schedule, axis).is_multiple_of(LANES[axis] * u32::from(extent.get()))
    };
    let has_parts = |n: NonZeroU16| {
        let schedule = with(Mma::Fma { m: most, n });
        of_warp(&schedule, 1).is_multiple_of(schedule.columns_of_parts())
    };
    let fitting = || EXTENTS.into_iter().filter(|n| fits(most, *n, 1));
    let n = fitting().find(|n| has_parts(*n)).or(fitting().next()).unwrap_or(least);
    let m = EXTENTS.into_iter().find(|m| fits(*m, n, 0)).unwrap_or(least);
    with(Mma::Fma { m, n })
}

/// Whether lanes multiply f32 in register tiles of 8×8, both factors in vectors along M or N, and no
/// register waits for a copy. `along_k` says which factors lie along K in shared memory.
pub(super) fn are_full(
    mma: Mma,
    elements: PerSide<Element>,
    along_k: Option<PerSide<bool>>,
    copy: &PerSide<CopyAtom>,
) -> bool {
    let is_8_by_8 = matches!(mma, Mma::Fma { m, n } if [m.get(), n.get()] == [8, 8]);
    let in_vectors = along_k == Some(PerSide::both(false));
    let past_registers =
        [copy.a, copy.b].iter().all(|copy| matches!(copy, CopyAtom::CpAsync { .. }));
    is_8_by_8 && elements == PerSide::both(Element::F32) && in_vectors && past_registers
}

/// The newest target for which ptxas finds 128 registers enough, in every order; for newer ones it
/// spills some.
const NEWEST: Target = Target::Sm90;

/// The tile of a schedule that names none: where every target holds the ring and none is newer than
/// [`NEWEST`], and other warps are not asked for.
pub(super) fn tile(
    schedule: &Schedule,
    targets: &[Target],
    transposed: PerSide<bool>,
) -> Option<[u32; 3]> {
    let default = Form::Lanes(ByThreads::CpAsync).default_stages();
    let stages = schedule.stages.map_or(default, |stages| u32::from(stages.get()));
    let bytes = resources::stage_bytes(TILE, [Element::F32.bits(); 2], transposed);
    let newest = NEWEST.capability();
    let fits = resources::ring_fits(stages, (bytes, 0), 0, targets).is_ok()
        && targets.iter().all(|target| target.capability() <= newest);
    let asked = schedule.warps.map(|warps| warps.map(|count| u32::from(count.get())));
    (fits && asked.is_none_or(|asked| asked == WARPS)).then_some(TILE)
}

/// The warps of such a tile, if it is of this shape.
pub(super) fn warps([m, n, _]: [u32; 3]) -> Option<[u32; 3]> {
    ([m, n] == [TILE[0], TILE[1]]).then_some(WARPS)
}
