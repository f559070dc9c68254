//! The threads whose order is kept.

use std::ops::Range;

/// The blocks of a cluster, or one block. Their threads have numbers one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Team {
    pub(crate) blocks: u32,
    /// Threads of a block; whole warps if there are several blocks.
    pub(crate) threads: u32,
}

impl Team {
    /// Of one block.
    pub(crate) fn alone(threads: u32) -> Team {
        Team { blocks: 1, threads }
    }

    /// The rank of a thread's block.
    pub(crate) fn rank(self, thread: u32) -> u32 {
        if self.blocks == 1 { 0 } else { thread / self.threads }
    }

    /// The threads of a block.
    pub(crate) fn members(self, rank: u32) -> Range<u32> {
        self.threads * rank..self.threads * (rank + 1)
    }

    /// All threads.
    pub(crate) fn all(self) -> u32 {
        self.threads * self.blocks
    }
}
