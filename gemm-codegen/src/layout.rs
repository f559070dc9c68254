//! Coordinate → offset: the layouts of tiles in shared memory.
//!
//! One definition, three readings: a number ([`TileLayout::offset`]), CUDA text
//! (`TileLayout::cuda_members`) and a bank-conflict count ([`bank_passes`]).

use crate::hardware::{BANK_BYTES, BANKS, WARP};

/// Bytes after which the banks repeat.
const CYCLE: u32 = BANKS * BANK_BYTES;

/// CuTe's `Swizzle<B, M, S>`, counted in **elements**: bits `M+S .. M+S+B` of an offset are xored
/// into bits `M .. M+B`.
///
/// ```text
/// offset  ..... [ B bits ] ....... [ B bits ] [ M bits ]
///                   |      S bits      ^       untouched
///                   +------- xor ------+
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    /// How many bits are xored; 0 leaves every offset as it is.
    pub b: u8,
    /// The lowest bit that changes: `2^M` elements stay together.
    pub m: u8,
    /// How far above it the bits come from.
    pub s: u8,
}

impl Swizzle {
    /// Leaves every offset as it is.
    pub const IDENTITY: Swizzle = Swizzle { b: 0, m: 2, s: 2 };

    /// Number of low bits the pattern depends on: its span is `2^span_bits` elements. The
    /// identity (`B = 0`) has span 1.
    pub fn span_bits(self) -> u32 {
        if self.b == 0 { 0 } else { u32::from(self.b) + u32::from(self.m) + u32::from(self.s) }
    }

    /// The bits of an offset that are xored into lower ones; 0 where the span passes 32 bits,
    /// which no tile has.
    fn source_bits(self) -> u32 {
        if self.b == 0 || self.span_bits() >= 32 {
            0
        } else {
            ((1 << self.b) - 1) << (self.m + self.s)
        }
    }

    /// Where the element at `offset` is kept, both in elements from the start of the tile.
    pub fn apply(self, offset: u32) -> u32 {
        let source = offset & self.source_bits();
        if source == 0 { offset } else { offset ^ (source >> self.s) }
    }
}

/// In which order the elements of a tile lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileOrder {
    /// Row after row; the swizzle is applied to `row * cols + col`.
    Rows(Swizzle),
    /// Panels, one after the other, each row after row; the swizzle is applied to the offsets in each.
    Panels {
        /// Columns of each.
        cols: u32,
        /// What permutes its elements.
        swizzle: Swizzle,
    },
    /// Column after column, each followed by this many elements that hold nothing: the tile is
    /// transposed.
    Columns {
        /// Elements between the end of a column and the next.
        padding: u32,
    },
}

/// A tile in shared memory: `rows` rows of `cols` elements, which are contiguous in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileLayout {
    /// Extent of the dimension that is strided in global memory.
    pub rows: u32,
    /// Extent of the dimension that is contiguous there.
    pub cols: u32,
    /// In which order they lie in shared memory.
    pub order: TileOrder,
}

impl TileLayout {
    /// Elements of the tile.
    pub fn size(&self) -> u32 {
        self.rows.saturating_mul(self.cols)
    }

    /// Elements from the start of the tile to its end, with those that hold nothing. Saturates, as a
    /// schedule may ask for a tile that no block can hold.
    pub fn span(&self) -> u32 {
        match self.order {
            TileOrder::Rows(_) | TileOrder::Panels { .. } => self.size(),
            TileOrder::Columns { padding } => {
                self.cols.saturating_mul(self.rows.saturating_add(padding))
            }
        }
    }

    /// Offset of an element from the start of the tile, in elements.
    pub fn offset(&self, row: u32, col: u32) -> u32 {
        match self.order {
            TileOrder::Rows(swizzle) => swizzle.apply(row * self.cols + col),
            TileOrder::Panels { cols, swizzle } => {
                let (panel, within) = (col / cols, col % cols);
                panel * self.rows * cols + swizzle.apply(row * cols + within)
            }
            TileOrder::Columns { padding } => col * (self.rows + padding) + row,
        }
    }

    /// The swizzle of its rows: the identity where columns lie one after the other.
    pub fn swizzle(&self) -> Swizzle {
        match self.order {
            TileOrder::Rows(swizzle) | TileOrder::Panels { swizzle, .. } => swizzle,
            TileOrder::Columns { .. } => Swizzle::IDENTITY,
        }
    }

    /// Rows after which the swizzle repeats: an element that many rows below another lies exactly
    /// that many rows after it, of a panel where there are panels.
    pub fn period(&self) -> u32 {
        let span = 1u32 << self.swizzle().span_bits().min(31);
        let cols = match self.order {
            TileOrder::Panels { cols, .. } => cols,
            TileOrder::Rows(_) | TileOrder::Columns { .. } => self.cols,
        };
        span >> cols.trailing_zeros().min(span.trailing_zeros())
    }

    /// Rows after which the banks of elements of this size repeat: the swizzle does, and these rows are
    /// a whole number of turns of the banks. Both are powers of two. Only where rows lie one after the
    /// other.
    pub(crate) fn bank_period(&self, element_bytes: u32) -> u32 {
        let turns = (self.cols * element_bytes).trailing_zeros().min(CYCLE.trailing_zeros());
        self.period().max(CYCLE >> turns)
    }

    /// The struct template of the emitted text that such a tile of these rows and columns is, and its file.
    ///
    /// Its members `offset` and `below` serve the compiler, which folds what it can see to be constant
    /// into the instructions.
    pub(crate) fn cuda(&self, element: &str, rows: &str, cols: &str) -> (String, &'static str) {
        let tile = format!("{element}, {rows}, {cols}");
        let swizzle = |Swizzle { b, m, s }| format!("Swizzle<{b}, {m}, {s}>");
        match self.order {
            TileOrder::Rows(of) => (
                format!("RowTile<{tile}, {}>", swizzle(of)),
                include_str!("level/shared_tile/row_tile.cuh"),
            ),
            TileOrder::Panels { cols, swizzle: of } => (
                format!("PanelTile<{tile}, {cols}, {}>", swizzle(of)),
                include_str!("level/shared_tile/panel_tile.cuh"),
            ),
            TileOrder::Columns { padding } => (
                format!("ColumnTile<{tile}, {padding}>"),
                include_str!("level/shared_tile/column_tile.cuh"),
            ),
        }
    }
}

/// How many passes the banks of shared memory need for one warp-wide access in which lane `i`
/// touches `bytes` bytes at `addresses[i]`: the most over the groups of lanes that are served
/// together (8 lanes of 16 bytes, 16 of 8, 32 of 4 or less). 1 is conflict-free.
///
/// Lanes that touch the same 4-byte word are served together (CUDA C++ Programming Guide, "Shared
/// memory"). That wider accesses are served in such groups is common knowledge, not documented,
/// and not yet compared with a profiler's counters.
pub fn bank_passes(addresses: &[u32], bytes: u32) -> u32 {
    let groups = addresses.chunks(lanes_per_group(bytes));
    groups.map(|group| group_passes(group, bytes)).max().unwrap_or(0)
}

/// Lanes that are served together, each with this number of bytes.
pub(crate) fn lanes_per_group(bytes: u32) -> usize {
    match bytes {
        16 => 8,
        8 => 16,
        _ => 32,
    }
}

/// The same for a load by all lanes of a warp: two groups that follow each other are served as one
/// where each lane reads the same as the lane beside it, or as the next but one, and then have to
/// share the banks. So it is in a profiler's counters (docs/emulator.md, "Profile").
pub fn load_bank_passes(addresses: &[u32; WARP as usize], bytes: u32) -> u32 {
    load_groups(addresses, bytes).map(|group| group_passes(group, bytes)).max().unwrap_or(0)
}

/// The lanes of such a load that are served together, one group after the other.
pub(crate) fn load_groups(addresses: &[u32], bytes: u32) -> impl Iterator<Item = &[u32]> {
    let each = lanes_per_group(bytes);
    addresses.chunks(2 * each).flat_map(move |pair| {
        let same = |distance: usize| (0..pair.len()).all(|at| pair[at] == pair[at ^ distance]);
        let is_one = pair.len() == 2 * each && (same(1) || same(2));
        pair.chunks(if is_one { pair.len() } else { each })
    })
}

/// The most different words that one bank has to deliver to lanes that are served together.
pub(crate) fn group_passes(addresses: &[u32], bytes: u32) -> u32 {
    // Lanes that touch aligned chunks need the banks of a chunk together: one word speaks for all.
    let whole = bytes > BANK_BYTES && CYCLE.is_multiple_of(bytes);
    let chunks = whole && addresses.iter().all(|address| address % bytes == 0);
    let unit = if chunks { bytes } else { BANK_BYTES };
    let touched = || addresses.iter().flat_map(|at| at / unit..=(at + bytes - 1) / unit);
    // No bank is touched twice: the usual case, and quickly told.
    let mut banks = 0u32;
    let is_free = touched().all(|word| {
        let bank = 1 << (word % (CYCLE / unit));
        let is_first = banks & bank == 0;
        banks |= bank;
        is_first
    });
    if is_free {
        return u32::from(!addresses.is_empty());
    }
    let mut words = [0; BANKS as usize];
    let mut count = 0;
    for word in touched() {
        if count < words.len() && !words[..count].contains(&word) {
            words[count] = word;
            count += 1;
        }
    }
    let mut hits = [0; BANKS as usize];
    words[..count].iter().for_each(|word| hits[(word % (CYCLE / unit)) as usize] += 1);
    hits.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
