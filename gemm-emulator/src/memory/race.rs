//! Races in shared memory: two threads access a byte, one writes, and no barrier lies between.
//!
//! Time advances at each barrier. Each byte has two stamps, of the last write and of the last read: the time and the
//! thread. An access conflicts with a stamp of another thread unless a barrier that orders the two has been
//! passed since. The order in which the emulator runs the warps does not matter.
//!
//! Mbarriers and barriers of some of the block's threads order threads one by one. In a kernel that has them, each thread also has a [vector clock](Clocks), and the
//! reads of each warp have stamps of their own, because warps that read the same data release it one after the other.
//!
//! A barrier of some lanes of a warp counts as one of all: a race that only such a barrier does not order is missed. Atomics conflict with plain accesses only.
//!
//! Tensor copies need a [fence](proxies) as well.

mod barriers;
mod mbarriers;
mod proxies;
mod readings;
mod stamps;

use std::ops::Range;

use super::clocks::Clocks;
use super::reader::Reader;
use stamps::{
    ATOMIC, Kind, MAX_TIME, NUMBERED, READING, SEVERAL, SEVERAL_OF_WARP, WHO_BITS, WHO_MASK,
    all_before, warp_of,
};

/// Two accesses to a byte that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race {
    pub(crate) at: u32,
    /// The thread of the earlier access, if it is known.
    pub(crate) other: Option<u32>,
    /// Whether the earlier access wrote.
    pub(crate) other_wrote: bool,
    /// The address of its mbarrier, if it was the tensor copy.
    pub(crate) copy: Option<u32>,
    /// Who started it, if it was an asynchronous operation that reads.
    pub(crate) reading: Option<Reader>,
    /// Whether the earlier access does come before the tensor copy, with no proxy fence between.
    pub(crate) unfenced: bool,
}

/// How a thread touches shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    /// By a warp-wide instruction whose other lanes read elsewhere.
    ReadTogether,
    Write,
    /// By the tensor copy.
    Copy,
    Atomic,
}

pub(crate) struct Races {
    writers: Vec<u32>,
    /// Of all threads, or of each warp.
    readers: Vec<Vec<u32>>,
    /// For each of them, from the first byte that was read in this block to the last.
    read: Vec<Range<usize>>,
    time: u32,
    /// The time of the last barrier of the block.
    since: u32,
    /// The time of the last barrier of each warp.
    warp_since: [u32; 32],
    /// The time at which the block began.
    began: u32,
    /// Of a kernel with mbarriers.
    clocks: Option<Clocks>,
}

impl Races {
    /// For `bytes` bytes; with mbarriers, for a block of that many threads.
    pub(crate) fn new(bytes: usize, threads: Option<u32>) -> Races {
        let planes = threads.map_or(1, |threads| threads.div_ceil(32));
        Races {
            writers: vec![0; bytes],
            readers: vec![vec![0; bytes]; planes as usize],
            read: vec![0..0; planes as usize],
            time: 1,
            since: 1,
            warp_since: [1; 32],
            began: 1,
            clocks: threads.map(Clocks::new),
        }
    }

    /// Host memory for `bytes` bytes.
    pub(crate) fn memory(bytes: u64, threads: Option<u64>) -> u64 {
        // Those of asynchronous operations are made with the first one of a reader.
        let planes = threads.map_or(1, |threads| threads.div_ceil(32) + threads.div_ceil(128) + 1);
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
        self.began = self.since;
        self.read.fill(0..0);
        if let Some(clocks) = &mut self.clocks {
            clocks.reset();
        }
    }

    /// Lets time begin again.
    fn restart(&mut self) {
        self.writers.fill(0);
        self.readers.iter_mut().for_each(|stamps| stamps.fill(0));
        (self.time, self.since, self.warp_since, self.began) = (1, 1, [1; 32], 1);
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

    /// All threads have passed a barrier.
    pub(crate) fn block_barrier(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            clocks.meet_all();
        }
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
            for stamps in self.readers_of(&range) {
                if !all_before(&stamps[range.clone()], limit) {
                    self.compare(stamps, start, width, thread, touch, Kind::Reads)?;
                }
            }
        }
        if touch == Touch::Copy {
            self.check_fences(range.clone(), thread)?;
            self.forget_reads(range.clone());
        }
        let mine = self.time << WHO_BITS | thread;
        match touch {
            Touch::Read | Touch::ReadTogether => self.record_read(start, width, mine, touch),
            Touch::Write | Touch::Copy => self.writers[range].fill(mine),
            Touch::Atomic => self.record_atomic(range, thread),
        }
        Ok(())
    }

    /// The stamps of reads that may have some of this block in a range.
    fn readers_of(&self, range: &Range<usize>) -> impl Iterator<Item = &Vec<u32>> {
        let planes = self.readers.iter().zip(&self.read);
        let planes = planes.filter(|(_, read)| read.start < range.end && range.start < read.end);
        planes.map(|(stamps, _)| stamps)
    }

    /// Bytes of a plane have been read.
    fn note_read(&mut self, plane: usize, range: Range<usize>) {
        let read = &mut self.read[plane];
        *read = match read.end {
            0 => range,
            _ => read.start.min(range.start)..read.end.max(range.end),
        };
    }

    /// Compares with stamps that are not all before the last barrier of the block.
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
            // Neighbours mostly share one stamp.
            if *stamp == ordered || both_atomic || self.is_ordered(*stamp, thread, kind) {
                ordered = *stamp;
                continue;
            }
            return Err(self.race(start + ahead, *stamp, kind));
        }
        Ok(())
    }

    /// The race with what a stamp stands for.
    #[cold]
    fn race(&self, at: usize, stamp: u32, kind: Kind) -> Race {
        let who = stamp & WHO_MASK;
        let other_wrote = kind == Kind::Writes;
        let number = who.checked_sub(NUMBERED).filter(|_| other_wrote);
        let copy = self.clocks.as_ref().zip(number);
        Race {
            at: at as u32,
            other: (who < SEVERAL_OF_WARP).then_some(who),
            other_wrote,
            copy: copy.map(|(clocks, number)| clocks.address(number as usize)),
            reading: (who >= READING && !other_wrote).then(|| Reader(who - READING)),
            unfenced: false,
        }
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
        self.note_read(plane, range.clone());
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
}

#[cfg(test)]
mod tests;
