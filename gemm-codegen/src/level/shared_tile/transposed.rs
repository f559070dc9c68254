//! Tiles that their copies transpose.
//!
//! A lane without tensor cores multiplies neighbours along M by neighbours along N. Where rows run
//! along K these lie in different rows, and what one load brings is two k of one of them: twice the
//! registers, and banks that the factors of a product share. A copy of one element puts it wherever
//! it is wanted: so the columns become contiguous, and fragments are loaded as where rows run along
//! M or N.

use crate::axis::Side;
use crate::field::Field;
use crate::hardware::WARP;
use crate::layout::{Swizzle, TileOrder, bank_passes};
use crate::level::global_to_shared::{CacheOperator, CopyAtom};
use crate::level::mma::Mma;
use crate::rule::{Diagnostic, Rule};

/// Bytes of an element that one asynchronous copy can put anywhere (PTX ISA, "cp.async": a copy has
/// at least 4).
const ELEMENT_BYTES: u32 = 4;

/// The most threads of a warp that lie along a row: eight read the 32 bytes of a sector.
const MOST_ROW_THREADS: u32 = 8;

/// Elements of the widest load of fragments, of which a column begins at a multiple.
const VECTOR: u32 = 4;

/// Paddings after which the banks repeat.
const PADDINGS: u32 = 32;

/// Whether copies by this atom transpose the tile of a side: elements of 4 bytes, one at a time, for
/// register tiles, from rows along K.
pub(crate) fn transposes(mma: Mma, element_bytes: u32, k_contiguous: bool, atom: CopyAtom) -> bool {
    let one_each = match atom {
        CopyAtom::CpAsync { bytes, cache: CacheOperator::Ca, .. } => {
            u32::from(bytes.get()) == ELEMENT_BYTES
        }
        _ => false,
    };
    let by_lanes = matches!(mma, Mma::Fma { .. });
    by_lanes && k_contiguous && element_bytes == ELEMENT_BYTES && one_each
}

/// Threads that share a row of so many elements: a power of two, of which whole ones make a warp.
pub(crate) fn row_threads(cols: u32) -> u32 {
    1 << cols.trailing_zeros().min(MOST_ROW_THREADS.ilog2())
}

/// The elements from one column of a transposed tile to the next: the fewest that keep the columns
/// aligned for the loads of fragments and a warp's copies on different banks.
pub(crate) fn column(rows: u32, cols: u32) -> u32 {
    let aligned = rows.saturating_add((VECTOR - rows % VECTOR) % VECTOR);
    let row_threads = row_threads(cols);
    let passes = |padding: &u32| {
        // A warp's first copies; further cycles of the banks change nothing.
        let pitch = PADDINGS + aligned % PADDINGS + padding;
        let address = |lane| (lane % row_threads * pitch + lane / row_threads) * ELEMENT_BYTES;
        bank_passes(&(0..WARP).map(address).collect::<Vec<u32>>(), ELEMENT_BYTES)
    };
    let padding = (0..PADDINGS).step_by(VECTOR as usize).min_by_key(passes).unwrap_or(0);
    aligned.saturating_add(padding)
}

/// The order of a transposed tile.
pub(super) fn order(rows: u32, cols: u32) -> TileOrder {
    TileOrder::Columns { padding: column(rows, cols) - rows }
}

/// Proves that nothing is swizzled: rows are, and there are none.
pub(crate) fn check_swizzle(side: Side, written: Option<Swizzle>) -> Result<(), Vec<Diagnostic>> {
    let Some(Swizzle { b, m, s }) = written.filter(|swizzle| swizzle.b > 0) else { return Ok(()) };
    let letter = side.letter();
    Err(vec![Diagnostic::new(
        Rule::SwizzleOfRows,
        Field::SwizzleBits(side, 0),
        format!(
            "4-byte copies transpose the tile of {}, but [{b}, {m}, {s}] swizzles rows along K",
            letter.to_uppercase()
        ),
        format!(
            "use swizzle [0, {m}, {s}], or keep rows along K with copy({letter} = cp_async(16, cg))"
        ),
    )])
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::level::global_to_shared;
    use crate::level::shared_tile::SharedTile;

    fn cp_async(bytes: u16, cache: CacheOperator) -> CopyAtom {
        CopyAtom::CpAsync { bytes: NonZeroU16::new(bytes).unwrap(), cache, policy: None }
    }

    fn fma() -> Mma {
        let [m, n] = [8, 8].map(|extent| NonZeroU16::new(extent).unwrap());
        Mma::Fma { m, n }
    }

    #[test]
    fn single_elements_of_rows_along_k_are_transposed_for_lanes() {
        let single = cp_async(4, CacheOperator::Ca);
        assert!(transposes(fma(), 4, true, single));
        assert!(!transposes(fma(), 4, false, single), "rows along M or N");
        assert!(!transposes(fma(), 2, true, single), "two elements a copy");
        assert!(!transposes(Mma::M16n8k8, 4, true, single), "tensor cores");
        let ld_global = CopyAtom::LdGlobal { bytes: NonZeroU16::new(4).unwrap() };
        for wide in [cp_async(8, CacheOperator::Ca), cp_async(16, CacheOperator::Cg), ld_global] {
            assert!(!transposes(fma(), 4, true, wide), "{wide:?}");
        }
    }

    #[test]
    fn columns_lie_as_close_as_the_banks_allow() {
        assert_eq!([column(128, 16), column(256, 16), column(128, 8)], [132, 260, 132]);
        assert_eq!(column(36, 16), 36, "an odd number of vectors");
        assert_eq!([column(128, 4), column(128, 12)], [136; 2], "eight rows of four copies");
        assert_eq!([column(128, 2), column(128, 5)], [144, 128]);
        assert_eq!(column(u32::MAX, 16), u32::MAX);
    }

    #[test]
    fn copies_meet_no_bank_twice_and_stay_inside() {
        for (mn, k) in (4..=260).step_by(4).flat_map(|mn| (1..=33).map(move |k| (mn, k))) {
            let tile = SharedTile::transposed(Side::B, [4, mn, k], 4);
            let atom = cp_async(4, CacheOperator::Ca);
            let plan = global_to_shared::plan(&tile, atom, 128).unwrap();
            assert_eq!((plan.bank_passes, plan.copies), (1, mn * k), "{mn} x {k}");
            assert!(tile.address(mn - 1, k - 1) < tile.bytes());
            assert_eq!(tile.address(0, 1) % 16, 0);
        }
    }

    #[test]
    fn a_swizzle_of_no_bits_is_none() {
        let at = |b| check_swizzle(Side::A, b).map_err(|broken| (broken[0].rule, broken[0].at));
        let swizzle = |b| Some(Swizzle { b, m: 2, s: 3 });
        assert_eq!([at(None), at(swizzle(0))], [Ok(()); 2]);
        assert_eq!(at(swizzle(1)), Err((Rule::SwizzleOfRows, Field::SwizzleBits(Side::A, 0))));
    }
}
