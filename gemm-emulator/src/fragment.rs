//! Which elements of a matrix a lane's registers hold in `mma.sync`. (PTX ISA, "Matrix Fragments for mma.*")
//!
//! All shapes follow one rule. With g = lane / 4 and t = lane % 4, and P elements to a register in ascending bits:
//!
//! - A, M x K with M = 8 or 16: a register holds P neighbours of one row. Four lanes of equal g hold 4P columns of row
//!   g; the next register holds the same columns of row g + 8, and only then do the next 4P columns follow.
//! - B, K x 8: the same with rows and columns exchanged: column g, and 4P rows a register.
//! - C and D, M x 8: two neighbours of row g, columns 2t and 2t + 1, then those of row g + 8.
//!
//! An element wider than a 32-bit register (f64) has P = 1.

/// A place in a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// Lanes that share a row of A, a column of B, or a row of an accumulator.
const GROUP: usize = 4;
/// Rows that one register covers over all lanes.
const ROWS: usize = 8;
/// Columns of B, C and D.
pub(crate) const COLUMNS: usize = 8;

/// Registers of a lane for A of `rows` x `k`.
pub(crate) fn a_registers(rows: usize, k: usize, per_register: usize) -> usize {
    rows / ROWS * b_registers(k, per_register)
}

/// Registers of a lane for B of `k` x 8.
pub(crate) fn b_registers(k: usize, per_register: usize) -> usize {
    k / (GROUP * per_register)
}

/// Registers of a lane for C or D of `rows` x 8.
pub(crate) fn accumulator_registers(rows: usize, per_register: usize) -> usize {
    rows * COLUMNS / (ROWS * GROUP * per_register)
}

/// Where an element of A stands, of a fragment with `rows` rows.
#[inline(always)]
pub(crate) fn a_position(
    rows: usize,
    per_register: usize,
    lane: usize,
    register: usize,
    element: usize,
) -> Position {
    let bands = rows / ROWS;
    let along = b_position(per_register, lane, register / bands, element);
    Position { row: along.column + ROWS * (register % bands), column: along.row }
}

/// Where an element of B stands.
#[inline(always)]
pub(crate) fn b_position(
    per_register: usize,
    lane: usize,
    register: usize,
    element: usize,
) -> Position {
    let block = GROUP * per_register * register;
    Position { row: block + per_register * (lane % GROUP) + element, column: lane / GROUP }
}

/// Where an element of C or D stands.
#[inline(always)]
pub(crate) fn accumulator_position(
    per_register: usize,
    lane: usize,
    register: usize,
    element: usize,
) -> Position {
    let at = per_register * register + element;
    Position { row: lane / GROUP + ROWS * (at / 2), column: 2 * (lane % GROUP) + at % 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::LANES;
    use std::collections::HashSet;

    /// Fails unless the positions are each of `rows` x `columns` once.
    fn cover(positions: impl Iterator<Item = Position>, rows: usize, columns: usize) {
        let mut seen = HashSet::new();
        for Position { row, column } in positions {
            assert!(
                row < rows && column < columns && seen.insert((row, column)),
                "{row}, {column}"
            );
        }
        assert_eq!(seen.len(), rows * columns);
    }

    fn each(registers: usize, per: usize) -> impl Iterator<Item = [usize; 3]> {
        let of_lane = move |lane| {
            (0..registers).flat_map(move |register| (0..per).map(move |e| [lane, register, e]))
        };
        (0..LANES).flat_map(of_lane)
    }

    #[test]
    fn every_element_has_one_owner() {
        for (rows, k, per) in
            [(8, 4, 1), (16, 4, 1), (16, 8, 2), (16, 16, 2), (16, 32, 4), (16, 64, 8), (8, 32, 8)]
        {
            let places = each(a_registers(rows, k, per), per);
            cover(places.map(|[l, r, e]| a_position(rows, per, l, r, e)), rows, k);
            let places = each(b_registers(k, per), per);
            cover(places.map(|[l, r, e]| b_position(per, l, r, e)), k, COLUMNS);
        }
        for (rows, per) in [(8, 1), (16, 1), (16, 2)] {
            let places = each(accumulator_registers(rows, per), per);
            cover(places.map(|[l, r, e]| accumulator_position(per, l, r, e)), rows, COLUMNS);
        }
    }
}
