//! What multiplications by `wgmma` read.
//!
//! They belong to the async proxy, as tensor copies do: what threads have stored needs a fence before, what a wait
//! orders needs none after. (PTX ISA, "wgmma", "Async Proxy") Their reads have stamps of their own for each warpgroup,
//! and threads that have waited know them.

use super::stamps::{Kind, MULTIPLIES, WHO_BITS};
use super::{Race, Races};
use crate::memory::shared::MultiplyId;

/// Bytes of a chunk.
const CHUNK: usize = 16;

impl Races {
    /// Checks and records that a multiplication reads chunks of 16 bytes. What was written there must come before it
    /// for all threads of the warpgroup.
    pub(crate) fn multiply(&mut self, id: MultiplyId, chunks: &[u32]) -> Result<(), Race> {
        let threads = 128 * id.warpgroup..128 * (id.warpgroup + 1);
        let mut ordered = 0;
        for chunk in chunks {
            let start = *chunk as usize;
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
        self.stamp_multiply(id, chunks);
        Ok(())
    }

    /// Fails unless a write is ordered and fenced before what a thread multiplies.
    fn comes_before(&self, at: usize, stamp: u32, thread: u32) -> Result<(), Race> {
        let kind = Kind::Writes;
        if !self.is_ordered(stamp, thread, kind) {
            return Err(self.race(at, stamp, kind));
        }
        match &self.clocks {
            Some(clocks) if !self.is_fenced(clocks, stamp, thread, kind) => {
                Err(Race { unfenced: true, ..self.race(at, stamp, kind) })
            }
            _ => Ok(()),
        }
    }

    /// Records that a multiplication reads from now on.
    pub(crate) fn stamp_multiply(&mut self, id: MultiplyId, chunks: &[u32]) {
        let time = self.tick();
        let Some(clocks) = &mut self.clocks else { return };
        let first = clocks.threads().div_ceil(32);
        let plane = first + id.warpgroup as usize;
        while self.readers.len() <= plane {
            self.readers.push(vec![0; self.writers.len()]);
        }
        clocks.multiply(id, time);
        let stamp = time << WHO_BITS | (MULTIPLIES + id.warpgroup);
        for chunk in chunks {
            self.readers[plane][*chunk as usize..*chunk as usize + CHUNK].fill(stamp);
        }
    }

    /// A warp has waited for the multiplications of its warpgroup up to this one.
    pub(crate) fn finish_multiplies(&mut self, last: MultiplyId, warp: u32) {
        if let Some(clocks) = &mut self.clocks {
            (warp * 32..warp * 32 + 32).for_each(|thread| clocks.finish_multiplies(last, thread));
        }
    }
}
