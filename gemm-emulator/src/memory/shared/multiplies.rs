//! The matrices in shared memory that multiplications by `wgmma` read.
//!
//! A matrix is read at some time between the multiplication and the first wait for it, so until then nothing may write
//! to it. The wait of one warp is enough: the multiplication belongs to the whole warpgroup.

use std::ops::Range;

use super::{Access, Shared, SharedProblem, VALID};

/// Bytes of a chunk, the parts that matrices consist of.
const CHUNK: usize = 16;

/// A multiplication of a warpgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MultiplyId {
    pub(crate) warpgroup: u32,
    /// From 1.
    pub(crate) number: u64,
}

/// What a multiplication in flight reads.
pub(super) struct Reading {
    id: MultiplyId,
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
    /// Starts a multiplication that reads these chunks; else the address of one that it cannot read, and why.
    pub(crate) fn start_multiply(
        &mut self,
        id: MultiplyId,
        chunks: Vec<u32>,
    ) -> Result<(), (u32, SharedProblem)> {
        let first = 128 * id.warpgroup;
        for at in &chunks {
            if self.states::<CHUNK>(*at as usize) != Some([VALID; CHUNK]) {
                let readable = self.readable(u64::from(*at), CHUNK as u32, first);
                readable.map_err(|problem| (*at, problem))?;
            }
        }
        if let Some(races) = &mut self.races {
            let read = races.multiply(id, &chunks);
            read.map_err(|race| (race.at, self.race(race)))?;
        }
        let (first, last) = chunks
            .iter()
            .fold((u32::MAX, 0), |(first, last), chunk| (first.min(*chunk), last.max(*chunk)));
        let range = first as usize..last as usize + CHUNK;
        self.readings.push(Reading { id, chunks, range });
        Ok(())
    }

    /// The bytes of a chunk.
    pub(crate) fn chunk(&self, at: u32) -> &[u8] {
        &self.bytes[at as usize..at as usize + CHUNK]
    }

    /// A warp has waited for all multiplications of its warpgroup up to this one.
    pub(crate) fn finish_multiplies(&mut self, last: MultiplyId, warp: u32) {
        let MultiplyId { warpgroup, number } = last;
        self.readings
            .retain(|reading| reading.id.warpgroup != warpgroup || reading.id.number > number);
        if let Some(races) = &mut self.races {
            races.finish_multiplies(last, warp);
        }
    }

    /// Fails if a multiplication in flight reads a byte that is to be written.
    #[cold]
    pub(super) fn check_readings(&self, start: usize, width: usize) -> Access {
        match self.readings.iter().find(|reading| reading.overlaps(start, width)) {
            None => Ok(()),
            Some(Reading { id, .. }) => {
                let (at, warpgroup) = (start as u32, id.warpgroup);
                Err(SharedProblem::Multiplying { at, warpgroup })
            }
        }
    }

    /// A barrier of the block does not order what is still in flight.
    pub(super) fn keep_readings(&mut self) {
        let Shared { readings, races, .. } = self;
        if let Some(races) = races {
            readings.iter().for_each(|reading| races.stamp_multiply(reading.id, &reading.chunks));
        }
    }
}
