//! The swizzle of a side by default, found by counting passes of the banks.

use super::ResolvedSchedule;
use crate::axis::Side;
use crate::form::Form;
use crate::layout::{Swizzle, TileOrder};
use crate::level::global_to_shared::{self, tensor};
use crate::level::shared_tile::{self, CHUNK_BYTES, SharedTile};
use crate::level::shared_to_register::{self, LoadPath};
use crate::problem::Axes;
use crate::spec::CopyAtom;

/// The swizzle of a side that names none: the simplest that the laws allow and that needs the fewest
/// passes of the banks. `None` if no tile can be permuted: none in rows that its copies cover, that may be
/// enumerated, and that proven warps multiply.
pub(super) fn derived(schedule: &ResolvedSchedule, axes: &Axes, side: Side) -> Option<Swizzle> {
    let (copy, factor) = (*schedule.copy.get(side), axes.factor(side));
    let (bytes, k_contiguous) = (factor.element.bytes(), factor.k_contiguous());
    global_to_shared::check_size(side, copy).ok()?;
    global_to_shared::check_element(side, copy, bytes).ok()?;
    let multiply = schedule.multiply([0, 1]).ok()?;
    if *schedule.transposed.get(side) || !schedule.is_enumerable() {
        return None;
    }
    let tile = |swizzle| schedule.shared_tile(side, k_contiguous, swizzle);
    let of_box = tile(tensor::swizzle(bytes, schedule.box_bytes(side)));
    let is_box = match of_box.layout.order {
        TileOrder::Panels { .. } => true,
        _ => k_contiguous && schedule.boxes_along_k(side).is_some(),
    };
    let is_read = tensor::can_feed(&multiply) || schedule.form == Form::Groups;
    if is_box && is_read && copy.is_tma() && shared_tile::check(&of_box).is_ok() {
        return Some(of_box.layout.swizzle());
    }
    let warps = schedule.plan_warps().ok()?;
    let path = LoadPath::of_warps(side, k_contiguous, &multiply, &warps);
    let is_covered = of_box.layout.cols.is_multiple_of(copy.bytes() / bytes);
    is_covered.then(|| Accesses { path, copy, threads: warps.threads }.best(tile, bytes))
}

/// All swizzles of 16-byte chunks of elements of this size or of 2, 4, 8 or 16 chunks, the simplest first.
fn all(element_bytes: u32) -> impl Iterator<Item = Swizzle> + Clone {
    let least = (CHUNK_BYTES / element_bytes).ilog2() as u8;
    let identity = Swizzle { b: 0, m: least, s: least };
    let usual = (least..least + 3).flat_map(|m| {
        (1..=3u8).flat_map(move |b| (b.max(3)..=8).map(move |s| Swizzle { b, m, s }))
    });
    // Short rows of large elements may need another; they are tried last.
    let others = (least..least + 5)
        .flat_map(|m| (1..=4u8).flat_map(move |b| (b..=9).map(move |s| Swizzle { b, m, s })));
    std::iter::once(identity).chain(usual).chain(others)
}

/// How the banks of a tile are accessed: by the loads of warps, and by the copies of threads.
struct Accesses {
    path: LoadPath,
    copy: CopyAtom,
    threads: u32,
}

impl Accesses {
    /// The best swizzle of a tile, of those that the laws allow.
    fn best(&self, tile: impl Fn(Swizzle) -> SharedTile + Clone, element_bytes: u32) -> Swizzle {
        let legal = all(element_bytes).map(tile).filter(|tile| shared_tile::check(tile).is_ok());
        // One load tells most of them apart from one without conflicts.
        let at_least = |tile: &SharedTile| shared_to_register::first_load_passes(tile, self.path);
        let is_free = |tile: &SharedTile| at_least(tile) == 1 && self.passes(tile, 2) == 1;
        // Most tiles have one without conflicts; then the others need not be counted.
        if let Some(free) = legal.clone().find(is_free) {
            return free.layout.swizzle();
        }
        let mut legal: Vec<SharedTile> = legal.collect();
        legal.sort_by_cached_key(at_least);
        let mut best = (Swizzle::IDENTITY, u32::MAX);
        for tile in &legal {
            if at_least(tile) >= best.1 {
                break;
            }
            let passes = self.passes(tile, best.1);
            if passes < best.1 {
                best = (tile.layout.swizzle(), passes);
            }
        }
        best.0
    }

    /// The passes of the banks for the worst access to a tile, or for the first that needs `enough`.
    fn passes(&self, tile: &SharedTile, enough: u32) -> u32 {
        let loads = shared_to_register::load_passes(tile, self.path, enough);
        if loads >= enough {
            return loads;
        }
        loads.max(global_to_shared::store_passes(tile, self.copy, self.threads, enough))
    }
}
