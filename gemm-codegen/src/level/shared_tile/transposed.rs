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
use crate::help::{Edit, Values};
use crate::layout::{Swizzle, TileOrder, bank_passes};
use crate::rule::{Diagnostic, Rule};

/// Bytes of an element that one asynchronous copy can put anywhere (PTX ISA, "cp.async": a copy has
/// at least 4).
pub(crate) const ELEMENT_BYTES: u32 = 4;

/// The most threads of a warp that lie along a row: eight read the 32 bytes of a sector.
const MOST_ROW_THREADS: u32 = 8;

/// Elements of the widest load of fragments; a column begins at a multiple of them.
const VECTOR: u32 = 4;

/// Paddings after which the banks repeat.
const PADDINGS: u32 = 32;

/// Threads that share a row of this number of elements: a power of two that divides a warp.
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
pub(crate) fn check_swizzle(side: Side, swizzle: Swizzle) -> Result<(), Vec<Diagnostic>> {
    let Swizzle { b, m, s } = swizzle;
    if b == 0 {
        return Ok(());
    }
    let letter = side.letter();
    let otherwise = format!("keep rows along K with copy({letter} = cp_async(16, cg))");
    let after = format!(", or {otherwise}");
    let broken = Diagnostic::new(
        Rule::SwizzleOfRows,
        Field::SwizzleBits(side, 0),
        format!(
            "4-byte copies transpose the tile of {}, but [{b}, {m}, {s}] swizzles rows along K",
            letter.to_uppercase()
        ),
        otherwise,
    );
    Err(vec![broken.naming(Values::one([Edit::Swizzle(side)], after))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_lie_as_close_as_the_banks_allow() {
        assert_eq!([column(128, 16), column(256, 16), column(128, 8)], [132, 260, 132]);
        assert_eq!(column(36, 16), 36, "an odd number of vectors");
        assert_eq!([column(128, 4), column(128, 12)], [136; 2], "eight rows of four copies");
        assert_eq!([column(128, 2), column(128, 5)], [144, 128]);
        assert_eq!(column(u32::MAX, 16), u32::MAX);
    }

    #[test]
    fn a_swizzle_of_no_bits_is_none() {
        let at = |b| {
            let broken = check_swizzle(Side::A, Swizzle { b, m: 2, s: 3 });
            broken.map_err(|broken| (broken[0].rule, broken[0].at))
        };
        assert_eq!(at(0), Ok(()));
        assert_eq!(at(1), Err((Rule::SwizzleOfRows, Field::SwizzleBits(Side::A, 0))));
    }
}
