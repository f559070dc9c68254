//! Stamps of stores: which block, thread and time.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use super::super::paged::{LINE, Paged};

const BARRIER_BITS: u32 = 16;
const FENCE_BITS: u32 = 6;
/// The counts stop here; from then on one is taken to come before the other.
pub(super) const MOST_BARRIERS: u32 = (1 << BARRIER_BITS) - 1;
pub(super) const MOST_FENCES: u32 = (1 << FENCE_BITS) - 1;

/// When a thread of a block did something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) thread: u32,
    /// Barriers of the block until then.
    pub(super) barriers: u32,
    /// Fences of the thread until then.
    pub(super) fences: u32,
}

impl Moment {
    /// Whether a store comes before this moment's fence.
    pub(super) fn is_after(&self, store: Moment) -> bool {
        is_before(store.barriers, self.barriers, MOST_BARRIERS)
            || (store.thread == self.thread && is_before(store.fences, self.fences, MOST_FENCES))
    }
}

pub(super) fn is_before(a: u32, b: u32, most: u32) -> bool {
    a < b || a == most
}

/// A block's number plus 1, and a moment of it.
pub(super) fn stamp(block: u32, Moment { thread, barriers, fences }: Moment) -> u64 {
    u64::from(block) << 32
        | u64::from(thread << (BARRIER_BITS + FENCE_BITS) | barriers << FENCE_BITS | fences)
}

pub(super) fn block_of(stamp: u64) -> u32 {
    (stamp >> 32) as u32
}

pub(super) fn moment_of(stamp: u64) -> Moment {
    let low = stamp as u32;
    Moment {
        thread: low >> (BARRIER_BITS + FENCE_BITS),
        barriers: low >> FENCE_BITS & MOST_BARRIERS,
        fences: low & MOST_FENCES,
    }
}

/// For each byte, which block stored to it last in this launch, and when; 0 where nothing was stored.
#[derive(Default)]
pub(crate) struct Stamps {
    /// Made at the first store.
    pub(super) lines: OnceLock<Paged<[AtomicU64; LINE as usize]>>,
}

/// Some bytes of one buffer.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// Bytes of the buffer.
    pub(crate) all: u64,
    pub(crate) offset: u64,
    pub(crate) width: u32,
}

impl Span {
    /// Its parts in each line.
    pub(super) fn parts(self) -> impl Iterator<Item = Span> {
        let end = self.offset + u64::from(self.width);
        let next = |offset: u64| (offset / LINE + 1) * LINE;
        std::iter::successors(Some(self.offset), move |offset| Some(next(*offset)))
            .take_while(move |offset| *offset < end)
            .map(move |offset| Span {
                offset,
                width: (end.min(next(offset)) - offset) as u32,
                ..self
            })
    }

    /// Within its line.
    pub(super) fn range(self) -> std::ops::Range<usize> {
        let start = (self.offset % LINE) as usize;
        start..start + self.width as usize
    }
}
