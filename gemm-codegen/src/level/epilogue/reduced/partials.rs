//! [`Partials`]: what a launch brings for outputs that are reduced.

use crate::axis::Axis;

/// The workspace of all outputs that have one index of the product and are reduced over the other one.
///
/// For each of them, and for each element that it has, a launch brings a partial value of each part of the
/// other index, aligned to 16 bytes, and counts of 4 bytes that are 0. The kernel leaves each count at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Partials {
    /// The index that these outputs have: M or N.
    pub along: Axis,
    /// How many outputs these are.
    pub outputs: u32,
    /// Bytes of a partial value.
    pub bytes: u32,
    /// Elements of an output that share a count.
    pub lines: u32,
    /// Extent of a part of the other index.
    pub part: u32,
    /// Partial values of a part.
    pub passes: u32,
}

impl Partials {
    /// Partial values of `matrices` products whose index [`along`](Self::along) has `lines` elements and
    /// whose other one has `others`.
    pub fn values(&self, matrices: usize, lines: usize, others: usize) -> usize {
        let parts = others.div_ceil(self.part as usize) * self.passes as usize;
        self.outputs as usize * parts * lines * matrices
    }

    /// Counts of these products.
    pub fn counts(&self, matrices: usize, lines: usize) -> usize {
        matrices * lines.div_ceil(self.lines as usize)
    }
}

/// How the values of a row, or of a column, of the output are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Rows, or columns, of what a block or a warpgroup stores.
    pub(crate) lines: u32,
    /// The extent along them of what has partial values of its own.
    pub(crate) part: u32,
    /// How many partial values that has for a line.
    pub(crate) passes: u32,
    /// The extent along them of what a block or a warpgroup stores.
    pub(crate) across: u32,
}
