//! What asynchronous operations read: multiplications by `wgmma` and tensor stores.
//!
//! They belong to the async proxy, as tensor copies do: what threads have stored needs a fence before, what a wait
//! orders needs none after. (PTX ISA, "Async proxy") Their reads have stamps of their own for each reader, and threads
//! that have waited know them.

use std::ops::Range;

use super::stamps::{Kind, READING, WHO_BITS};
use super::{Race, Races};
use crate::memory::reader::ReadingId;

/// Bytes of a chunk.
const CHUNK: usize = 16;

impl Races {
    /// Checks and records that an operation of some threads reads chunks of 16 bytes. What was written there must come
    /// before it for all of them.
    pub(crate) fn start_reading(
        &mut self,
        id: ReadingId,
        chunks: &[u32],
        threads: Range<u32>,
    ) -> Result<(), Race> {
        let mut ordered = 0;
        for chunk in chunks {
            let start = *chunk as usize;
            if !self.away.is_empty() {
                let starts =
                    |thread| self.starts_after_away(&(start..start + CHUNK), self.by(thread));
                threads.clone().try_for_each(starts)?;
            }
            let stamps = &self.writers[start..start + CHUNK];
            // Neighbours mostly share one stamp.
            if stamps.iter().fold(true, |all, stamp| all & (*stamp == ordered)) {
                continue;
            }
            for (at, stamp) in (start..).zip(stamps) {
                for thread in threads.clone() {
                    self.comes_before(at, *stamp, thread)?;
                }
                ordered = *stamp;
            }
        }
        self.stamp_reading(id, chunks);
        Ok(())
    }

    /// Fails unless a write is ordered and fenced before what a thread starts.
    fn comes_before(&self, at: usize, stamp: u32, thread: u32) -> Result<(), Race> {
        let kind = Kind::Writes;
        if !self.is_ordered(stamp, self.by(thread), kind) {
            return Err(self.race(at, stamp, kind));
        }
        match &self.line.clocks {
            Some(clocks) if !self.is_fenced(clocks, stamp, thread, kind) => {
                Err(Race { unfenced: true, ..self.race(at, stamp, kind) })
            }
            _ => Ok(()),
        }
    }

    /// Records that an operation reads from now on.
    pub(crate) fn stamp_reading(&mut self, id: ReadingId, chunks: &[u32]) {
        let (time, rank) = (self.tick(), self.rank);
        let Some(clocks) = &mut self.line.clocks else { return };
        // Each warpgroup has a plane, and all tensor stores have one.
        let threads = clocks.team().threads as usize;
        let (warps, warpgroups) = (threads.div_ceil(32), threads.div_ceil(128));
        let plane = warps + (id.reader.0 as usize).min(warpgroups);
        while self.readers.len() <= plane {
            self.readers.push(vec![0; self.writers.len()]);
            self.read.push(0..0);
        }
        clocks.start_reading(rank, id, time);
        let stamp = time << WHO_BITS | (READING + id.reader.0);
        for chunk in chunks {
            let range = *chunk as usize..*chunk as usize + CHUNK;
            self.note_read(plane, range.clone());
            self.readers[plane][range].fill(stamp);
        }
    }

    /// Threads have waited for the operations of a reader up to this one.
    pub(crate) fn finish_readings(&mut self, last: ReadingId, threads: Range<u32>) {
        if let Some(clocks) = &mut self.line.clocks {
            threads.into_iter().for_each(|thread| clocks.finish_readings(last, thread));
        }
    }
}
