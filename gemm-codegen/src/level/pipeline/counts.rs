//! What completes a phase of the barriers of a stage, by enumeration of the threads that arrive and of
//! the elements that land.

use crate::hardware::WARP;
use crate::level::global_to_shared::TensorBox;
use crate::level::scheduler::Cluster;
use crate::level::shared_tile::SharedTile;

/// What the barriers of a stage count in a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageCounts {
    /// Arrivals at `full`, and at `empty`.
    pub arrivals: [u32; 2],
    /// The boxes that land in a stage, those of A first: the first byte of each, and the bytes of the
    /// elements in it.
    pub boxes: Vec<[u32; 2]>,
}

impl StageCounts {
    /// Those of stages that boxes of both tiles fill, in rings that `threads` of a block share each.
    pub(crate) fn new(
        tiles: [(&SharedTile, TensorBox); 2],
        threads: u32,
        cluster: Option<Cluster>,
    ) -> StageCounts {
        let mut boxes = Vec::new();
        tiles.into_iter().for_each(|(tile, part)| push_boxes(tile, part, &mut boxes));
        // The threads of each block leave a stage to which its producer copies.
        let blocks = cluster.map_or(1, Cluster::fillers);
        let leave = (0..blocks).flat_map(|_| 0..threads).filter(|thread| thread % WARP == 0);
        // One thread issues the copies of a stage.
        StageCounts { arrivals: [1, leave.count() as u32], boxes }
    }

    /// Bytes that land in a stage.
    pub fn bytes(&self) -> u32 {
        self.boxes.iter().map(|[_, bytes]| bytes).sum()
    }

    /// The lines that compare the constants of the text with these numbers.
    pub(super) fn cuda(&self, empty_arrivals: &str) -> String {
        let [full, empty] = self.arrivals;
        format!(
            "// The arrivals that complete a phase: at `full`, with the bytes of the boxes, of the thread\n\
             // that copies, at `empty` of a lane of each warp that multiplies the stage. The plan has enumerated\n\
             // the boxes that land and the threads that arrive.\n\
             constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = {empty_arrivals};\n\
             constexpr unsigned BOXES_BYTES = TileA::BYTES + TileB::BYTES;\n\
             static_assert(BOXES_BYTES == {}, \"bytes of the boxes\");\n\
             static_assert(FULL_ARRIVALS == {full} && EMPTY_ARRIVALS == {empty}, \"arrivals\");\n",
            self.bytes()
        )
    }
}

/// Adds the boxes of a tile, found by the elements that lie in each.
fn push_boxes(tile: &SharedTile, part: TensorBox, boxes: &mut Vec<[u32; 2]>) {
    let bytes = part.rows * part.columns * tile.element_bytes;
    let [mn, k] = match (tile.k_contiguous, tile.layout.rows, tile.layout.cols) {
        (true, rows, cols) => [rows, cols],
        (false, rows, cols) => [cols, rows],
    };
    let mut landed = vec![0; (mn * k * tile.element_bytes).div_ceil(bytes) as usize];
    for (mn, k) in (0..mn).flat_map(|mn| (0..k).map(move |k| (mn, k))) {
        let [row, col] = if tile.k_contiguous { [mn, k] } else { [k, mn] };
        let at = tile.layout.offset(row, col) * tile.element_bytes;
        landed[(at / bytes) as usize] += tile.element_bytes;
    }
    let mut first = boxes.last().map_or(0, |[at, bytes]| at + bytes);
    for of_box in landed {
        boxes.push([first, of_box]);
        first += bytes;
    }
}
