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
    // No copy moves a part of an element, also where the tile has no whole one.
    if bytes < element {
        return true;
    }
    let mut written = vec![0u32; (rows * columns * element) as usize];
    for (row, column) in walk(case, side, threads, 1).into_iter().flatten() {
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

/// The instructions of all warps; empty if a copy is longer than a row, or no warp's. Several second factors
/// are copied one after the other, each to its parts of the tile, one for each of the `warps_n` along N.
pub(super) fn walk(case: &Case<'_>, side: Side, threads: u32, warps_n: u32) -> Vec<Instruction> {
    let Some([mut rows, mut columns, element]) = case.shared_tile(side) else { return Vec::new() };
    let products = if side == Side::B { case.products } else { 1 };
    let along_k = case.multiplied().is_some_and(|[_, b]| b.k_contiguous == Some(true));
    let lines = if along_k { &mut rows } else { &mut columns };
    *lines /= products;
    let each = (*lines / warps_n).max(1);
    let mut instructions = Vec::new();
    for factor in 0..products {
        let place = |line: u32| match products {
            1 => line,
            _ => line / each * each * products + factor * each + line % each,
        };
        let place = |(row, column): (u32, u32)| match along_k {
            true => (place(row), column),
            false => (row, place(column)),
        };
        let of_factor = walk_one(case, side, threads, [rows, columns, element]);
        instructions
            .extend(of_factor.into_iter().map(|lanes| lanes.into_iter().map(place).collect()));
    }
    instructions
}

/// Those of a tile of one factor.
fn walk_one(
    case: &Case<'_>,
    side: Side,
    threads: u32,
    [rows, columns, element]: [u32; 3],
) -> Vec<Instruction> {
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
