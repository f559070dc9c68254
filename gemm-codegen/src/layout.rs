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
    /// Column after column, and behind each so many elements that hold nothing: the tile is
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
        self.rows * self.cols
    }

    /// Elements from the start of the tile to its end, with those that hold nothing.
    pub fn span(&self) -> u32 {
        match self.order {
            TileOrder::Rows(_) => self.size(),
            TileOrder::Columns { padding } => self.cols * (self.rows + padding),
        }
    }

    /// Offset of an element from the start of the tile, in elements.
    pub fn offset(&self, row: u32, col: u32) -> u32 {
        match self.order {
            TileOrder::Rows(swizzle) => swizzle.apply(row * self.cols + col),
            TileOrder::Columns { padding } => col * (self.rows + padding) + row,
        }
    }

    /// The swizzle of its rows: the identity where columns lie one after the other.
    pub fn swizzle(&self) -> Swizzle {
        match self.order {
            TileOrder::Rows(swizzle) => swizzle,
            TileOrder::Columns { .. } => Swizzle::IDENTITY,
        }
    }

    /// Rows after which the swizzle repeats: an element that many rows below another lies exactly
    /// that many rows behind it.
    pub fn period(&self) -> u32 {
        let span = 1u32 << self.swizzle().span_bits().min(31);
        span >> self.cols.trailing_zeros().min(span.trailing_zeros())
    }

    /// Rows after which the banks of elements of so many bytes repeat: the swizzle does, and so many rows
    /// are a whole number of turns of the banks. Both are powers of two. Only where rows lie one after the
    /// other.
    pub(crate) fn bank_period(&self, element_bytes: u32) -> u32 {
        let turns = (self.cols * element_bytes).trailing_zeros().min(CYCLE.trailing_zeros());
        self.period().max(CYCLE >> turns)
    }

    /// What lies one after the other in a tile of so many rows and columns, in words; and the
    /// members that say how far apart and how much that is.
    pub(crate) fn cuda_order(&self, rows: &str, cols: &str) -> [String; 2] {
        let pitch = "static constexpr int PITCH = ";
        match self.order {
            TileOrder::Rows(Swizzle { b, m, s }) => [
                format!("BLK_{rows} rows of BLK_{cols} elements, Swizzle<{b}, {m}, {s}>"),
                format!("{pitch}COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;"),
            ],
            TileOrder::Columns { padding } => [
                format!("BLK_{cols} columns of BLK_{rows} elements, transposed by the copies"),
                format!("{pitch}(ROWS + {padding}) * int(sizeof(Element)), BYTES = COLS * PITCH;"),
            ],
        }
    }

    /// The members `offset` and `below` of the CUDA struct of a tile with `COLS` elements of type
    /// `Element` a row, `PITCH` bytes.
    ///
    /// Both serve the compiler, which folds what it can see to be constant into the instructions:
    /// a swizzle that stays inside a row xors the column alone, and `below` spares it the proof
    /// that the swizzle repeats.
    pub(crate) fn cuda_members(&self) -> String {
        match self.order {
            TileOrder::Rows(swizzle) => self.cuda_rows(swizzle),
            TileOrder::Columns { .. } => include_str!("level/shared_tile/columns.cuh").to_owned(),
        }
    }

    fn cuda_rows(&self, swizzle: Swizzle) -> String {
        let Swizzle { b, m, s } = swizzle;
        let (period, bits) = (self.period(), swizzle.source_bits());
        let linear = "        const int linear = row * COLS + col;\n";
        let (linear, kept) = if bits == 0 {
            ("", "row * COLS + col".to_owned())
        } else if self.cols.is_multiple_of(1 << (b + m)) {
            (linear, format!("row * COLS + (col ^ ((linear & {bits:#x}) >> {s}))"))
        } else {
            (linear, format!("linear ^ ((linear & {bits:#x}) >> {s})"))
        };
        format!(
            "    // Offset of an element from the start of a stage, in bytes.\n    \
             static __device__ __forceinline__ int offset(int row, int col) {{\n\
             {linear}        \
             return int(sizeof(Element)) * ({kept});\n    }}\n    \
             // The same `rows` rows below (row, col), which is at `above`: the swizzle repeats\n    \
             // after {period}.\n    \
             static __device__ __forceinline__ int below(int above, int row, int col, int rows) {{\n        \
             return rows % {period} == 0 ? above + rows * PITCH : offset(row + rows, col);\n    }}\n"
        )
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
    let lanes_per_group = match bytes {
        16 => 8,
        8 => 16,
        _ => 32,
    };
    addresses.chunks(lanes_per_group).map(|group| group_passes(group, bytes)).max().unwrap_or(0)
}

/// The same for a load by all lanes of a warp: two groups that follow each other are served as one
/// where each lane reads the same as the lane beside it, or as the next but one, and then have to
/// share the banks. So it is in a profiler's counters (docs/emulator.md, "What is counted").
pub fn load_bank_passes(addresses: &[u32; WARP as usize], bytes: u32) -> u32 {
    let pair = match bytes {
        16 => 16,
        8 => 32,
        _ => return bank_passes(addresses, bytes),
    };
    let passes = |lanes: &[u32]| {
        let same = |distance: usize| (0..lanes.len()).all(|at| lanes[at] == lanes[at ^ distance]);
        if same(1) || same(2) { group_passes(lanes, bytes) } else { bank_passes(lanes, bytes) }
    };
    addresses.chunks(pair).map(passes).max().unwrap_or(0)
}

/// The most different words that one bank has to deliver to lanes that are served together.
fn group_passes(addresses: &[u32], bytes: u32) -> u32 {
    // Lanes that touch aligned chunks need the banks of a chunk together: one word speaks for all.
    let whole = bytes > BANK_BYTES && CYCLE.is_multiple_of(bytes);
    let chunks = whole && addresses.iter().all(|address| address % bytes == 0);
    let unit = if chunks { bytes } else { BANK_BYTES };
    let mut words = [0; BANKS as usize];
    let mut count = 0;
    for address in addresses {
        for word in address / unit..=(address + bytes - 1) / unit {
            if count < words.len() && !words[..count].contains(&word) {
                words[count] = word;
                count += 1;
            }
        }
    }
    let mut hits = [0; BANKS as usize];
    words[..count].iter().for_each(|word| hits[(word % (CYCLE / unit)) as usize] += 1);
    hits.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A warp reading eight rows of one 16-byte column of an f16 tile, as `ldmatrix` does.
    fn column_read(cols: u32, swizzle: Swizzle) -> u32 {
        let layout = TileLayout { rows: 8, cols, order: TileOrder::Rows(swizzle) };
        let addresses: Vec<u32> = (0..8).map(|row| layout.offset(row, 0) * 2).collect();
        bank_passes(&addresses, 16)
    }

    #[test]
    fn degrees_of_the_known_swizzles() {
        let swizzle = |b, s| Swizzle { b, m: 3, s };
        // Row pitch in f16 elements, swizzle, passes.
        let known = [
            (8, swizzle(0, 0), 1),
            (16, swizzle(0, 0), 2),
            (16, swizzle(1, 3), 1),
            (32, swizzle(0, 0), 4),
            (32, swizzle(2, 3), 1),
            (32, swizzle(1, 3), 2),
            (32, swizzle(2, 5), 4),
            (64, swizzle(0, 0), 8),
            (64, swizzle(3, 3), 1),
            (64, swizzle(2, 3), 2),
            (128, swizzle(3, 4), 1),
            (128, swizzle(3, 3), 2),
            (256, swizzle(3, 5), 1),
            (256, swizzle(3, 3), 4),
        ];
        for (cols, swizzle, passes) in known {
            assert_eq!(column_read(cols, swizzle), passes, "pitch {cols}, {swizzle:?}");
        }
    }

    #[test]
    fn the_source_bits_never_overflow() {
        for (b, m, s) in [(255, 255, 255), (8, 12, 12), (0, 255, 255), (31, 0, 31)] {
            let swizzle = Swizzle { b, m, s };
            assert_eq!(swizzle.apply(12_345), 12_345, "{swizzle:?}");
        }
    }

    #[test]
    fn rows_a_bank_period_below_meet_the_same_banks() {
        for (cols, b, s) in [(100, 0, 0), (64, 3, 3), (24, 0, 0), (48, 1, 3), (128, 3, 4)] {
            for element_bytes in [1, 2, 4, 8] {
                let order = TileOrder::Rows(Swizzle { b, m: 3, s });
                let layout = TileLayout { rows: 512, cols, order };
                let period = layout.bank_period(element_bytes);
                let bank = |row, col| layout.offset(row, col) * element_bytes % CYCLE;
                for (row, col) in (0..64).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                    assert_eq!(bank(row + period, col), bank(row, col));
                }
            }
        }
    }

    #[test]
    fn the_swizzle_repeats_after_its_period() {
        for (cols, b, s) in
            [(32, 2, 3), (32, 3, 3), (64, 3, 3), (48, 1, 3), (128, 3, 4), (24, 0, 0)]
        {
            let order = TileOrder::Rows(Swizzle { b, m: 3, s });
            let layout = TileLayout { rows: 256, cols, order };
            let period = layout.period();
            for (row, col) in (0..64).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                let below = layout.offset(row + period, col);
                assert_eq!(below, layout.offset(row, col) + period * cols, "{layout:?}");
            }
        }
    }

    #[test]
    fn loads_that_lanes_share_are_served_together() {
        let passes = |chunk: fn(u32) -> u32| {
            let mut addresses = [0; 32];
            (0..).zip(&mut addresses).for_each(|(lane, at)| *at = chunk(lane) * 16);
            (bank_passes(&addresses, 16), load_bank_passes(&addresses, 16))
        };
        assert_eq!(passes(|lane| lane), (1, 1));
        assert_eq!(passes(|lane| lane / 2), (1, 1));
        // Eight chunks of two groups in four places.
        assert_eq!(passes(|lane| lane / 2 % 4 + lane / 8 * 8), (1, 2));
        assert_eq!(passes(|lane| lane % 2 + lane / 4 % 2 * 2 + lane / 8 * 8), (1, 2));
    }

    #[test]
    fn a_word_touched_by_many_lanes_is_one_pass() {
        assert_eq!(bank_passes(&[64; 32], 4), 1);
        let stride_two: Vec<u32> = (0..32).map(|lane| lane * 8).collect();
        assert_eq!(bank_passes(&stride_two, 4), 2);
    }
}
