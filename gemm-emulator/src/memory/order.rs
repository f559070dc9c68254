//! Order between blocks by fences and atomics.
//!
//! After the causality order of the PTX ISA's memory consistency model. One thing comes before another:
//! - a store before a fence of its thread, or of any thread of the block with a barrier between the two;
//! - a fence before the next atomics of its thread, and of any thread of the block with a barrier between;
//! - an atomic before each later one at the same address;
//! - an atomic before the next fence of its thread;
//! - a fence before what its thread does then, and any thread of the block with a barrier between.
//!
//! It is decided by counts of barriers and fences, not by the order in which the emulator runs blocks and
//! warps. In doubt, accesses count as ordered: a fence before a barrier as one of all threads, a barrier of some
//! of a block's threads as one of all.

mod stamps;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::paged::Paged;
use stamps::{MOST_BARRIERS, MOST_FENCES, Moment, block_of, is_before, moment_of, stamp};
pub(crate) use stamps::{Span, Stamps};

/// The atomics at one address.
#[derive(Default)]
struct Place {
    /// The last fence before each atomic, by the number that [`stamp`] has for its block.
    released: HashMap<u32, Vec<Released>>,
    count: usize,
    /// The knowledge of other places that the atomics here carried.
    carried: Known,
}

/// The fences that precede an atomic of a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fenced {
    /// The last fence of the thread.
    fence: Moment,
    /// Stores before this many barriers are followed by a fence of any thread, and that by a barrier.
    until: u32,
}

impl Fenced {
    fn is_after(&self, store: Moment) -> bool {
        let own = self.fence.fences > 0 && self.fence.is_after(store);
        own || store.barriers < self.until
    }
}

struct Released {
    /// How many came before it.
    number: usize,
    fenced: Fenced,
}

/// Of each place, how much is known to have come before.
type Known = BTreeMap<u64, usize>;

fn join(known: &mut Known, other: &Known) {
    for (place, count) in other {
        let known = known.entry(*place).or_default();
        *known = (*known).max(*count);
    }
}

impl Place {
    fn release(&mut self, block: u32, fenced: Fenced) {
        let of_block = self.released.entry(block).or_default();
        if of_block.last().is_none_or(|last| last.fenced != fenced) {
            of_block.push(Released { number: self.count, fenced });
            self.count += 1;
        }
    }

    /// Whether a store came before one of the first `count` that came by.
    fn has(&self, block: u32, store: Moment, count: usize) -> bool {
        let of_block = self.released.get(&block).map_or(&[][..], Vec::as_slice);
        of_block.iter().any(|released| released.number < count && released.fenced.is_after(store))
    }
}

/// The order that atomics establish between the blocks of a launch.
#[derive(Default)]
pub(crate) struct Order {
    places: Mutex<HashMap<u64, Place>>,
}

/// The knowledge of one block about the others.
pub(crate) struct BlockOrder {
    /// Its number plus 1, in 32 bits.
    block: u32,
    barriers: u32,
    /// The last fence of each thread.
    fences: Vec<Moment>,
    /// Stores before this many barriers are followed by a fence of any thread.
    fenced: u32,
    /// The same as of the last barrier.
    fenced_at_barrier: u32,
    /// Seen by the atomics of each thread since its last fence.
    seen: HashMap<u32, Known>,
    /// Seen before a fence.
    acquired: Vec<(Moment, Known)>,
}

impl BlockOrder {
    pub(crate) fn new(threads: u32) -> BlockOrder {
        let fence = |thread| Moment { thread, barriers: 0, fences: 0 };
        BlockOrder {
            block: 0,
            barriers: 0,
            fences: (0..threads).map(fence).collect(),
            fenced: 0,
            fenced_at_barrier: 0,
            seen: HashMap::new(),
            acquired: Vec::new(),
        }
    }

    /// Begins a block of this number in the grid.
    pub(crate) fn reset(&mut self, block: u64) {
        let threads = self.fences.len() as u32;
        // Numbers beyond 32 bits are told apart by their low ones: a race may be missed, none is made up.
        *self =
            BlockOrder { block: (block as u32).wrapping_add(1).max(1), ..BlockOrder::new(threads) };
    }

    /// Threads of the block have met.
    pub(crate) fn barrier(&mut self) {
        self.barriers = (self.barriers + 1).min(MOST_BARRIERS);
        self.fenced_at_barrier = self.fenced;
    }

    /// A thread has passed a fence between all blocks.
    pub(crate) fn fence(&mut self, thread: u32) {
        let fence = &mut self.fences[thread as usize];
        fence.fences = (fence.fences + 1).min(MOST_FENCES);
        fence.barriers = self.barriers;
        self.fenced = self.barriers + 1;
        if let Some(known) = self.seen.remove(&thread) {
            self.acquired.push((*fence, known));
        }
    }

    fn now(&self, thread: u32) -> Moment {
        Moment { barriers: self.barriers, ..self.fences[thread as usize] }
    }

    /// The knowledge of a thread at a moment of its own.
    fn known(&self, at: Moment) -> impl Iterator<Item = &Known> {
        let is_known = move |fence: &Moment| {
            fence.thread == at.thread || is_before(fence.barriers, at.barriers, MOST_BARRIERS)
        };
        self.acquired.iter().filter(move |(fence, _)| is_known(fence)).map(|(_, known)| known)
    }
}

impl Order {
    fn places(&self) -> MutexGuard<'_, HashMap<u64, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does an atomic at `address` and notes what it tells, both at once.
    pub(crate) fn atomic<R>(
        &self,
        block: &mut BlockOrder,
        (address, thread): (u64, u32),
        operation: impl FnOnce() -> R,
    ) -> R {
        let mut places = self.places();
        let place = places.entry(address).or_default();
        let fence = block.fences[thread as usize];
        let fenced = Fenced { fence, until: block.fenced_at_barrier };
        if fence.fences > 0 || fenced.until > 0 {
            place.release(block.block, fenced);
            block.known(block.now(thread)).for_each(|known| join(&mut place.carried, known));
        }
        let seen = block.seen.entry(thread).or_default();
        join(seen, &place.carried);
        seen.insert(address, place.count);
        operation()
    }

    /// Notes a store; gives another block that has stored there with nothing that orders the two.
    pub(crate) fn store(
        &self,
        stamps: &Stamps,
        span: Span,
        block: &BlockOrder,
        thread: u32,
    ) -> Option<u32> {
        let line = stamps.lines.get_or_init(|| Paged::new(span.all)).touch(span.offset);
        let own = stamp(block.block, Moment { barriers: block.barriers, ..block.now(thread) });
        let before = line[span.range()].iter().map(|byte| byte.swap(own, Relaxed));
        // All bytes are noted, also after one with a race.
        let before: Vec<u64> = before.collect();
        self.first_unordered(before.into_iter(), block, thread)
    }

    /// Another block that has stored what is read here with nothing that orders the two.
    pub(crate) fn load(
        &self,
        stamps: &Stamps,
        span: Span,
        block: &BlockOrder,
        thread: u32,
    ) -> Option<u32> {
        let lines = stamps.lines.get()?;
        span.parts().find_map(|part| {
            let before = lines.get(part.offset)?[part.range()].iter();
            self.first_unordered(before.map(|byte| byte.load(Relaxed)), block, thread)
        })
    }

    /// The number of the first block whose store does not come before what a thread does now.
    fn first_unordered(
        &self,
        stamps: impl Iterator<Item = u64>,
        block: &BlockOrder,
        thread: u32,
    ) -> Option<u32> {
        let mut ordered = 0;
        for stamp in stamps {
            let other = block_of(stamp);
            // Neighbours mostly share one stamp.
            if other == 0 || other == block.block || stamp == ordered {
                continue;
            }
            if !self.comes_before(stamp, block, thread) {
                return Some(other - 1);
            }
            ordered = stamp;
        }
        None
    }

    fn comes_before(&self, stamp: u64, block: &BlockOrder, thread: u32) -> bool {
        let places = self.places();
        let (other, store) = (block_of(stamp), moment_of(stamp));
        let has = |(address, count): (&u64, &usize)| {
            places.get(address).is_some_and(|place| place.has(other, store, *count))
        };
        block.known(block.now(thread)).any(|known| known.iter().any(has))
    }
}

#[cfg(test)]
mod tests;
