//! Order by mbarriers: the part of [`Races`] that works on clocks.

use std::ops::Range;

use super::stamps::{Kind, NUMBERED, READING, SEVERAL, SEVERAL_OF_WARP, WHO_BITS, WHO_MASK};
use super::{Race, Races, Touch};
use crate::memory::clocks::{Clocks, Group};

impl Races {
    /// The clocks, if the kernel has mbarriers, with the time of the next access.
    fn clocks(&mut self) -> Option<(&mut Clocks, u32)> {
        let time = self.tick();
        self.clocks.as_mut().map(|clocks| (clocks, time))
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

    /// The tensor copy has written these bytes, and tells an mbarrier.
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

    /// Whether a thread's clock has what a stamp stands for.
    #[inline(never)]
    pub(super) fn is_known(&self, clocks: &Clocks, stamp: u32, thread: u32, kind: Kind) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        match (who, kind) {
            (NUMBERED.., Kind::Writes) => {
                clocks.knows_copy(thread, (who - NUMBERED) as usize, time)
            }
            (READING.., Kind::Reads) => clocks.knows_reading(thread, who - READING, time),
            (0..SEVERAL_OF_WARP, _) => clocks.knows(thread, who, time),
            (SEVERAL, _) => false,
            _ => {
                let group = group_of(clocks, who);
                let met = group.warp == thread / 32 && time < self.warp_since[group.warp as usize];
                met || clocks.knows_group(thread, group, time)
            }
        }
    }

    /// Who has read a byte, by stamps of one warp.
    #[inline(never)]
    pub(super) fn group(&mut self, warp: u32, old: u32, mine: u32, together: bool) -> u32 {
        let own = 1 << (mine & WHO_MASK & 31);
        let mut group = Group::new(warp, u32::MAX, true);
        if !together {
            group = self.unreleased(warp, old);
            (group.lanes, group.fenced) = (group.lanes | own, group.fenced & !own);
        }
        let number = self.clocks.as_mut().and_then(|clocks| clocks.group_number(group));
        number.map_or(SEVERAL_OF_WARP + warp, |number| NUMBERED + number as u32)
    }

    /// The lanes that have not released an earlier read. For them it is as if they had read now. The others are
    /// forgotten, and with them a race of a read that not all lanes of a warp did and released at once.
    fn unreleased(&self, warp: u32, stamp: u32) -> Group {
        let mut left = Group::new(warp, 0, false);
        let Some(clocks) = &self.clocks else { return left };
        let group = group_of(clocks, stamp & WHO_MASK);
        let time = stamp >> WHO_BITS;
        for lane in (0..32).filter(|lane| group.lanes >> lane & 1 == 1) {
            let thread = group.warp * 32 + lane;
            if clocks.has_released(thread, time) {
                continue;
            }
            left.lanes |= 1 << lane;
            if group.fenced >> lane & 1 == 1 || clocks.is_fenced(thread, thread, time) {
                left.fenced |= 1 << lane;
            }
        }
        left
    }
}

/// The lanes that a stamp of reads stands for. Of too many to be told apart, those of one instruction: a race may be
/// missed, none is made up.
pub(super) fn group_of(clocks: &Clocks, who: u32) -> Group {
    match who {
        0..SEVERAL_OF_WARP => Group::new(who / 32, 1 << (who % 32), false),
        SEVERAL_OF_WARP..NUMBERED => Group::new(who - SEVERAL_OF_WARP, u32::MAX, true),
        _ => clocks.group((who - NUMBERED) as usize),
    }
}
