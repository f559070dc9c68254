//! [`TileError`]: what is wrong with the scales of a factor.

use gemm_codegen::Axis;

use super::{Dimension, Operand, parts};

/// What is wrong with the scales of a factor: each of its tiles has one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum TileError {
    /// There are more scales than tiles, or fewer.
    #[error(
        "{operand}: expected {} ({index} = {extent} {}), got {got}{}",
        dimension.counted(*expected), in_tiles(*extent, *tile, *expected), padded(.padded_by, .index)
    )]
    Count {
        operand: Operand,
        dimension: Dimension,
        axis: Axis,
        index: Box<str>,
        extent: usize,
        tile: usize,
        expected: usize,
        got: usize,
        padded_by: Option<Box<PackedRows>>,
    },

    /// A tile would end beyond K.
    #[error(
        "{operand}: {index} = {k} is not a multiple of {tile}, the {index} of a tile with one scale"
    )]
    Part { operand: Operand, index: Box<str>, k: usize, tile: usize },
}

/// The rows of a packed factor from which alone an extent is known, as a multiple of their lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct PackedRows {
    pub factor: String,
    pub rows: usize,
    pub lines: usize,
}

/// How an extent is divided; a tile of packed integers has several elements along K.
fn in_tiles(extent: usize, tile: usize, expected: usize) -> String {
    match expected / extent.div_ceil(tile.max(1)).max(1) {
        0 | 1 => format!("in tiles of {tile}"),
        elements => format!("in tiles of {tile}, each of {elements}"),
    }
}

fn padded(by: &Option<Box<PackedRows>>, index: &str) -> String {
    by.as_deref().map_or(String::new(), |PackedRows { factor, rows, lines }| {
        let rows = parts::count(*rows as u64, "packed row");
        format!(
            "\nhelp: {factor} has {rows} of {lines} lines, and nothing else states {index}: pass an output of this \
             extent to `into`"
        )
    })
}
