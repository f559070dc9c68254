//! [`BatchError`]: errors of batches of matrices.

use std::fmt;

use super::{Operand, Origin};

/// Which index of a batch a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum BatchIndex {
    Only,
    Outer,
    Inner,
}

impl BatchIndex {
    /// The index of this number, the outermost being 0, among as many as an output has.
    pub(crate) fn of(number: usize, rank: usize) -> BatchIndex {
        match (number, rank) {
            (_, 1) => BatchIndex::Only,
            (0, _) => BatchIndex::Outer,
            _ => BatchIndex::Inner,
        }
    }
}

impl fmt::Display for BatchIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BatchIndex::Only => "",
            BatchIndex::Outer => " along the outer index",
            BatchIndex::Inner => " along the inner index",
        })
    }
}

/// An error of a batch of matrices, or between batches.
///
/// `batch` is the number of its matrices; distances are in elements, `stride` from the start of a
/// matrix to the start of the next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum BatchError {
    /// A batch has another number of matrices, or of vectors, than the one of `given_by`.
    #[error("{operand}: expected a batch of {expected}{index} (that of {given_by}), got {got}")]
    Count { operand: Operand, index: BatchIndex, expected: usize, got: usize, given_by: Origin },

    /// A view has two batch indices, but its parameter one, and no single stride steps through both.
    #[error(
        "{operand}: expected a batch over one index, got {} times {} matrices, {} and {} elements \
         apart\nhelp: declare it `Batched<T, (B, H), ..>`",
        .batches[0], .batches[1], .strides[0], .strides[1]
    )]
    TwoIndices { operand: Operand, batches: [usize; 2], strides: [usize; 2] },

    /// The matrices of a batch are not a whole number for each value of an outer index.
    #[error("{batch} matrices cannot be divided among {outer} values of an outer index")]
    Undivided { batch: usize, outer: usize },

    /// A buffer ends before the last matrix of the batch that it should hold.
    #[error(
        "{batch} {rows}×{columns} matrices with leading dimension {leading_dimension}, {stride} \
         elements apart, need {needed} elements, the buffer has {got}"
    )]
    BufferTooSmall {
        batch: usize,
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        stride: usize,
        needed: usize,
        got: usize,
    },

    /// A batch has more bytes than a 64-bit offset can count.
    #[error("{batch} matrices with a stride of {stride} elements exceed the address space")]
    SizeOverflow { batch: usize, stride: usize },

    /// The matrices of a view do not follow each other in memory.
    #[error("a batch of {batch} matrices has the negative stride {stride}")]
    Stride { batch: usize, stride: isize },

    /// Matrices of a batch that is written share elements. `dense` is the number of elements from the
    /// first of a matrix to the end of its last row.
    #[error(
        "matrices {first} and {second} of an output batch share elements: {rows}×{columns} \
         with leading dimension {leading_dimension}, {stride} elements apart\nhelp: a stride of \
         {dense} or more keeps them apart"
    )]
    Overlap {
        first: usize,
        second: usize,
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        stride: usize,
        dense: usize,
    },
}
