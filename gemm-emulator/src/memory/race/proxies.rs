//! The fence that a tensor copy needs after what threads have loaded or stored at its destination.
//!
//! The copy belongs to the async proxy, they belong to the generic one. What orders threads does not order the two:
//! between them, on the same path, a thread has to execute `fence.proxy.async`. A copy after another needs none, nor
//! does what waits for a copy. (PTX ISA, "Async proxy")

use std::ops::Range;

use super::stamps::{Kind, NUMBERED, READING, SEVERAL, WHO_BITS, WHO_MASK, all_before};
use super::{Race, Races};
use crate::memory::clocks::Clocks;

impl Races {
    /// Lanes of a warp have passed a fence between the proxies.
    pub(crate) fn fence_proxies(&mut self, warp: u32, lanes: u32) {
        if self.line.clocks.is_none() {
            return;
        }
        let time = self.tick();
        let (since, warp_since) = (self.since, self.warp_since[(warp - self.first / 32) as usize]);
        if let Some(clocks) = &mut self.line.clocks {
            let lanes = (0..32).filter(|lane| lanes >> lane & 1 == 1);
            lanes.for_each(|lane| clocks.fence(warp * 32 + lane, time, since, warp_since));
        }
    }

    /// Checks that a fence lies between a copy and all accesses that are ordered before it.
    pub(super) fn check_fences(&self, range: Range<usize>, thread: u32) -> Result<(), Race> {
        let Some(clocks) = &self.line.clocks else { return Ok(()) };
        let reads = self.readers_of(&range).map(|stamps| (stamps, Kind::Reads));
        for (stamps, kind) in [(&self.writers, Kind::Writes)].into_iter().chain(reads) {
            let stamps = &stamps[range.clone()];
            if all_before(stamps, self.began << WHO_BITS) {
                continue;
            }
            let mut fenced = 0;
            for (ahead, stamp) in stamps.iter().enumerate() {
                // Neighbours mostly share one stamp.
                if *stamp != fenced && !self.is_fenced(clocks, *stamp, thread, kind) {
                    let race = self.race(range.start + ahead, *stamp, kind);
                    return Err(Race { unfenced: true, ..race });
                }
                fenced = *stamp;
            }
        }
        Ok(())
    }

    /// Whether what a stamp stands for needs no fence, or lies before one that a thread knows.
    #[inline(never)]
    pub(super) fn is_fenced(&self, clocks: &Clocks, stamp: u32, thread: u32, kind: Kind) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        match (who, kind) {
            _ if time < self.began => true,
            (NUMBERED.., Kind::Writes) | (READING.., Kind::Reads) => true,
            // Who it was is not known: a missing fence may be missed, none is made up.
            (SEVERAL, _) => clocks.is_any_fenced(thread, time),
            _ => clocks.is_group_fenced(thread, self.group_of(clocks, who), time),
        }
    }

    /// Forgets the reads before a copy: what follows the copy follows them and their fence.
    pub(super) fn forget_reads(&mut self, range: Range<usize>) {
        let limit = self.began << WHO_BITS;
        for (stamps, read) in self.readers.iter_mut().zip(&self.read) {
            let stamps = &mut stamps[range.clone()];
            let any = read.start < range.end && range.start < read.end;
            if any && !all_before(stamps, limit) {
                stamps.fill(0);
            }
        }
    }
}

#[cfg(test)]
mod tests;
