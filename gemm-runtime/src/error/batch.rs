//! [`BatchError`]: errors of batches of matrices.

use std::fmt;

use super::{Operand, Origin};

/// Which index of a batch a message is about: a number, 0 of the outermost, among those of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BatchIndex {
    pub number: usize,
    pub among: usize,
}

impl fmt::Display for BatchIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number, self.among) {
            (_, 1) => Ok(()),
            (0, _) => f.write_str(" along the outermost index"),
            (number, among) if number + 1 == among => f.write_str(" along the innermost index"),
            (number, among) => write!(f, " along index {} of {among}", number + 1),
        }
    }
}

/// Numbers in a message.
pub(crate) fn joined(numbers: &[usize], separator: &str) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(separator)
}

/// The strides of a batch whose matrices follow each other.
fn kept_apart(dense: &[usize]) -> String {
    match dense {
        [stride] => format!("a stride of {stride} or more keeps them apart"),
        strides => format!("strides of {} keep them apart", joined(strides, " and ")),
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

    /// A view has more batch indices than its parameter, and not exactly as many are left where those
    /// merge that a single stride steps through; or it has fewer, and the counts of the others differ.
    #[error(
        "{operand}: expected a batch over {expected} {}, got {} matrices, {} elements apart\nhelp: {}",
        if *expected == 1 { "index" } else { "indices" },
        joined(counts, " times "), joined(strides, " and "),
        if counts.len() < *expected { "`into_batches` gives the matrices several indices" } else {
            "declare an index for each, as in `Batched<T, (B, H), ..>`"
        }
    )]
    Indices { operand: Operand, expected: usize, counts: Vec<usize>, strides: Vec<usize> },

    /// There are not as many matrices as a batch over indices of these values has.
    #[error("{batch} matrices are not a batch of {}", joined(counts, " times "))]
    Counts { batch: usize, counts: Vec<usize> },

    /// A buffer ends before the last matrix of the batch that it should hold; the values and the stride of each index,
    /// the innermost last.
    #[error(
        "{} {rows}×{columns} matrices with leading dimension {leading_dimension}, {} elements apart, need {needed} \
         elements, the buffer has {got}",
        joined(.counts, " times "), joined(.strides, " and ")
    )]
    BufferTooSmall {
        counts: Vec<usize>,
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        strides: Vec<usize>,
        needed: usize,
        got: usize,
    },

    /// A batch has more bytes than a 64-bit offset can count.
    #[error("{batch} matrices with a stride of {stride} elements exceed the address space")]
    SizeOverflow { batch: usize, stride: usize },

    /// The matrices of a view do not follow each other in memory.
    #[error("a batch of {batch} matrices has the negative stride {stride}")]
    Stride { batch: usize, stride: isize },

    /// Matrices of a batch that is written share elements. `dense` has the strides by which they follow each other, that
    /// of the innermost index last.
    #[error(
        "matrices {first} and {second} of an output batch share elements: {rows}×{columns} \
         with leading dimension {leading_dimension}, {stride} elements apart\nhelp: {}",
        kept_apart(.dense)
    )]
    Overlap {
        first: usize,
        second: usize,
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        stride: usize,
        dense: Vec<usize>,
    },
}
