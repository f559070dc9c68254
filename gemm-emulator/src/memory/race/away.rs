//! Accesses to the shared memory of a block by threads of the other blocks of its cluster.
//!
//! They have stamps of their own: of writes one for each other block, of reads one for each of its warps. The barriers
//! of a block do not order them; that is what clocks alone tell.

use std::ops::Range;

use super::stamps::{ATOMIC, Kind, WHO_BITS, WHO_MASK};
use super::{By, Race, Races, Touch};
use crate::memory::clocks::Clocks;

/// The most stamps of reads that are kept, each for all bytes of the block: those of further warps are not, so that a
/// race of theirs may be missed.
pub(super) const MOST_READERS: usize = 16;

/// Stamps of threads of another block.
pub(super) struct Away {
    /// The first thread of its block, or of the warp that reads; stamps count from there.
    first: u32,
    kind: Kind,
    stamps: Vec<u32>,
    /// From the first byte with a stamp to the last.
    touched: Range<usize>,
}

impl Away {
    fn of(&self, range: &Range<usize>) -> &[u32] {
        let (start, end) = (range.start.max(self.touched.start), range.end.min(self.touched.end));
        if start < end { &self.stamps[start..end] } else { &[] }
    }

    fn race(&self, at: usize, who: u32, unfenced: bool) -> Race {
        Race {
            at: at as u32,
            other: Some(self.first + who),
            other_wrote: self.kind == Kind::Writes,
            copy: None,
            reading: None,
            unfenced,
        }
    }
}

impl Races {
    /// Fails if an access is not ordered after those of other blocks; of a copy, if it is not fenced.
    #[inline(never)]
    pub(super) fn compare_away(
        &self,
        range: &Range<usize>,
        by: By,
        touch: Touch,
    ) -> Result<(), Race> {
        let Some(clocks) = &self.line.clocks else { return Ok(()) };
        let reads = matches!(touch, Touch::Read | Touch::ReadTogether);
        for away in self.away.iter().filter(|away| !reads || away.kind == Kind::Writes) {
            let start = range.start.max(away.touched.start);
            let mut ordered = 0;
            for (at, stamp) in (start..).zip(away.of(range)) {
                if *stamp == ordered {
                    continue;
                }
                let fence = touch == Touch::Copy;
                self.follows(clocks, away, (at, *stamp), by, fence).or_else(|race| {
                    let atomic = touch == Touch::Atomic && stamp & ATOMIC != 0;
                    if atomic { Ok(()) } else { Err(race) }
                })?;
                ordered = *stamp;
            }
        }
        Ok(())
    }

    fn follows(
        &self,
        clocks: &Clocks,
        away: &Away,
        (at, stamp): (usize, u32),
        by: By,
        fence: bool,
    ) -> Result<(), Race> {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        if time < self.began {
            return Ok(());
        }
        let other = clocks.away(away.first + who);
        if away.first + who != by.thread && !clocks.knows(by.thread, other, time) {
            return Err(away.race(at, who, false));
        }
        match fence && !clocks.is_fenced(by.thread, other, time) {
            true => Err(away.race(at, who, true)),
            false => Ok(()),
        }
    }

    /// Fails unless writes of other blocks are ordered and fenced before what a thread starts.
    pub(super) fn starts_after_away(&self, range: &Range<usize>, by: By) -> Result<(), Race> {
        let Some(clocks) = &self.line.clocks else { return Ok(()) };
        for away in self.away.iter().filter(|away| away.kind == Kind::Writes) {
            let start = range.start.max(away.touched.start);
            for (at, stamp) in (start..).zip(away.of(range)) {
                self.follows(clocks, away, (at, *stamp), by, true)?;
            }
        }
        Ok(())
    }

    /// Records an access of a thread of another block.
    pub(super) fn record_away(&mut self, range: Range<usize>, thread: u32, touch: Touch) {
        let Some(team) = self.line.clocks.as_ref().map(Clocks::team) else { return };
        let (kind, first) = match touch {
            Touch::Read | Touch::ReadTogether => (Kind::Reads, thread / 32 * 32),
            _ => (Kind::Writes, team.members(team.rank(thread)).start),
        };
        let bytes = self.writers.len();
        let known = self.away.iter().position(|away| (away.kind, away.first) == (kind, first));
        let of_kind = self.away.iter().filter(|away| away.kind == kind).count();
        if known.is_none() && kind == Kind::Reads && of_kind == MOST_READERS {
            return;
        }
        let at = known.unwrap_or_else(|| {
            let (stamps, touched) = (vec![0; bytes], range.clone());
            self.away.push(Away { first, kind, stamps, touched });
            self.away.len() - 1
        });
        let atomic = if touch == Touch::Atomic { ATOMIC } else { 0 };
        let stamp = self.line.time << WHO_BITS | atomic | (thread - first);
        let Away { stamps, touched, .. } = &mut self.away[at];
        *touched = touched.start.min(range.start)..touched.end.max(range.end);
        stamps[range].fill(stamp);
    }

    /// Forgets the accesses of other blocks before a copy, as [`Races::forget_reads`] does.
    pub(super) fn forget_away(&mut self, range: &Range<usize>) {
        self.away.iter_mut().for_each(|away| away.stamps[range.clone()].fill(0));
    }

    /// An access by a thread of another block that does not come before what a thread of this one has done last.
    pub(crate) fn left_away(&self) -> Option<Race> {
        let clocks = self.line.clocks.as_ref()?;
        let mut ordered = 0;
        for away in &self.away {
            for (at, stamp) in (away.touched.start..).zip(away.of(&away.touched)) {
                let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
                if *stamp == ordered || time < self.began {
                    continue;
                }
                let other = clocks.away(away.first + who);
                if !clocks.block_knows(self.rank, other, time) {
                    return Some(away.race(at, who, false));
                }
                ordered = *stamp;
            }
            ordered = 0;
        }
        None
    }
}
