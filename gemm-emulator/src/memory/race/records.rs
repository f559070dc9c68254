//! The stamps that accesses of a block's own threads leave.

use std::ops::Range;

use super::stamps::{ATOMIC, Kind, SEVERAL, SEVERAL_OF_WARP, WHO_BITS, WHO_MASK, warp_of};
use super::{By, Races, Touch};

impl Races {
    pub(super) fn record_atomic(&mut self, range: Range<usize>, by: By) {
        for at in range {
            let old = self.writers[at];
            let joins = old & ATOMIC != 0 && !self.is_ordered(old, by, Kind::Writes);
            let who = if joins { SEVERAL } else { by.local };
            self.writers[at] = self.line.time << WHO_BITS | ATOMIC | who;
        }
    }

    pub(super) fn record_read(&mut self, start: usize, width: usize, mine: u32, touch: Touch) {
        let range = start..start + width;
        let plane = self.line.clocks.as_ref().map_or(0, |_| (mine & WHO_MASK) as usize / 32);
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
        let together = touch == Touch::ReadTogether && self.line.clocks.is_some();
        if !together && self.is_ordered(old, self.by(self.first + thread), Kind::Reads) {
            return mine;
        }
        let warp = thread / 32;
        let who = match warp_of(old & WHO_MASK) {
            _ if self.line.clocks.is_some() => self.group(warp, old, mine, together),
            Some(old_warp) if old_warp == warp => SEVERAL_OF_WARP + warp,
            _ => SEVERAL,
        };
        (mine & !WHO_MASK) | who
    }
}
