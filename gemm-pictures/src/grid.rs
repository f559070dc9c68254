//! [`Grid`]: a tile in shared memory as lines of units, each of some contiguous bytes.

use std::collections::HashMap;

use gemm_codegen::TileOrder;
use gemm_codegen::hardware::{BANK_BYTES, BANKS};
use gemm_codegen::level::shared_tile::{CHUNK_BYTES, SharedTile};

/// Most units of a line that are drawn where they repeat.
const MOST_UNITS: u32 = 16;

/// A tile as lines of units. A line is a row, or a column of a tile that is transposed by its copies: what
/// is contiguous.
pub(crate) struct Grid<'a> {
    pub(crate) tile: &'a SharedTile,
    /// Bytes of a unit: a chunk of 16, or less where lines are no whole number of them.
    pub(crate) bytes: u32,
    /// Lines of the tile.
    pub(crate) lines: u32,
    /// Units of a line.
    pub(crate) units: u32,
}

impl Grid<'_> {
    pub(crate) fn new(tile: &SharedTile) -> Grid<'_> {
        let (lines, length) = match tile.layout.order {
            TileOrder::Rows(_) | TileOrder::Panels { .. } => (tile.layout.rows, tile.layout.cols),
            TileOrder::Columns { .. } => (tile.layout.cols, tile.layout.rows),
        };
        let line_bytes = length * tile.element_bytes;
        let bytes = 1 << line_bytes.trailing_zeros().min(CHUNK_BYTES.trailing_zeros());
        let bytes = tile.element_bytes.max(bytes);
        Grid { tile, bytes, lines, units: line_bytes / bytes }
    }

    /// Elements of a unit.
    pub(crate) fn elements(&self) -> u32 {
        self.bytes / self.tile.element_bytes
    }

    /// Row and column of the first element of a unit.
    pub(crate) fn position(&self, line: u32, unit: u32) -> [u32; 2] {
        match self.tile.layout.order {
            TileOrder::Rows(_) | TileOrder::Panels { .. } => [line, unit * self.elements()],
            TileOrder::Columns { .. } => [unit * self.elements(), line],
        }
    }

    /// Where a unit begins, in bytes from the start of the tile.
    pub(crate) fn address(&self, line: u32, unit: u32) -> u32 {
        let [row, col] = self.position(line, unit);
        self.tile.layout.offset(row, col) * self.tile.element_bytes
    }

    /// The first bank of a unit.
    pub(crate) fn bank(&self, line: u32, unit: u32) -> u32 {
        self.address(line, unit) / BANK_BYTES % BANKS
    }

    /// Line and unit of each address at which a unit begins.
    pub(crate) fn places(&self) -> HashMap<u32, [u32; 2]> {
        let all = (0..self.lines).flat_map(|line| (0..self.units).map(move |unit| [line, unit]));
        all.map(|[line, unit]| (self.address(line, unit), [line, unit])).collect()
    }

    /// Lines and units after which the banks repeat; all units where a line has few.
    pub(crate) fn period(&self) -> [u32; 2] {
        let repeats = |lines: u32, units: u32| {
            (0..self.lines).all(|line| {
                (0..self.units)
                    .all(|unit| self.bank(line, unit) == self.bank(line % lines, unit % units))
            })
        };
        let divisors = |of: u32| (1..=of).filter(move |one| of.is_multiple_of(*one));
        let lines = divisors(self.lines).find(|lines| repeats(*lines, self.units));
        let lines = lines.unwrap_or(self.lines);
        if self.units <= MOST_UNITS {
            return [lines, self.units];
        }
        let units = divisors(self.units).find(|units| repeats(lines, *units));
        [lines, units.unwrap_or(self.units)]
    }

    /// Units of a panel, where there are panels.
    pub(crate) fn panel_units(&self) -> Option<u32> {
        self.tile.panels().map(|panels| self.units / panels)
    }
}
