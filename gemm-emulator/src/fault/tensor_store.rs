//! Wrong uses of tensor stores.

use thiserror::Error;

use super::text::other_text;

/// A wrong use of a tensor store. (PTX ISA, "cp.async.bulk.tensor", "cp.async.bulk.wait_group")
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TensorStoreProblem {
    /// Its source is written without an order after the wait until it was read.
    #[error(
        "write at shared address {address:#x} with no order after cp.async.bulk.wait_group for the tensor store of thread {thread} that reads it"
    )]
    Overwritten {
        /// The byte in question.
        address: u64,
        /// Number of the thread that started the store, within its block.
        thread: u32,
    },
    /// It reads what a thread has stored. What orders threads lies between, but no proxy fence.
    #[error(
        "tensor store reads shared address {address:#x} after write by {}, with no fence.proxy.async between",
        other_text(*.other)
    )]
    NotFenced {
        /// The byte in question.
        address: u64,
        /// Number of the other thread within its block; none if there are several.
        other: Option<u32>,
    },
    /// The innermost coordinate of its box is not a multiple of 16 bytes.
    #[error("tensor store to innermost coordinate {coordinate}, which is not a multiple of 16 B")]
    Coordinate {
        /// The coordinate.
        coordinate: i64,
    },
    /// A thread ends before it has waited until a store of its has read shared memory.
    #[error("the thread ends without cp.async.bulk.wait_group for a tensor store")]
    Left,
}
