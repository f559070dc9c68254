//! The swizzle of a side by default, found by counting passes of the banks.

use super::ResolvedSchedule;
use crate::axis::Side;
use crate::form::Form;
use crate::layout::{Swizzle, TileOrder};
use crate::level::global_to_shared::tensor;
use crate::level::mma::Multiply;
use crate::level::shared_tile::{self, CHUNK_BYTES, SharedTile};
use crate::level::{global_to_shared, shared_to_register, warps};
use crate::problem::Axes;

/// The swizzle of a side that names none: the simplest that the laws allow and that needs the fewest
/// passes of the banks. The identity if no tile can be permuted: none that its copies cover and
/// that may be enumerated, or none in rows.
pub(super) fn derived(schedule: &ResolvedSchedule, axes: &Axes, side: Side) -> Swizzle {
    let copy = *schedule.copy.get(side);
    let bytes = axes.factor(side).element.bytes();
    let is_copied = global_to_shared::check_size(side, copy).is_ok()
        && global_to_shared::check_element(side, copy, bytes).is_ok();
    let Some(multiply) = schedule.multiply().filter(|_| is_copied && schedule.is_enumerable())
    else {
        return Swizzle::IDENTITY;
    };
    if *schedule.transposed.get(side) {
        return Swizzle::IDENTITY;
    }
    let k_contiguous = axes.factor(side).k_contiguous();
    let tile = |swizzle| schedule.shared_tile(side, k_contiguous, swizzle);
    let only = tensor::swizzle(bytes);
    let is_box = match tile(only).layout.order {
        TileOrder::Panels { .. } => true,
        _ => k_contiguous && schedule.boxes_along_k(side).is_some(),
    };
    if is_box && copy.is_tma() && (tensor::can_feed(&multiply) || schedule.form == Form::Groups) {
        // Rows that are not a whole number of its periods are an error elsewhere.
        if shared_tile::check(&tile(only)).is_ok() {
            return only;
        }
    }
    // What is not copied or loaded as the banks are counted is an error elsewhere.
    let is_loaded =
        warps::plan(schedule.tile, schedule.warps, schedule.mma, schedule.shape()).is_ok();
    let row = tile(Swizzle::IDENTITY).layout.cols;
    if !is_loaded || !row.is_multiple_of(copy.bytes() / bytes) {
        return Swizzle::IDENTITY;
    }
    best_swizzle(tile, schedule, &multiply, side)
}

/// The best of all swizzles of 16-byte chunks or of 2, 4, 8 or 16 of them.
fn best_swizzle(
    tile: impl Fn(Swizzle) -> SharedTile + Clone,
    schedule: &ResolvedSchedule,
    multiply: &Multiply,
    side: Side,
) -> Swizzle {
    let chunk = CHUNK_BYTES / schedule.elements.get(side).bytes();
    let least = chunk.ilog2() as u8;
    let identity = Swizzle { b: 0, m: least, s: least };
    let usual = (least..least + 3).flat_map(|m| {
        (1..=3u8).flat_map(move |b| (b.max(3)..=8).map(move |s| Swizzle { b, m, s }))
    });
    // Short rows of large elements may need another; they are tried last.
    let others = (least..least + 5)
        .flat_map(|m| (1..=4u8).flat_map(move |b| (b..=9).map(move |s| Swizzle { b, m, s })));
    let legal = std::iter::once(identity)
        .chain(usual)
        .chain(others)
        .map(tile)
        .filter(|tile| shared_tile::check(tile).is_ok());
    // One load tells most of them apart from one without conflicts.
    let at_least = |tile: &SharedTile| {
        let path = schedule.path(side, tile.k_contiguous, multiply);
        shared_to_register::first_load_passes(tile, path)
    };
    let is_free =
        |tile: &SharedTile| at_least(tile) == 1 && passes(tile, schedule, multiply, side, 2) == 1;
    // Most tiles have one without conflicts; then the others need not be counted.
    if let Some(free) = legal.clone().find(is_free) {
        return free.layout.swizzle();
    }
    let mut legal: Vec<SharedTile> = legal.collect();
    legal.sort_by_cached_key(at_least);
    let mut best = (identity, u32::MAX);
    for tile in &legal {
        if at_least(tile) >= best.1 {
            break;
        }
        let passes = passes(tile, schedule, multiply, side, best.1);
        if passes < best.1 {
            best = (tile.layout.swizzle(), passes);
        }
    }
    best.0
}

/// The passes of the banks for the worst access to a tile, or for the first that needs `enough`.
fn passes(
    tile: &SharedTile,
    schedule: &ResolvedSchedule,
    multiply: &Multiply,
    side: Side,
    enough: u32,
) -> u32 {
    let path = schedule.path(side, tile.k_contiguous, multiply);
    let loads = shared_to_register::load_passes(tile, path, enough);
    if loads >= enough {
        return loads;
    }
    let atom = *schedule.copy.get(side);
    loads.max(global_to_shared::store_passes(tile, atom, schedule.threads(), enough))
}
