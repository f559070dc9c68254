//! Finding races in shared memory: two threads touch a byte, one writes, and no barrier lies between.
//!
//! A clock ticks at each barrier. For each byte two stamps are kept, of the last write and of the last read: the time,
//! and who it was. An access conflicts with a stamp of another thread unless a barrier that orders the two has been
//! passed since. Since whatever runs between two barriers is compared by stamps, the order in which the emulator
//! happens to run the warps does not matter.
//!
//! A barrier of some of the block's threads counts as one of all, one of some lanes as one of the warp: a race that
//! only such a barrier does not order is missed. Atomics conflict with plain accesses only.

use std::ops::Range;

/// Low bits of a stamp: who, and whether by an atomic operation; the rest is the time.
const WHO_BITS: u32 = 12;
const WHO_MASK: u32 = ATOMIC - 1;
const ATOMIC: u32 = 1 << (WHO_BITS - 1);
/// 0 to 1023 are threads; from here on, several threads of one warp.
const SEVERAL_OF_WARP: u32 = 1024;
/// Threads of several warps.
const SEVERAL: u32 = 1024 + 32;
/// Stamps stay positive as i32, which compares fast.
const MAX_TIME: u32 = 1 << (31 - WHO_BITS - 1);

/// Two accesses to a byte that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) at: u32,
    /// The thread of the earlier access, if it is known.
    pub(crate) other: Option<u32>,
    /// Whether the earlier access wrote.
    pub(crate) other_wrote: bool,
}

/// How a thread touches shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
    Atomic,
}

pub(crate) struct Races {
    writers: Vec<u32>,
    readers: Vec<u32>,
    time: u32,
    /// The time of the last barrier of the block.
    since: u32,
    /// The time of the last barrier of each warp.
    warp_since: [u32; 32],
}

fn warp_of(who: u32) -> Option<u32> {
    match who {
        0..SEVERAL_OF_WARP => Some(who / 32),
        SEVERAL_OF_WARP..SEVERAL => Some(who - SEVERAL_OF_WARP),
        _ => None,
    }
}

fn all_before(stamps: &[u32], limit: u32) -> bool {
    stamps.iter().fold(true, |all, stamp| all & ((*stamp as i32) < limit as i32))
}

impl Races {
    pub(crate) fn new(bytes: usize) -> Races {
        Races {
            writers: vec![0; bytes],
            readers: vec![0; bytes],
            time: 1,
            since: 1,
            warp_since: [1; 32],
        }
    }

    /// Forgets everything, for the next block.
    pub(crate) fn reset(&mut self) {
        self.writers.fill(0);
        self.readers.fill(0);
        (self.time, self.since, self.warp_since) = (1, 1, [1; 32]);
    }

    fn tick(&mut self) -> u32 {
        self.time += 1;
        if self.time == MAX_TIME {
            self.reset();
        }
        self.time
    }

    /// All threads have passed a barrier.
    pub(crate) fn block_barrier(&mut self) {
        self.since = self.tick();
    }

    /// The lanes of a warp have passed a barrier.
    pub(crate) fn warp_barrier(&mut self, warp: u32) {
        let time = self.tick();
        self.warp_since[warp as usize] = time;
    }

    /// Checks and records an access of `thread`.
    pub(crate) fn touch(
        &mut self,
        start: usize,
        width: usize,
        thread: u32,
        touch: Touch,
    ) -> Result<(), Race> {
        let range = start..start + width;
        let limit = self.since << WHO_BITS;
        if !all_before(&self.writers[range.clone()], limit) {
            self.compare(start, width, thread, touch, true)?;
        }
        if touch != Touch::Read && !all_before(&self.readers[range.clone()], limit) {
            self.compare(start, width, thread, touch, false)?;
        }
        let mine = self.time << WHO_BITS | thread;
        match touch {
            Touch::Read => self.record_read(start, width, mine),
            Touch::Write => self.writers[range].fill(mine),
            Touch::Atomic => self.record_atomic(range, thread),
        }
        Ok(())
    }

    /// Compares with stamps of which not all lie before the last barrier of the block.
    fn compare(
        &self,
        start: usize,
        width: usize,
        thread: u32,
        touch: Touch,
        writers: bool,
    ) -> Result<(), Race> {
        let stamps = if writers { &self.writers } else { &self.readers };
        for (ahead, stamp) in stamps[start..start + width].iter().enumerate() {
            let who = stamp & WHO_MASK;
            let both_atomic = touch == Touch::Atomic && stamp & ATOMIC != 0;
            if both_atomic || self.is_ordered(*stamp, thread) {
                continue;
            }
            let other = (who < SEVERAL_OF_WARP).then_some(who);
            return Err(Race { at: (start + ahead) as u32, other, other_wrote: writers });
        }
        Ok(())
    }

    /// Whether what a stamp stands for comes before anything `thread` does now.
    fn is_ordered(&self, stamp: u32, thread: u32) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        let in_warp = warp_of(who) == Some(thread / 32);
        time < self.since
            || who == thread
            || (in_warp && time < self.warp_since[thread as usize / 32])
    }

    fn record_atomic(&mut self, range: Range<usize>, thread: u32) {
        for at in range {
            let old = self.writers[at];
            let joins = old & ATOMIC != 0 && !self.is_ordered(old, thread);
            let who = if joins { SEVERAL } else { thread };
            self.writers[at] = self.time << WHO_BITS | ATOMIC | who;
        }
    }

    fn record_read(&mut self, start: usize, width: usize, mine: u32) {
        let first = self.readers[start];
        let same =
            self.readers[start..start + width].iter().fold(true, |all, r| all & (*r == first));
        if same {
            let merged = self.merged(first, mine);
            self.readers[start..start + width].fill(merged);
            return;
        }
        for at in start..start + width {
            self.readers[at] = self.merged(self.readers[at], mine);
        }
    }

    /// The stamp that stands for an earlier read and this one.
    fn merged(&self, old: u32, mine: u32) -> u32 {
        let thread = mine & WHO_MASK;
        if self.is_ordered(old, thread) {
            return mine;
        }
        let who = match warp_of(old & WHO_MASK) {
            Some(warp) if warp == thread / 32 => SEVERAL_OF_WARP + warp,
            _ => SEVERAL,
        };
        (mine & !WHO_MASK) | who
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(other: Option<u32>, other_wrote: bool) -> Result<(), Race> {
        Err(Race { at: 0, other, other_wrote })
    }

    #[test]
    fn threads_conflict_until_a_barrier() {
        let mut races = Races::new(16);
        assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
        assert_eq!(races.touch(0, 4, 1, Touch::Read), Ok(()));
        assert_eq!(races.touch(0, 4, 2, Touch::Read), race(Some(1), true));
        assert_eq!(races.touch(4, 4, 2, Touch::Write), Ok(()));
        races.block_barrier();
        assert_eq!(races.touch(0, 4, 2, Touch::Read), Ok(()));
        assert_eq!(races.touch(0, 4, 1, Touch::Write), race(Some(2), false));
        assert_eq!(races.touch(0, 4, 40, Touch::Read), Ok(()));
        assert_eq!(races.touch(0, 4, 2, Touch::Write), race(None, false));
    }

    #[test]
    fn a_warp_barrier_orders_its_warp_only() {
        let mut races = Races::new(16);
        assert_eq!(races.touch(0, 4, 1, Touch::Write), Ok(()));
        races.warp_barrier(0);
        assert_eq!(races.touch(0, 4, 2, Touch::Read), Ok(()));
        assert_eq!(races.touch(0, 4, 3, Touch::Read), Ok(()));
        assert_eq!(races.touch(0, 4, 33, Touch::Read), race(Some(1), true));
        assert_eq!(races.touch(0, 4, 4, Touch::Write), race(None, false));
        races.warp_barrier(0);
        assert_eq!(races.touch(0, 4, 4, Touch::Write), Ok(()));
    }

    #[test]
    fn atomics_conflict_with_plain_accesses_only() {
        let mut races = Races::new(16);
        assert_eq!(races.touch(0, 4, 1, Touch::Atomic), Ok(()));
        assert_eq!(races.touch(0, 4, 70, Touch::Atomic), Ok(()));
        assert_eq!(races.touch(0, 4, 3, Touch::Read), race(None, true));
        assert_eq!(races.touch(4, 4, 1, Touch::Atomic), Ok(()));
        assert_eq!(races.touch(4, 4, 1, Touch::Read), Ok(()), "its own");
        races.block_barrier();
        assert_eq!(races.touch(0, 4, 3, Touch::Read), Ok(()));
        assert_eq!(races.touch(0, 4, 1, Touch::Atomic), race(Some(3), false));
    }

    #[test]
    fn bytes_are_apart() {
        let mut races = Races::new(16);
        for thread in 0..16 {
            assert_eq!(races.touch(thread as usize, 1, thread, Touch::Write), Ok(()));
        }
    }
}
