//! [`SplitBy`]: what of a matrix has a scale of its own as planes.

/// What of a matrix is a row of planes, with a scale of its own: the other index is summed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SplitBy {
    /// Each row, of a factor whose last index is summed over.
    Rows,
    /// Each column, of a factor whose first index is summed over.
    Columns,
}

impl SplitBy {
    pub(crate) fn k_contiguous(self) -> bool {
        self == SplitBy::Rows
    }
}
