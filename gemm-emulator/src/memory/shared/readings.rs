//! What asynchronous operations read of shared memory: the factors of `wgmma`, the source of a tensor store.
//!
//! They read at some time between their start and the wait for them, so until then nothing may write there. Of a
//! multiplication, the wait of one warp is enough: it belongs to the whole warpgroup.

use std::ops::Range;

use super::{Access, Shared, SharedProblem, VALID};
use crate::memory::reader::{READERS, Reader, ReadingId, WARPGROUPS};

/// Bytes of a chunk, the parts that are read.
const CHUNK: usize = 16;
/// What an operation in flight reads.
pub(super) struct Reading {
    id: ReadingId,
    /// The addresses of its chunks.
    chunks: Vec<u32>,
    /// From the first byte of them to the last.
    range: Range<usize>,
}

impl Reading {
    fn overlaps(&self, start: usize, width: usize) -> bool {
        let end = start + width;
        let meets = |chunk: &u32| (*chunk as usize) < end && start < *chunk as usize + CHUNK;
        start < self.range.end && self.range.start < end && self.chunks.iter().any(meets)
    }
}

impl Shared {
    /// Starts to read chunks for some threads, which must all come after what was written there; else the address
    /// of a chunk that they cannot read, and why.
    pub(crate) fn start_reading(
        &mut self,
        id: ReadingId,
        chunks: Vec<u32>,
        threads: Range<u32>,
    ) -> Result<(), (u32, SharedProblem)> {
        for at in &chunks {
            if self.states::<CHUNK>(*at as usize) != Some([VALID; CHUNK]) {
                let readable = self.readable(u64::from(*at), CHUNK as u32, threads.start);
                readable.map_err(|problem| (*at, problem))?;
            }
        }
        if let Some(races) = &mut self.races {
            let read = races.start_reading(id, &chunks, threads);
            read.map_err(|race| (race.at, self.race(race)))?;
        }
        let (first, last) = chunks
            .iter()
            .fold((u32::MAX, 0), |(first, last), chunk| (first.min(*chunk), last.max(*chunk)));
        let range = first as usize..last as usize + CHUNK;
        self.readings.push(Reading { id, chunks, range });
        Ok(())
    }

    /// The next tensor store of a thread. The last threads share a reader: a race may be missed, none is made up.
    pub(crate) fn next_store(&mut self, thread: u32) -> ReadingId {
        let most = READERS - WARPGROUPS as usize;
        let known = self.storers.iter().position(|(other, _)| *other == thread);
        let at = known.unwrap_or_else(|| {
            if self.storers.len() < most {
                self.storers.push((thread, 0));
            }
            self.storers.len() - 1
        });
        self.storers[at].1 += 1;
        ReadingId { reader: Reader(WARPGROUPS + at as u32), number: self.storers[at].1 }
    }

    /// The bytes of a chunk.
    pub(crate) fn chunk(&self, at: u32) -> &[u8] {
        &self.bytes[at as usize..at as usize + CHUNK]
    }

    /// Threads have waited for all operations of a reader up to this one.
    pub(crate) fn finish_readings(&mut self, last: ReadingId, threads: Range<u32>) {
        let ReadingId { reader, number } = last;
        self.readings.retain(|reading| reading.id.reader != reader || reading.id.number > number);
        if let Some(races) = &mut self.races {
            races.finish_readings(last, threads);
        }
    }

    /// Fails if an operation in flight reads a byte that is to be written.
    #[cold]
    pub(super) fn check_readings(&self, start: usize, width: usize) -> Access {
        match self.readings.iter().find(|reading| reading.overlaps(start, width)) {
            None => Ok(()),
            Some(reading) => Err(self.overwritten(start as u32, reading.id.reader)),
        }
    }

    /// The problem of a write to what an operation in flight reads.
    #[cold]
    pub(super) fn overwritten(&self, at: u32, Reader(reader): Reader) -> SharedProblem {
        match reader.checked_sub(WARPGROUPS) {
            None => SharedProblem::Multiplying { at, warpgroup: reader },
            Some(storer) => SharedProblem::Storing { at, thread: self.storers[storer as usize].0 },
        }
    }

    /// A barrier of the block does not order what is still in flight.
    pub(super) fn keep_readings(&mut self) {
        let Shared { readings, races, .. } = self;
        if let Some(races) = races {
            readings.iter().for_each(|reading| races.stamp_reading(reading.id, &reading.chunks));
        }
    }
}
