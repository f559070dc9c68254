//! Finding races in shared memory: two threads touch a byte, one writes, and no barrier lies between.
//!
//! A clock ticks at each barrier. For each byte two stamps are kept, of the last write and of the last read: the time,
//! and who it was. An access conflicts with a stamp of another thread unless a barrier that orders the two has been
//! passed since. Since whatever runs between two barriers is compared by stamps, the order in which the emulator
//! happens to run the warps does not matter.
//!
//! Mbarriers order threads one by one. Where a kernel has them, each thread also has a [clock](Clocks) of what it knows
//! of the others, and the reads of each warp have stamps of their own: warps that read the same release it one after the
//! other.
//!
//! A barrier of some of the block's threads counts as one of all, one of some lanes as one of the warp: a race that
//! only such a barrier does not order is missed. Atomics conflict with plain accesses only.

use std::ops::Range;

use super::clocks::{Clocks, Group, MOST};

/// Low bits of a stamp: who, and whether by an atomic operation; the rest is the time.
const WHO_BITS: u32 = 12;
const WHO_MASK: u32 = ATOMIC - 1;
const ATOMIC: u32 = 1 << (WHO_BITS - 1);
/// 0 to 1023 are threads; from here on, several threads of one warp.
const SEVERAL_OF_WARP: u32 = 1024;
/// Threads of several warps.
const SEVERAL: u32 = 1024 + 32;
/// From here on, of a write: the copies of an mbarrier, by its number; of a read: a group of lanes, by its number.
const NUMBERED: u32 = SEVERAL + 1;
const _: () = assert!(NUMBERED as usize + MOST <= ATOMIC as usize);
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
    /// The address of its mbarrier, if it was the copy of a tensor.
    pub(crate) copy: Option<u32>,
}

/// How a thread touches shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    /// By a warp-wide instruction, of which the other lanes read elsewhere.
    ReadTogether,
    Write,
    Atomic,
}

pub(crate) struct Races {
    writers: Vec<u32>,
    /// Of all threads, or of each warp.
    readers: Vec<Vec<u32>>,
    time: u32,
    /// The time of the last barrier of the block.
    since: u32,
    /// The time of the last barrier of each warp.
    warp_since: [u32; 32],
    /// Of a kernel with mbarriers.
    clocks: Option<Clocks>,
}

/// Which stamps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Writes,
    Reads,
}

fn warp_of(who: u32) -> Option<u32> {
    match who {
        0..SEVERAL_OF_WARP => Some(who / 32),
        SEVERAL_OF_WARP..SEVERAL => Some(who - SEVERAL_OF_WARP),
        _ => None,
    }
}

/// The lanes that a stamp of reads stands for. Of too many to be told apart, those of one instruction: a race may be
/// missed, none is made up.
fn group_of(clocks: &Clocks, who: u32) -> Group {
    match who {
        0..SEVERAL_OF_WARP => Group { warp: who / 32, lanes: 1 << (who % 32), together: false },
        SEVERAL_OF_WARP..NUMBERED => {
            Group { warp: who - SEVERAL_OF_WARP, lanes: u32::MAX, together: true }
        }
        _ => clocks.group((who - NUMBERED) as usize),
    }
}

fn all_before(stamps: &[u32], limit: u32) -> bool {
    stamps.iter().fold(true, |all, stamp| all & ((*stamp as i32) < limit as i32))
}

impl Races {
    /// For `bytes` bytes; with mbarriers, for a block of so many threads.
    pub(crate) fn new(bytes: usize, threads: Option<u32>) -> Races {
        let planes = threads.map_or(1, |threads| threads.div_ceil(32));
        Races {
            writers: vec![0; bytes],
            readers: vec![vec![0; bytes]; planes as usize],
            time: 1,
            since: 1,
            warp_since: [1; 32],
            clocks: threads.map(Clocks::new),
        }
    }

    /// Host memory for `bytes` bytes.
    pub(crate) fn memory(bytes: u64, threads: Option<u64>) -> u64 {
        let planes = threads.map_or(1, |threads| threads.div_ceil(32));
        bytes * 4 * (1 + planes) + threads.map_or(0, Clocks::memory)
    }

    /// Forgets everything, for the next block.
    pub(crate) fn reset(&mut self) {
        if self.time > MAX_TIME / 2 {
            self.restart();
        } else {
            // All stamps are older than this.
            self.block_barrier();
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.reset();
        }
    }

    /// Lets time begin again.
    fn restart(&mut self) {
        self.writers.fill(0);
        self.readers.iter_mut().for_each(|stamps| stamps.fill(0));
        (self.time, self.since, self.warp_since) = (1, 1, [1; 32]);
        if let Some(clocks) = &mut self.clocks {
            clocks.reset();
        }
    }

    fn tick(&mut self) -> u32 {
        self.time += 1;
        if self.time == MAX_TIME {
            self.restart();
        }
        self.time
    }

    /// The clocks, if the kernel has mbarriers, with the time of the next access.
    fn clocks(&mut self) -> Option<(&mut Clocks, u32)> {
        let time = self.tick();
        self.clocks.as_mut().map(|clocks| (clocks, time))
    }

    /// All threads have passed a barrier.
    pub(crate) fn block_barrier(&mut self) {
        self.since = self.tick();
    }

    /// Lanes of a warp have passed a barrier.
    pub(crate) fn warp_barrier(&mut self, warp: u32, lanes: u32) {
        let time = self.tick();
        self.warp_since[warp as usize] = time;
        if let Some(clocks) = &mut self.clocks {
            clocks.meet(warp, lanes, time);
        }
    }

    /// A thread arrives at the mbarrier at an address, and releases what it did and knew.
    pub(crate) fn release(&mut self, mbarrier: u32, thread: u32) {
        if let Some((clocks, time)) = self.clocks() {
            let number = clocks.number(mbarrier);
            clocks.release(number, thread, time);
        }
    }

    /// The phase of an mbarrier is complete.
    pub(crate) fn complete(&mut self, mbarrier: u32) {
        if let Some(clocks) = &mut self.clocks {
            let number = clocks.number(mbarrier);
            clocks.complete(number);
        }
    }

    /// A thread has waited for the last complete phase of an mbarrier.
    pub(crate) fn acquire(&mut self, mbarrier: u32, thread: u32) {
        if let Some(clocks) = &mut self.clocks {
            let number = clocks.number(mbarrier);
            clocks.acquire(number, thread);
        }
    }

    /// The copy of a tensor has written these bytes, and tells an mbarrier.
    pub(crate) fn land(&mut self, range: Range<usize>, mbarrier: u32) {
        let time = self.time;
        if let Some((clocks, next)) = self.clocks() {
            let number = clocks.number(mbarrier);
            clocks.land(number, next);
            // Time may have begun again: nothing is known of what lies before.
            let time = if next > time { time } else { 0 };
            self.writers[range].fill(time << WHO_BITS | (NUMBERED + number as u32));
        }
    }

    /// Checks that the writes of some bytes come before what a thread does now, without recording it.
    pub(crate) fn after_writes(&self, range: Range<usize>, thread: u32) -> Result<(), Race> {
        let (start, width) = (range.start, range.len());
        self.compare(&self.writers, start, width, thread, Touch::Read, Kind::Writes)
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
            self.compare(&self.writers, start, width, thread, touch, Kind::Writes)?;
        }
        if !matches!(touch, Touch::Read | Touch::ReadTogether) {
            for stamps in &self.readers {
                if !all_before(&stamps[range.clone()], limit) {
                    self.compare(stamps, start, width, thread, touch, Kind::Reads)?;
                }
            }
        }
        let mine = self.time << WHO_BITS | thread;
        match touch {
            Touch::Read | Touch::ReadTogether => self.record_read(start, width, mine, touch),
            Touch::Write => self.writers[range].fill(mine),
            Touch::Atomic => self.record_atomic(range, thread),
        }
        Ok(())
    }

    /// Compares with stamps of which not all lie before the last barrier of the block.
    fn compare(
        &self,
        stamps: &[u32],
        start: usize,
        width: usize,
        thread: u32,
        touch: Touch,
        kind: Kind,
    ) -> Result<(), Race> {
        let mut ordered = 0;
        for (ahead, stamp) in stamps[start..start + width].iter().enumerate() {
            let both_atomic = touch == Touch::Atomic && stamp & ATOMIC != 0;
            // Neighbours mostly have one stamp.
            if *stamp == ordered || both_atomic || self.is_ordered(*stamp, thread, kind) {
                ordered = *stamp;
                continue;
            }
            let who = stamp & WHO_MASK;
            let other_wrote = kind == Kind::Writes;
            let number = who.checked_sub(NUMBERED).filter(|_| other_wrote);
            let copy = self.clocks.as_ref().zip(number);
            return Err(Race {
                at: (start + ahead) as u32,
                other: (who < SEVERAL_OF_WARP).then_some(who),
                other_wrote,
                copy: copy.map(|(clocks, number)| clocks.address(number as usize)),
            });
        }
        Ok(())
    }

    /// Whether what a stamp stands for comes before anything `thread` does now.
    #[inline]
    fn is_ordered(&self, stamp: u32, thread: u32, kind: Kind) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        let in_warp = warp_of(who) == Some(thread / 32);
        time < self.since
            || who == thread
            || (in_warp && time < self.warp_since[thread as usize / 32])
            || self.clocks.as_ref().is_some_and(|clocks| self.is_known(clocks, stamp, thread, kind))
    }

    /// Whether a thread's clock has what a stamp stands for.
    #[inline(never)]
    fn is_known(&self, clocks: &Clocks, stamp: u32, thread: u32, kind: Kind) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        match (who, kind) {
            (NUMBERED.., Kind::Writes) => {
                clocks.knows_copy(thread, (who - NUMBERED) as usize, time)
            }
            (0..SEVERAL_OF_WARP, _) => clocks.knows(thread, who, time),
            (SEVERAL, _) => false,
            _ => {
                let group = group_of(clocks, who);
                let met = group.warp == thread / 32 && time < self.warp_since[group.warp as usize];
                met || clocks.knows_group(thread, group, time)
            }
        }
    }

    fn record_atomic(&mut self, range: Range<usize>, thread: u32) {
        for at in range {
            let old = self.writers[at];
            let joins = old & ATOMIC != 0 && !self.is_ordered(old, thread, Kind::Writes);
            let who = if joins { SEVERAL } else { thread };
            self.writers[at] = self.time << WHO_BITS | ATOMIC | who;
        }
    }

    fn record_read(&mut self, start: usize, width: usize, mine: u32, touch: Touch) {
        let range = start..start + width;
        let plane = self.clocks.as_ref().map_or(0, |_| (mine & WHO_MASK) as usize / 32);
        let stamps = &self.readers[plane][range.clone()];
        let first = stamps[0];
        if stamps.iter().fold(true, |all, stamp| all & (*stamp == first)) {
            let merged = self.merged(first, mine, touch);
            self.readers[plane][range].fill(merged);
            return;
        }
        for at in range {
            self.readers[plane][at] = self.merged(self.readers[plane][at], mine, touch);
        }
    }

    /// The stamp that stands for an earlier read and this one.
    #[inline]
    fn merged(&mut self, old: u32, mine: u32, touch: Touch) -> u32 {
        let thread = mine & WHO_MASK;
        let together = touch == Touch::ReadTogether && self.clocks.is_some();
        if !together && self.is_ordered(old, thread, Kind::Reads) {
            return mine;
        }
        let warp = thread / 32;
        let who = match warp_of(old & WHO_MASK) {
            _ if self.clocks.is_some() => self.group(warp, old, mine, together),
            Some(old_warp) if old_warp == warp => SEVERAL_OF_WARP + warp,
            _ => SEVERAL,
        };
        (mine & !WHO_MASK) | who
    }

    /// Who has read a byte, by stamps of one warp.
    #[inline(never)]
    fn group(&mut self, warp: u32, old: u32, mine: u32, together: bool) -> u32 {
        let own = 1 << (mine & WHO_MASK & 31);
        let lanes = if together { u32::MAX } else { self.unreleased(old) | own };
        let group = Group { warp, lanes, together };
        let number = self.clocks.as_mut().and_then(|clocks| clocks.group_number(group));
        number.map_or(SEVERAL_OF_WARP + warp, |number| NUMBERED + number as u32)
    }

    /// The lanes that have not released an earlier read. For them it is as if they had read now. The others are
    /// forgotten, and with them a race of a read that not all lanes of a warp did and released at once.
    fn unreleased(&self, stamp: u32) -> u32 {
        let Some(clocks) = &self.clocks else { return 0 };
        let Group { warp, lanes, .. } = group_of(clocks, stamp & WHO_MASK);
        let time = stamp >> WHO_BITS;
        let waits = |lane: &u32| !clocks.has_released(warp * 32 + lane, time);
        (0..32)
            .filter(|lane| lanes >> lane & 1 == 1)
            .filter(waits)
            .fold(0, |all, lane| all | 1 << lane)
    }
}

#[cfg(test)]
mod tests;
