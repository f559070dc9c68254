//! Parts of faults that describe an access.

use std::fmt;

/// Reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A load.
    Read,
    /// A store.
    Write,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Read => "read",
            Direction::Write => "write",
        })
    }
}

/// An allocation, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allocation {
    /// Its first address.
    pub base: u64,
    /// Its size.
    pub bytes: u64,
}

/// The bytes nearest to an access out of bounds: a row of an operand, or all of an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// Name of the operand; none for an allocation or a variable of the module.
    pub operand: Option<String>,
    /// Number of the row, from 0.
    pub row: u64,
    /// Rows of the operand.
    pub rows: u64,
    /// First address of the row.
    pub base: u64,
    /// Length of the row.
    pub bytes: u64,
}
