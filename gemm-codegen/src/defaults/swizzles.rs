//! The swizzle of a side by default, found by counting passes of the banks.

use super::Filled;
use crate::axis::Side;
use crate::contraction::Contraction;
use crate::layout::{Swizzle, TileOrder};
use crate::level::global_to_shared::CopyAtom;
use crate::level::global_to_shared::tensor;
use crate::level::mma::Multiply;
use crate::level::shared_tile::{self, CHUNK_BYTES, SharedTile};
use crate::level::{global_to_shared, shared_to_register};
use crate::spec::Schedule;

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
        let bytes = contraction.element(side).bytes();
        let k_contiguous = contraction.k_contiguous(side);
        if *filled.transposed.get(side) {
            return Swizzle::IDENTITY;
        }
        let tile = |swizzle| filled.shared_tile(side, k_contiguous, swizzle);
        let only = tensor::swizzle(bytes);
        let is_box = match tile(only).layout.order {
            TileOrder::Panels(_) => true,
            _ => k_contiguous && filled.is_box(side),
        };
        if is_box && *filled.copy.get(side) == CopyAtom::Tma && tensor::can_feed(multiply) {
            // Rows that are no whole number of its periods are an error elsewhere.
            if shared_tile::check(&tile(only)).is_ok() {
                return only;
            }
        }
        best_swizzle(tile, filled, multiply, side).0
    })
}

/// The best of all swizzles of 16-byte chunks or of 2, 4, 8 or 16 of them, and the passes it needs.
pub(crate) fn best_swizzle(
    tile: impl Fn(Swizzle) -> SharedTile + Clone,
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
    let legal = std::iter::once(identity)
        .chain(usual)
        .chain(others)
        .map(tile)
        .filter(|tile| shared_tile::check(tile).is_ok());
    // One load tells most of them apart from one without conflicts.
    let at_least = |tile: &SharedTile| {
        let path = filled.path(side, tile.k_contiguous, multiply);
        shared_to_register::first_load_passes(tile, path)
    };
    let is_free =
        |tile: &SharedTile| at_least(tile) == 1 && passes(tile, filled, multiply, side, 2) == 1;
    // Most tiles have one without conflicts; then the others need not be counted.
    if let Some(free) = legal.clone().find(is_free) {
        return (free.layout.swizzle(), 1);
    }
    let mut legal: Vec<SharedTile> = legal.collect();
    legal.sort_by_cached_key(at_least);
    let mut best = (identity, u32::MAX);
    for tile in &legal {
        if at_least(tile) >= best.1 {
            break;
        }
        let passes = passes(tile, filled, multiply, side, best.1);
        if passes < best.1 {
            best = (tile.layout.swizzle(), passes);
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
