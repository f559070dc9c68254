//! What completes a phase of the barriers of a stage, by enumeration of the threads that arrive and of
//! the elements that land.

use crate::axis::Side;
use crate::hardware::WARP;
use crate::level::scheduler::Cluster;
use crate::plan::Plan;

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
    /// Those of a plan whose stages have barriers.
    pub(crate) fn of(plan: &Plan) -> Option<StageCounts> {
        let mut boxes = Vec::new();
        for side in Side::BOTH {
            push_boxes(plan, side, &mut boxes)?;
        }
        // The warps at one place along K share a ring. Those of each block leave a stage to which its
        // producer copies.
        let threads = plan.warps().threads / plan.warps().grid[2];
        let blocks = plan.cluster().map_or(1, Cluster::fillers);
        let leave = (0..blocks).flat_map(|_| 0..threads).filter(|thread| thread % WARP == 0);
        // One thread issues the copies of a stage.
        Some(StageCounts { arrivals: [1, leave.count() as u32], boxes })
    }

    /// Bytes that land in a stage.
    pub fn bytes(&self) -> u32 {
        self.boxes.iter().map(|[_, bytes]| bytes).sum()
    }

    /// The lines that compare the constants of the text with these numbers.
    pub(super) fn cuda(&self) -> String {
        let [full, empty] = self.arrivals;
        format!(
            "// The plan has enumerated the boxes that land in a stage and the threads that arrive.\n\
             static_assert(STAGE_BYTES == {}, \"bytes of the boxes\");\n\
             static_assert(FULL_ARRIVALS == {full} && EMPTY_ARRIVALS == {empty}, \"arrivals\");\n",
            self.bytes()
        )
    }
}

/// Adds the boxes of a side, found by the elements that lie in each; `None` if it is not copied in boxes.
fn push_boxes(plan: &Plan, side: Side, boxes: &mut Vec<[u32; 2]>) -> Option<()> {
    let tile = plan.shared_tile(side);
    let tensor = plan.tensor_box(plan.contraction().operand(side))?;
    let bytes = tensor.rows * tensor.columns * tile.element_bytes;
    let [mn, k] = match (tile.k_contiguous, tile.layout.rows, tile.layout.cols) {
        (true, rows, cols) => [rows, cols],
        (false, rows, cols) => [cols, rows],
    };
    let mut landed = vec![0; (mn * k * tile.element_bytes).div_ceil(bytes) as usize];
    for (mn, k) in (0..mn).flat_map(|mn| (0..k).map(move |k| (mn, k))) {
        landed[(tile.address(mn, k) / bytes) as usize] += tile.element_bytes;
    }
    let mut first = boxes.last().map_or(0, |[at, bytes]| at + bytes);
    for of_box in landed {
        boxes.push([first, of_box]);
        first += bytes;
    }
    Some(())
}
