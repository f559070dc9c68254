//! [`Piece`]: what one copy brings of the tile of a side.

use super::GlobalToShared;
use crate::level::scheduler::Cluster;
use crate::level::shared_tile::SharedTile;
use crate::plan::Plan;
use crate::side::SidePlan;

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

impl GlobalToShared {
    /// The copies of a stage by the threads of a block, each of one row; none where boxes bring it.
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

/// What each copy of a stage of a side brings, in the order in which they are started.
pub(crate) fn of(plan: &Plan, side: &SidePlan) -> Vec<Piece> {
    let SidePlan { tile, global_to_shared, .. } = side;
    let operand = plan.contraction.operand(tile.side);
    let Some(tensor) = plan.tensor_box(operand) else {
        return global_to_shared.pieces_of_threads(tile, plan.threads());
    };
    let parts = Cluster::parts(plan.cluster(), tile.side);
    let panels = tile.layout.cols / tensor.columns;
    let boxes = (0..parts).flat_map(|part| (0..panels).map(move |panel| (part, panel)));
    let piece = |(part, panel)| Piece {
        by: Copier::Block(part),
        order: panel,
        at: [part * tensor.rows, panel * tensor.columns],
        extents: [tensor.rows, tensor.columns],
    };
    boxes.map(piece).collect()
}
