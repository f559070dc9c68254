//! Who reads shared memory asynchronously.

/// The most warpgroups of a block.
pub(super) const WARPGROUPS: u32 = 8;
/// The most readers: warpgroups, and threads that start tensor stores.
pub(super) const READERS: usize = 40;

/// Who reads: first the warpgroups by their numbers, then the threads that start tensor stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reader(pub(super) u32);

/// An operation that reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadingId {
    pub(crate) reader: Reader,
    /// Number among the reader's operations, from 1.
    pub(crate) number: u64,
}

impl ReadingId {
    /// A multiplication of a warpgroup.
    pub(crate) fn multiply(warpgroup: u32, number: u64) -> ReadingId {
        ReadingId { reader: Reader(warpgroup), number }
    }
}
