//! Every copy that every thread starts for one stage, as the emitted loops do.

use gemm_codegen::Side;

use super::way::Way;
use super::{Case, transposed};

/// What one instruction of one warp copies: the row and the first column for each active lane.
pub(super) type Instruction = Vec<(u32, u32)>;

/// Whether a byte of the tile is not written, written twice, or written beyond the tile.
pub(super) fn leave_gaps(case: &Case<'_>, side: Side, threads: u32) -> bool {
    let Some([rows, columns, element]) = case.shared_tile(side) else { return false };
    if case.way(side) == Way::Tensor {
        return false;
    }
    let (bytes, _) = case.copy(side);
    let mut written = vec![0u32; (rows * columns * element) as usize];
    for (row, column) in walk(case, side, threads).into_iter().flatten() {
        let first = (row * columns + column) * element;
        for byte in first..first + bytes {
            match written.get_mut(byte as usize) {
                Some(times) => *times += 1,
                None => return true,
            }
        }
    }
    written.iter().any(|times| *times != 1)
}

/// The instructions of all warps; empty if a copy is longer than a row, or no warp's.
pub(super) fn walk(case: &Case<'_>, side: Side, threads: u32) -> Vec<Instruction> {
    let Some([rows, columns, element]) = case.shared_tile(side) else { return Vec::new() };
    let vector = case.copy(side).0 / element;
    if vector == 0 || columns < vector || case.way(side) == Way::Tensor {
        return Vec::new();
    }
    // As many threads a row as share its copies equally.
    let most =
        if transposed::is(case, side) { transposed::threads_of_row(columns) } else { threads };
    let mut thread_columns = most.min(columns / vector);
    while !(columns / vector).is_multiple_of(thread_columns) {
        thread_columns -= 1;
    }
    let thread_rows = threads / thread_columns;
    let mut instructions = Vec::new();
    let (mut row, end) = (0, columns / vector * vector);
    while row < rows {
        let mut column = 0;
        while column < end {
            for warp in 0..threads / 32 {
                let lanes = (warp * 32..warp * 32 + 32).filter_map(|thread| {
                    let (down, along) = (thread / thread_columns, thread % thread_columns);
                    let active = down < thread_rows && row + down < rows;
                    active.then_some((row + down, column + along * vector))
                });
                instructions.push(lanes.collect());
            }
            column += thread_columns * vector;
        }
        row += thread_rows;
    }
    instructions
}
