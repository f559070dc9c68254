//! Races in shared memory: two threads access a byte, one writes, and no barrier lies between.
//!
//! Time advances at each barrier. Each byte has two stamps, of the last write and of the last read: the time and the
//! thread. An access conflicts with a stamp of another thread unless a barrier that orders the two has been
//! passed since. The order in which the emulator runs the warps does not matter.
//!
//! Mbarriers and barriers of some of the block's threads order threads one by one. In a kernel that has them, each thread also has a [vector clock](Clocks), and the
//! reads of each warp have stamps of their own, because warps that read the same data release it one after the other.
//!
//! Threads are numbered within their cluster; those of [other blocks](away) have stamps of their own, which count from
//! the first thread of their block, as the others do.
//!
//! A barrier of some lanes of a warp counts as one of all: a race that only such a barrier does not order is missed. Atomics conflict with plain accesses only.
//!
//! Tensor copies need a [fence](proxies) as well.

mod away;
mod barriers;
mod cluster;
mod mbarriers;
mod proxies;
mod readings;
mod records;
mod stamps;
mod timeline;

use std::ops::Range;

use super::clocks::{Clocks, Team};
use super::reader::Reader;
use away::Away;
use stamps::{
    ATOMIC, Kind, MAX_TIME, NUMBERED, READING, SEVERAL_OF_WARP, WHO_BITS, WHO_MASK, all_before,
    warp_of,
};
pub(crate) use timeline::Timeline;

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

/// Who accesses: a thread, and what is known of it.
#[derive(Clone, Copy)]
struct By {
    /// Its number in the cluster.
    thread: u32,
    /// Its number in the block whose memory it is; none of any thread if it belongs to another one.
    local: u32,
    /// What was done before then comes before what it does now.
    since: u32,
}

pub(crate) struct Races {
    writers: Vec<u32>,
    /// Of all threads, or of each warp.
    readers: Vec<Vec<u32>>,
    /// For each of them, from the first byte that was read in this block to the last.
    read: Vec<Range<usize>>,
    /// Of threads of other blocks of the cluster.
    away: Vec<Away>,
    line: Timeline,
    /// The [`Timeline::epoch`] of the stamps.
    epoch: u32,
    /// Of the block in its cluster.
    rank: u32,
    /// The number in the cluster of the block's first thread.
    first: u32,
    /// How many threads have numbers from there on.
    members: u32,
    /// The time of the last barrier of the block.
    since: u32,
    /// The time of the last barrier of each warp.
    warp_since: [u32; 32],
    /// The time at which the block began.
    began: u32,
}

impl Races {
    /// For `bytes` bytes; with mbarriers, for the block of a rank in that team.
    pub(crate) fn new(bytes: usize, of: Option<(Team, u32)>) -> Races {
        let (team, rank) = of.unwrap_or((Team::alone(u32::MAX), 0));
        let planes = of.map_or(1, |_| team.threads.div_ceil(32));
        Races {
            writers: vec![0; bytes],
            readers: vec![vec![0; bytes]; planes as usize],
            read: vec![0..0; planes as usize],
            away: Vec::new(),
            line: Timeline::new(of.map(|_| Clocks::new(team))),
            epoch: 0,
            rank,
            first: rank * team.threads,
            members: team.threads,
            since: 1,
            warp_since: [1; 32],
            began: 1,
        }
    }

    /// Host memory for `bytes` bytes.
    pub(crate) fn memory(bytes: u64, team: Option<Team>) -> u64 {
        // Those of asynchronous operations are made with the first one of a reader; so are those of other blocks, of
        // which a plane for each is counted.
        let own = |threads: u32| u64::from(threads.div_ceil(32) + threads.div_ceil(128) + 1);
        let planes = team.map_or(1, |team| own(team.threads) + u64::from(team.blocks) - 1);
        // All blocks share the clocks.
        let clocks = |team| Clocks::memory(team) / u64::from(team.blocks);
        bytes * 4 * (1 + planes) + team.map_or(0, clocks)
    }

    /// Forgets everything, for the next block.
    pub(crate) fn reset(&mut self) {
        if self.line.time > MAX_TIME / 2 {
            self.restart();
        } else {
            // All stamps are older than this.
            self.block_barrier();
        }
        self.began = self.since;
        self.read.fill(0..0);
        self.away.clear();
        if let Some(clocks) = &mut self.line.clocks {
            clocks.reset();
        }
    }

    /// All threads have passed a barrier.
    pub(crate) fn block_barrier(&mut self) {
        self.since = self.tick();
        let (rank, since) = (self.rank, self.since);
        if let Some(clocks) = &mut self.line.clocks {
            clocks.meet_all(rank, since);
        }
    }

    /// Lanes of a warp have passed a barrier.
    pub(crate) fn warp_barrier(&mut self, warp: u32, lanes: u32) {
        let time = self.tick();
        self.warp_since[(warp - self.first / 32) as usize] = time;
        if let Some(clocks) = &mut self.line.clocks {
            clocks.meet(warp, lanes, time);
        }
    }

    #[inline]
    fn by(&self, thread: u32) -> By {
        match thread.wrapping_sub(self.first) {
            local if local < self.members => By { thread, local, since: self.since },
            _ => By { thread, local: u32::MAX, since: self.began },
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
        let (range, by) = (start..start + width, self.by(thread));
        let limit = by.since << WHO_BITS;
        if !all_before(&self.writers[range.clone()], limit) {
            self.compare(&self.writers, start, width, by, touch, Kind::Writes)?;
        }
        if !matches!(touch, Touch::Read | Touch::ReadTogether) {
            for stamps in self.readers_of(&range) {
                if !all_before(&stamps[range.clone()], limit) {
                    self.compare(stamps, start, width, by, touch, Kind::Reads)?;
                }
            }
        }
        if !self.away.is_empty() {
            self.compare_away(&range, by, touch)?;
        }
        match touch {
            Touch::Copy => self.record_copy(range, by)?,
            _ if by.local == u32::MAX => self.record_away(range, thread, touch),
            Touch::Read | Touch::ReadTogether => {
                self.record_read(start, width, self.line.time << WHO_BITS | by.local, touch);
            }
            Touch::Write => self.writers[range].fill(self.line.time << WHO_BITS | by.local),
            Touch::Atomic => self.record_atomic(range, by),
        }
        Ok(())
    }

    /// Checks the fences before a copy. Until it lands, nothing may touch what it writes; then it gets its stamps.
    fn record_copy(&mut self, range: Range<usize>, by: By) -> Result<(), Race> {
        self.check_fences(range.clone(), by.thread)?;
        self.forget_reads(range.clone());
        self.forget_away(&range);
        self.writers[range].fill(0);
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
        by: By,
        touch: Touch,
        kind: Kind,
    ) -> Result<(), Race> {
        let mut ordered = 0;
        for (ahead, stamp) in stamps[start..start + width].iter().enumerate() {
            let both_atomic = touch == Touch::Atomic && stamp & ATOMIC != 0;
            // Neighbours mostly share one stamp.
            if *stamp == ordered || both_atomic || self.is_ordered(*stamp, by, kind) {
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
        let copy = self.line.clocks.as_ref().zip(number);
        Race {
            at: at as u32,
            other: (who < SEVERAL_OF_WARP).then(|| self.first + who),
            other_wrote,
            copy: copy.map(|(clocks, number)| clocks.address(number as usize)),
            reading: (who >= READING && !other_wrote).then(|| Reader(who - READING)),
            unfenced: false,
        }
    }

    /// Whether what a stamp stands for comes before anything that somebody does now.
    #[inline]
    fn is_ordered(&self, stamp: u32, by: By, kind: Kind) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        let in_warp = warp_of(who) == Some(by.local / 32);
        let clocks = || self.line.clocks.as_ref();
        time < by.since
            || who == by.local
            || (in_warp && time < self.warp_since[by.local as usize / 32])
            || clocks().is_some_and(|clocks| self.is_known(clocks, stamp, by, kind))
    }
}

#[cfg(test)]
mod tests;
