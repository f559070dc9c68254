//! Instructions that the four warps of a warpgroup execute together.
//!
//! Each warp waits until the others have come to the same instruction. The last one lets the block execute it, which
//! has the registers of all four.

use super::block::Block;
use super::descriptor::{CHUNK, Descriptor, Major};
use super::instruction::multiply_by_warpgroup;
use super::meeting::{Meeting, Operands};
use super::request::Request;
use super::step::{Executed, Stop};
use super::warp::{State, Warp};
use crate::fault::{Direction, Fault, Violation, WarpgroupProblem};
use crate::fragment::{Position, a_position};
use crate::lanes::WARPS;
use crate::memory::{Race, ReadingId, SharedProblem};
use crate::program::{Factor, FactorSource, MatrixElement, Op, WarpgroupMultiply, WarpgroupOp};
use crate::ptx::Space;

/// Rows of A that a warp has.
const WARP_ROWS: usize = 16;

/// Elements along K.
type Row = [u8; WarpgroupMultiply::K_BYTES];

impl Block<'_> {
    /// All warps of a warpgroup have come to an instruction.
    pub(super) fn warpgroup_met(&mut self, warpgroup: u32) -> Result<(), Fault> {
        let program = self.context.program;
        let meeting = self.common.meetings[warpgroup as usize];
        let Some(meeting) = meeting.filter(Meeting::is_complete) else { return Ok(()) };
        let done = match &program.code[meeting.pc as usize].op {
            Op::Warpgroup(WarpgroupOp::Multiply(op)) => {
                self.multiply((warpgroup, meeting.pc), op, meeting.operands).map(|()| true)
            }
            Op::Warpgroup(WarpgroupOp::SetRegisters(op)) => {
                let set = self.common.budget.set(warpgroup, op.count, op.increases);
                set.map_err(|problem| Stop::new(Violation::Warpgroup(problem), 0))
            }
            _ => Ok(true),
        };
        let first = (WARPS * warpgroup) as usize;
        if !done.map_err(|stop| self.fault(first, meeting.pc, *stop))? {
            return Ok(());
        }
        self.common.meetings[warpgroup as usize] = None;
        self.trace_meeting(warpgroup);
        for warp in self.warpgroup(warpgroup) {
            let waiting = warp.fragments.iter_mut();
            let waiting = waiting.filter(|fragment| fragment.state == State::AtWarpgroup);
            waiting.for_each(|fragment| fragment.state = State::Running);
        }
        // What waits for registers may now get them.
        (0..self.common.meetings.len() as u32).try_for_each(|other| self.warpgroup_met(other))
    }

    fn warpgroup(&mut self, number: u32) -> impl Iterator<Item = &mut Warp> {
        self.warps.iter_mut().skip((WARPS * number) as usize).take(WARPS as usize)
    }

    /// Multiplies at once: whatever could tell this from a later time, up to the wait, is a fault.
    fn multiply(
        &mut self,
        (warpgroup, pc): (u32, u32),
        op: &WarpgroupMultiply,
        operands: Operands,
    ) -> Executed {
        let [a, b] = operands.descriptors;
        let a = match op.a.source {
            FactorSource::Descriptor(_) => chunks(a, op.a, WarpgroupMultiply::ROWS)?,
            FactorSource::Registers(_) => Vec::new(),
        };
        let b = chunks(b, op.b, op.columns)?;
        let number = self.warps[(WARPS * warpgroup) as usize].multiplies.issued();
        let id = ReadingId::multiply(warpgroup, number);
        let first = self.warps[(WARPS * warpgroup) as usize].member(0);
        let threads = first..first + 32 * WARPS;
        self.trace_multiply((warpgroup, pc), [&a, &b], op.columns);
        let chunks = [a.as_slice(), &b].concat();
        let read = self.common.shared.start_reading(id, chunks, threads);
        read.map_err(|(address, problem)| unreadable(address, problem))?;
        let statistics = &mut self.common.statistics;
        statistics.matrix_multiplies += 1;
        statistics.shared_bytes_loaded += ((a.len() + b.len()) * CHUNK) as u64;
        let a = match op.a.source {
            FactorSource::Descriptor(_) => self.rows(&a, op.a),
            FactorSource::Registers(registers) => {
                rows_of_registers(self.warpgroup(warpgroup), registers, op.a.element)
            }
        };
        let b = self.rows(&b, op.b);
        let registers = self.warpgroup(warpgroup).map(|warp| &mut warp.registers);
        multiply_by_warpgroup(registers, op, [&a, &b], operands.adds);
        Ok(())
    }

    /// The elements of a matrix along K, for each row along M or N.
    fn rows(&self, chunks: &[u32], factor: Factor) -> Vec<Row> {
        let shared = &self.common.shared;
        let mut rows = vec![[0; WarpgroupMultiply::K_BYTES]; chunks.len() / 2];
        if !factor.transposed {
            for (row, chunks) in rows.iter_mut().zip(chunks.as_chunks::<2>().0) {
                row[..CHUNK].copy_from_slice(shared.chunk(chunks[0]));
                row[CHUNK..].copy_from_slice(shared.chunk(chunks[1]));
            }
            return rows;
        }
        // Elements of two bytes, 8 rows in each chunk.
        for (k, chunks) in chunks.chunks(rows.len() / 8).enumerate() {
            for (rows, chunk) in rows.as_chunks_mut::<8>().0.iter_mut().zip(chunks) {
                for (row, element) in rows.iter_mut().zip(shared.chunk(*chunk).as_chunks::<2>().0) {
                    row[2 * k..2 * k + 2].copy_from_slice(element);
                }
            }
        }
        rows
    }
}

/// The elements of A along K, for each row, from the registers of a warpgroup.
fn rows_of_registers<'w>(
    warps: impl Iterator<Item = &'w mut Warp>,
    registers: [u32; 4],
    element: MatrixElement,
) -> Vec<Row> {
    let bytes = element.bits() / 8;
    let mut rows = vec![[0; WarpgroupMultiply::K_BYTES]; WarpgroupMultiply::ROWS];
    for (warp, rows) in warps.zip(rows.as_chunks_mut::<WARP_ROWS>().0) {
        for (number, register) in registers.into_iter().enumerate() {
            for (lane, word) in warp.registers.word(register).iter().enumerate() {
                // The elements of a word are neighbours of one row.
                let Position { row, column } = a_position(WARP_ROWS, 4 / bytes, lane, number, 0);
                rows[row][column * bytes..][..4].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
    rows
}

/// The addresses of the chunks of a factor.
fn chunks(descriptor: u64, factor: Factor, extent: usize) -> Executed<Vec<u32>> {
    let major = if factor.transposed { Major::Mn } else { Major::K };
    let chunks = Descriptor::decode(descriptor).and_then(|of| of.chunks(extent, major));
    chunks.map_err(|what| {
        let problem = WarpgroupProblem::Descriptor { descriptor, what };
        Stop::new(Violation::Warpgroup(problem), 0)
    })
}

/// The fault of a chunk that cannot be read.
#[cold]
fn unreadable(address: u32, problem: SharedProblem) -> Box<Stop> {
    if let SharedProblem::Race(Race { at, other, unfenced: true, .. }) = problem {
        let problem = WarpgroupProblem::NotFenced { address: at.into(), other };
        return Stop::new(Violation::Warpgroup(problem), 0);
    }
    let (space, bytes, direction) = (Space::Shared, CHUNK as u32, Direction::Read);
    Request { space, address: address.into(), bytes, direction, lane: 0 }.shared_problem(problem)
}
