//! What a lane holds of a matrix, as rectangles of neighbours.

use gemm_codegen::{Fragment, Owner};

/// Neighbouring elements that the same lanes hold.
pub(super) struct Held {
    pub(super) lanes: Vec<u32>,
    /// The registers that they are in, in order.
    pub(super) registers: Vec<u32>,
    /// Row and column of the first one.
    pub(super) at: [u32; 2],
    /// Rows and columns.
    pub(super) extents: [u32; 2],
}

impl Held {
    /// Whether it is held in the same registers, in as many rows and columns.
    pub(super) fn is_like(&self, other: &Held) -> bool {
        (&self.registers, self.extents) == (&other.registers, other.extents)
    }
}

/// The lanes that hold an element, and its register there.
#[derive(Clone, Default, PartialEq)]
struct Cell {
    lanes: Vec<u32>,
    register: u32,
}

/// What lanes hold of a matrix, each element once, row by row.
pub(super) fn held(map: &Fragment) -> Vec<Held> {
    let (rows, columns) = (map.rows(), map.columns());
    let mut cells = vec![Cell::default(); (rows * columns) as usize];
    for (Owner { lane, register, .. }, [row, column]) in map.iter() {
        let cell = &mut cells[(row * columns + column) as usize];
        cell.lanes.push(lane);
        cell.register = register;
    }
    let at = |row: u32, column: u32| &cells[(row * columns + column) as usize];
    let mut is_taken = vec![false; cells.len()];
    let mut found = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if is_taken[(row * columns + column) as usize] {
            continue;
        }
        let lanes = &at(row, column).lanes;
        let is_same = |row, column| at(row, column).lanes == *lanes;
        let right = (column..columns).take_while(|column| is_same(row, *column)).count() as u32;
        let is_row = |row: u32| (column..column + right).all(|column| is_same(row, column));
        let down = (row..rows).take_while(|row| is_row(*row)).count() as u32;
        let mut registers = Vec::new();
        for (row, column) in
            (row..row + down).flat_map(|row| (column..column + right).map(move |at| (row, at)))
        {
            is_taken[(row * columns + column) as usize] = true;
            let register = at(row, column).register;
            if !registers.contains(&register) {
                registers.push(register);
            }
        }
        let extents = [down, right];
        found.push(Held { lanes: lanes.clone(), registers, at: [row, column], extents });
    }
    found
}
