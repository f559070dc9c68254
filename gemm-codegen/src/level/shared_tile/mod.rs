//! The tiles of A and B in shared memory: which dimension is contiguous, which swizzle.

mod parts;
mod transposed;

use crate::axis::Side;
use crate::element::Element;
use crate::field::Field;
use crate::help::{Edit, Values};
use crate::layout::{Swizzle, TileLayout, TileOrder};
use crate::rule::{Diagnostic, Rule};

pub use parts::Parts;
pub(crate) use parts::{check as check_parts, check_splits, columns_of_parts};
pub(crate) use transposed::{ELEMENT_BYTES, check_swizzle, column, row_threads};

/// Bytes that stay together in shared memory: what `ldmatrix` reads as one row of a matrix (PTX
/// ISA, "ldmatrix") and what the widest `cp.async` moves.
pub const CHUNK_BYTES: u32 = 16;

/// The tile of one side, with the proof that its swizzle permutes 16-byte chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedTile {
    /// Which operand it holds a part of.
    pub side: Side,
    /// Whether a row runs along K; else along M or N. A row is contiguous in global memory.
    pub k_contiguous: bool,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// Numbers of a line that an element has along K.
    pub numbers: u32,
    /// Lines that share an element.
    pub lines: u32,
    /// Elements along K with numbers of the same K.
    pub in_turn: u32,
    /// Its shape and order, in elements.
    pub layout: TileLayout,
    /// The factors that it holds a part of.
    pub parts: Parts,
}

impl SharedTile {
    /// The tile of `side` in a block of this m, n and k, still unproved.
    pub(crate) fn new(
        side: Side,
        block: [u32; 3],
        k_contiguous: bool,
        element: Element,
        order: TileOrder,
    ) -> SharedTile {
        let (element_bytes, numbers) = (element.bytes(), element.numbers());
        let (lines, in_turn) = (element.lines(), element.in_turn());
        let mn = match side {
            Side::A => block[0] / lines,
            Side::B => block[1] / lines,
        };
        let k = block[2] / numbers;
        let (rows, cols) = if k_contiguous { (mn, k) } else { (k, mn) };
        let layout = TileLayout { rows, cols, order };
        SharedTile {
            side,
            k_contiguous,
            element_bytes,
            numbers,
            lines,
            in_turn,
            layout,
            parts: Parts::ONE,
        }
    }

    /// Rows and columns of what it has of each factor.
    pub(crate) fn of_factor(&self) -> [u32; 2] {
        let TileLayout { rows, cols, .. } = self.layout;
        match self.k_contiguous {
            true => [rows / self.parts.count, cols],
            false => [rows, cols / self.parts.count],
        }
    }

    /// Where row and column of what it has of a factor lie in it.
    pub(crate) fn place(&self, factor: u32, [row, col]: [u32; 2]) -> [u32; 2] {
        match self.k_contiguous {
            true => [self.parts.place(factor, row), col],
            false => [row, self.parts.place(factor, col)],
        }
    }

    /// The tile of `side`, whose rows run along K, as its copies transpose it.
    pub(crate) fn transposed(side: Side, block: [u32; 3], element: Element) -> SharedTile {
        let rows = SharedTile::new(side, block, true, element, TileOrder::Rows(Swizzle::IDENTITY));
        let TileLayout { rows: mn, cols: k, .. } = rows.layout;
        let layout = TileLayout { order: transposed::order(mn, k), ..rows.layout };
        SharedTile { layout, ..rows }
    }

    /// Its panels, if it consists of them.
    pub fn panels(&self) -> Option<u32> {
        match self.layout.order {
            TileOrder::Panels { cols, .. } => Some(self.layout.cols / cols),
            TileOrder::Rows(_) | TileOrder::Columns { .. } => None,
        }
    }

    /// Whether its copies transpose it.
    pub fn is_transposed(&self) -> bool {
        matches!(self.layout.order, TileOrder::Columns { .. })
    }

    /// Bytes of one stage of this tile.
    pub fn bytes(&self) -> u32 {
        self.layout.span().saturating_mul(self.element_bytes)
    }

    /// Byte address of a number's element from the start of the tile; where an element has numbers of several
    /// lines, that of the first of those that have them. `mn` is m for A, n for B.
    pub fn address(&self, mn: u32, k: u32) -> u32 {
        let (mn, k) = (mn / self.lines, k / self.numbers);
        let (row, col) = if self.k_contiguous { (mn, k) } else { (k, mn) };
        self.layout.offset(row, col) * self.element_bytes
    }
}

/// Proves the three laws of a swizzle.
pub(crate) fn check(tile: &SharedTile) -> Result<(), Vec<Diagnostic>> {
    if tile.layout.swizzle().b == 0 {
        return Ok(());
    }
    let laws = [keeps_chunks(tile), inverts_itself(tile), span_divides_tile(tile)];
    let broken: Vec<Diagnostic> = laws.into_iter().flatten().collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// What is wrong with a swizzle where another tile or other warps will be written: the swizzle that is
/// derived of these may not suit those.
pub(crate) fn of_wrong_tile(broken: Vec<Diagnostic>) -> Vec<Diagnostic> {
    broken.into_iter().map(Diagnostic::naming_nothing).collect()
}

/// The swizzle that is derived suits the tile.
fn derived(side: Side) -> Values {
    Values::one([Edit::Swizzle(side)], ", the default")
}

fn keeps_chunks(tile: &SharedTile) -> Option<Diagnostic> {
    let m = tile.layout.swizzle().m;
    let chunk = CHUNK_BYTES / tile.element_bytes;
    (u32::from(m) < chunk.ilog2()).then(|| {
        Diagnostic::new(
            Rule::SwizzleKeepsChunks,
            Field::SwizzleBits(tile.side, 1),
            format!(
                "M = {m} keeps {} B contiguous, but ldmatrix and cp.async need {CHUNK_BYTES} B",
                (1 << m) * tile.element_bytes
            ),
            format!("M must be {} or more: {chunk} elements, {CHUNK_BYTES} B", chunk.ilog2()),
        )
        .naming(derived(tile.side))
    })
}

fn inverts_itself(tile: &SharedTile) -> Option<Diagnostic> {
    let Swizzle { b, s, .. } = tile.layout.swizzle();
    (b > s).then(|| {
        Diagnostic::new(
            Rule::SwizzleInvertsItself,
            Field::SwizzleBits(tile.side, 2),
            format!("B = {b} exceeds S = {s}: the XORed bits overlap their source"),
            "B has to be at most S",
        )
        .naming(derived(tile.side))
    })
}

fn span_divides_tile(tile: &SharedTile) -> Option<Diagnostic> {
    let (span_bits, size) = (tile.layout.swizzle().span_bits(), tile.layout.size());
    let span = 1u32.checked_shl(span_bits);
    span.is_none_or(|span| !size.is_multiple_of(span)).then(|| {
        let most = size.trailing_zeros();
        Diagnostic::new(
            Rule::SwizzleSpanDividesTile,
            Field::Swizzle(tile.side),
            format!(
                "the swizzle repeats every 2^(B + M + S) = 2^{span_bits} elements, which does not \
                 divide the {size} of the {} x {} tile of {}",
                tile.layout.rows,
                tile.layout.cols,
                tile.side.letter().to_uppercase()
            ),
            format!("B + M + S has to be {most} or less"),
        )
        .naming(derived(tile.side))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(b: u8, m: u8, s: u8) -> Vec<Rule> {
        let order = TileOrder::Rows(Swizzle { b, m, s });
        let tile = SharedTile::new(Side::A, [128, 128, 32], true, Element::F16, order);
        check(&tile).map_or_else(|broken| broken.iter().map(|d| d.rule).collect(), |()| Vec::new())
    }

    #[test]
    fn each_law_at_its_boundary() {
        assert_eq!(rules(2, 3, 3), []);
        assert_eq!(rules(2, 2, 3), [Rule::SwizzleKeepsChunks]);
        assert_eq!(rules(3, 3, 3), []);
        assert_eq!(rules(4, 3, 3), [Rule::SwizzleInvertsItself]);
        assert_eq!(rules(3, 3, 6), []);
        assert_eq!(rules(3, 3, 7), [Rule::SwizzleSpanDividesTile]);
        assert_eq!(rules(0, 0, 0), []);
        assert_eq!(rules(255, 255, 255), [Rule::SwizzleSpanDividesTile]);
    }

    #[test]
    fn the_laws_make_an_involution_of_whole_chunks() {
        for (b, s) in (0..=3).flat_map(|b| (b..=6).map(move |s| (b, s))) {
            let swizzle = Swizzle { b, m: 3, s };
            let size = 1 << swizzle.span_bits().max(3);
            for offset in 0..size {
                let kept = swizzle.apply(offset);
                assert_eq!(swizzle.apply(kept), offset);
                assert_eq!((kept % 8, kept < size), (offset % 8, true));
            }
        }
    }
}
