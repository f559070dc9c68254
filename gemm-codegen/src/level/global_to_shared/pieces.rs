//! [`Piece`]: what one copy brings of the tile of a side.

use super::{GlobalToShared, TensorBox};
use crate::level::shared_tile::SharedTile;

/// A rectangle of a tile that one copy brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Who starts the copy.
    pub by: Copier,
    /// How many copies of this tile it has started before.
    pub order: u32,
    /// First row and column in the tile.
    pub at: [u32; 2],
    /// Rows and columns.
    pub extents: [u32; 2],
}

/// Who starts a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copier {
    /// A thread of the block.
    Thread(u32),
    /// The block of this number among those of a cluster that multiply the tile: one of its threads has
    /// a box copied to all of them. A block that shares no tile has number 0.
    Block(u32),
}

/// Who copies a tile: these threads of a block, or blocks of a cluster, a box each for every panel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Copiers {
    Threads(u32),
    Blocks { parts: u32, each: TensorBox },
}

impl GlobalToShared {
    /// What each copy of a stage brings of a tile, in the order in which they are started: copies of a row
    /// by `threads` of a block, or boxes by `parts` blocks of a cluster.
    pub(crate) fn pieces(&self, tile: &SharedTile, by: Copiers) -> Vec<Piece> {
        match by {
            Copiers::Threads(threads) => self.pieces_of_threads(tile, threads),
            Copiers::Blocks { parts, each } => pieces_of_blocks(tile, parts, each),
        }
    }

    fn pieces_of_threads(&self, tile: &SharedTile, threads: u32) -> Vec<Piece> {
        let vector = self.atom.bytes() / tile.element_bytes;
        let mut started = vec![0; threads as usize];
        let copies = super::copies(tile, vector, threads).map(|[thread, row, col]| {
            let order = started[thread as usize];
            started[thread as usize] += 1;
            Piece { by: Copier::Thread(thread), order, at: [row, col], extents: [1, vector] }
        });
        copies.collect()
    }
}

fn pieces_of_blocks(tile: &SharedTile, parts: u32, each: TensorBox) -> Vec<Piece> {
    let panels = tile.layout.cols / each.columns;
    let rows = parts * each.rows;
    // Rows along K of several factors are boxes of their own.
    let of_factors = (tile.layout.rows / rows.max(1)).max(1);
    let boxes = (0..parts).flat_map(|part| (0..of_factors * panels).map(move |of| (part, of)));
    let piece = |(part, order)| Piece {
        by: Copier::Block(part),
        order,
        at: [order / panels * rows + part * each.rows, order % panels * each.columns],
        extents: [each.rows, each.columns],
    };
    boxes.map(piece).collect()
}
