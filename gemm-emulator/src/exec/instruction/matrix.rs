//! `ldmatrix` and `stmatrix`.
//!
//! Fragment layouts are those of the PTX ISA. With g = lane / 4 and t = lane % 4, a lane holds of an 8x8 matrix of
//! 16-bit elements row g, columns 2t and 2t + 1.

use crate::exec::request::Request;
use crate::exec::step::{Executed, Step};
use crate::fault::Direction;
use crate::lanes::{ALL, Lanes};
use crate::program::MatrixMove;

/// Bytes of one row of an 8x8 matrix.
const ROW_BYTES: u32 = 16;

/// The request for row `row` of matrix `matrix`, whose address lane 8 * matrix + row gives.
fn row_request(
    moved: &MatrixMove,
    rows: &Lanes<u64>,
    matrix: usize,
    row: usize,
    direction: Direction,
) -> Executed<Request> {
    let lane = 8 * matrix + row;
    let (space, address, bytes) = (moved.space, rows[lane], ROW_BYTES);
    Request { space, address, bytes, direction, lane }.in_shared()
}

pub(super) fn load(step: &mut Step<'_>, moved: &MatrixMove, rows: &Lanes<u64>) -> Executed {
    for matrix in 0..usize::from(moved.count) {
        let mut words = [[0u32; 4]; 8];
        for (row, words) in words.iter_mut().enumerate() {
            let request = row_request(moved, rows, matrix, row, Direction::Read)?;
            let thread = step.warp.member(request.lane);
            let loaded = step.common.shared.load_row(request.address, thread);
            *words = loaded.map_err(|problem| request.shared_problem(problem))?;
        }
        let element =
            |row: usize, column: usize| words[row][column / 2] >> (16 * (column % 2)) & 0xffff;
        let values = std::array::from_fn(|lane| {
            let (g, t) = (lane / 4, lane % 4);
            if moved.transposed {
                element(2 * t, g) | element(2 * t + 1, g) << 16
            } else {
                words[g][t]
            }
        });
        step.warp.registers.set_word(moved.registers[matrix], ALL, &values);
    }
    step.common.statistics.shared_bytes_loaded += u64::from(moved.count) * u64::from(8 * ROW_BYTES);
    Ok(())
}

pub(super) fn store(step: &mut Step<'_>, moved: &MatrixMove, rows: &Lanes<u64>) -> Executed {
    for matrix in 0..usize::from(moved.count) {
        let values = *step.warp.registers.word(moved.registers[matrix]);
        let mut elements = [[0u32; 8]; 8];
        for (lane, value) in values.iter().enumerate() {
            let (g, t) = (lane / 4, lane % 4);
            for (half, value) in [value & 0xffff, value >> 16].into_iter().enumerate() {
                if moved.transposed {
                    elements[2 * t + half][g] = value;
                } else {
                    elements[g][2 * t + half] = value;
                }
            }
        }
        for (row, elements) in elements.iter().enumerate() {
            let request = row_request(moved, rows, matrix, row, Direction::Write)?;
            let words = std::array::from_fn(|at| elements[2 * at] | elements[2 * at + 1] << 16);
            let thread = step.warp.member(request.lane);
            let stored = step.common.shared.store(request.address, ROW_BYTES, words, thread);
            stored.map_err(|problem| request.shared_problem(problem))?;
        }
    }
    step.common.statistics.shared_bytes_stored += u64::from(moved.count) * u64::from(8 * ROW_BYTES);
    Ok(())
}
