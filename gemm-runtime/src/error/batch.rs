//! [`BatchError`]: what is wrong with a batch of matrices.

use super::Origin;

/// What is wrong with a batch of matrices, or between batches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A batch has another number of matrices than another operand's.
    #[error("{operand}: expected a batch of {expected} (that of {given_by}), got {got}")]
    Count {
        /// The operand that does not fit.
        operand: String,
        /// How many matrices `given_by` has.
        expected: usize,
        /// How many matrices, or vectors, this operand has.
        got: usize,
        /// Whose number came first.
        given_by: Origin,
    },

    /// A buffer ends before the last matrix of the batch that it should hold.
    #[error(
        "{batch} {rows}×{columns} matrices with leading dimension {leading_dimension}, {stride} \
         elements apart, need {needed} elements, the buffer has {got}"
    )]
    BufferTooSmall {
        /// Matrices of the batch.
        batch: usize,
        /// Rows of a matrix.
        rows: usize,
        /// Columns of a matrix.
        columns: usize,
        /// Elements from the start of a row to the start of the next.
        leading_dimension: usize,
        /// Elements from the start of a matrix to the start of the next.
        stride: usize,
        /// Elements up to the end of the last row.
        needed: usize,
        /// Elements of the buffer.
        got: usize,
    },

    /// A batch has more bytes than a 64-bit offset can count.
    #[error("{batch} matrices with a stride of {stride} elements exceed the address space")]
    SizeOverflow {
        /// Matrices of the batch.
        batch: usize,
        /// Elements from the start of a matrix to the start of the next.
        stride: usize,
    },

    /// The matrices of a view do not follow each other in memory.
    #[error("a batch of {batch} matrices has the negative stride {stride}")]
    Stride {
        /// Matrices of the batch.
        batch: usize,
        /// Elements from the start of a matrix to the start of the next.
        stride: isize,
    },

    /// Matrices of a batch that is written share elements.
    #[error(
        "matrices {first} and {second} of an output batch share elements: {rows}×{columns} \
         with leading dimension {leading_dimension}, {stride} elements apart\nhelp: a stride of \
         {dense} or more keeps them apart"
    )]
    Overlap {
        /// The number of one.
        first: usize,
        /// The number of another.
        second: usize,
        /// Rows of a matrix.
        rows: usize,
        /// Columns of a matrix.
        columns: usize,
        /// Elements from the start of a row to the start of the next.
        leading_dimension: usize,
        /// Elements from the start of a matrix to the start of the next.
        stride: usize,
        /// Elements from the first of a matrix to the end of its last row.
        dense: usize,
    },
}
