//! Order by mbarriers: the part of [`Races`] that works on clocks.

use std::ops::Range;

use super::stamps::{Kind, NUMBERED, READING, SEVERAL, SEVERAL_OF_WARP, WHO_BITS, WHO_MASK};
use super::{By, Race, Races, Touch};
use crate::memory::clocks::{Clocks, Group};
use crate::program::Ordering;

impl Races {
    /// The clocks, if the kernel has mbarriers, with the time of the next access.
    fn clocks(&mut self) -> Option<(&mut Clocks, u32)> {
        let time = self.tick();
        self.line.clocks.as_mut().map(|clocks| (clocks, time))
    }

    /// A thread arrives at the mbarrier at an address, and releases what it did and knew.
    pub(crate) fn release(&mut self, mbarrier: u32, thread: u32, ordering: Ordering) {
        let rank = self.rank;
        if let Some((clocks, time)) = self.clocks() {
            let number = clocks.number(rank, mbarrier);
            clocks.release(number, (thread, time), ordering);
        }
    }

    /// The phase of an mbarrier is complete.
    pub(crate) fn complete(&mut self, mbarrier: u32) {
        let rank = self.rank;
        if let Some(clocks) = &mut self.line.clocks {
            let number = clocks.number(rank, mbarrier);
            clocks.complete(number);
        }
    }

    /// A thread has waited for the last complete phase of an mbarrier.
    pub(crate) fn acquire(&mut self, mbarrier: u32, thread: u32, ordering: Ordering) {
        let rank = self.rank;
        if let Some(clocks) = &mut self.line.clocks {
            let number = clocks.number(rank, mbarrier);
            clocks.acquire(number, thread, ordering);
        }
    }

    /// The tensor copy has written these bytes, and tells an mbarrier.
    pub(crate) fn land(&mut self, range: Range<usize>, mbarrier: u32) {
        let (time, rank) = (self.line.time, self.rank);
        if let Some((clocks, next)) = self.clocks() {
            let number = clocks.number(rank, mbarrier);
            clocks.land(number, next);
            // Time may have begun again: nothing is known of what lies before.
            let time = if next > time { time } else { 0 };
            self.writers[range].fill(time << WHO_BITS | (NUMBERED + number as u32));
        }
    }

    /// Checks that the initialisation of an mbarrier comes before what a thread does now, without recording it.
    pub(crate) fn after_initialization(
        &self,
        range: Range<usize>,
        thread: u32,
        owner: u32,
    ) -> Result<(), Race> {
        let (start, width, by) = (range.start, range.len(), self.by(thread));
        let ordered = self.compare(&self.writers, start, width, by, Touch::Read, Kind::Writes);
        let time = self.writers[start] >> WHO_BITS;
        let initialized = |clocks: &Clocks| clocks.knows_initialized(thread, owner, time);
        match &self.line.clocks {
            Some(clocks) if initialized(clocks) => Ok(()),
            _ => ordered,
        }
    }

    /// Whether somebody's clock has what a stamp stands for.
    #[inline(never)]
    pub(super) fn is_known(&self, clocks: &Clocks, stamp: u32, by: By, kind: Kind) -> bool {
        let (time, who) = (stamp >> WHO_BITS, stamp & WHO_MASK);
        let By { thread, local, .. } = by;
        match (who, kind) {
            (NUMBERED.., Kind::Writes) => {
                clocks.knows_copy(thread, (who - NUMBERED) as usize, time)
            }
            (READING.., Kind::Reads) => {
                clocks.knows_reading(thread, (self.rank, who - READING), time)
            }
            (0..SEVERAL_OF_WARP, _) => clocks.knows(thread, Clocks::own(self.first + who), time),
            (SEVERAL, _) => false,
            _ => {
                let group = self.group_of(clocks, who);
                let met = group.warp == thread / 32
                    && local != u32::MAX
                    && time < self.warp_since[local as usize / 32];
                met || clocks.knows_group(thread, group, time)
            }
        }
    }

    /// Who has read a byte, by stamps of one warp of the block.
    #[inline(never)]
    pub(super) fn group(&mut self, warp: u32, old: u32, mine: u32, together: bool) -> u32 {
        let own = 1 << (mine & WHO_MASK & 31);
        let mut group = Group::new(self.first / 32 + warp, u32::MAX, true);
        if !together {
            group = self.unreleased(warp, old);
            (group.lanes, group.fenced) = (group.lanes | own, group.fenced & !own);
        }
        let number = self.line.clocks.as_mut().and_then(|clocks| clocks.group_number(group));
        number.map_or(SEVERAL_OF_WARP + warp, |number| NUMBERED + number as u32)
    }

    /// The lanes that have not released an earlier read. For them it is as if they had read now. The others are
    /// forgotten, and with them a race of a read that not all lanes of a warp did and released at once.
    fn unreleased(&self, warp: u32, stamp: u32) -> Group {
        let mut left = Group::new(self.first / 32 + warp, 0, false);
        let Some(clocks) = &self.line.clocks else { return left };
        let group = self.group_of(clocks, stamp & WHO_MASK);
        let time = stamp >> WHO_BITS;
        for lane in (0..32).filter(|lane| group.lanes >> lane & 1 == 1) {
            let thread = group.warp * 32 + lane;
            if clocks.has_released(thread, time) {
                continue;
            }
            left.lanes |= 1 << lane;
            let fenced = clocks.is_fenced(thread, Clocks::own(thread), time);
            if group.fenced >> lane & 1 == 1 || fenced {
                left.fenced |= 1 << lane;
            }
        }
        left
    }

    /// The lanes that a stamp of reads stands for. Of too many to be told apart, those of one instruction: a race may
    /// be missed, none is made up.
    pub(super) fn group_of(&self, clocks: &Clocks, who: u32) -> Group {
        let first = self.first / 32;
        match who {
            0..SEVERAL_OF_WARP => Group::new(first + who / 32, 1 << (who % 32), false),
            SEVERAL_OF_WARP..NUMBERED => Group::new(first + who - SEVERAL_OF_WARP, u32::MAX, true),
            _ => clocks.group((who - NUMBERED) as usize),
        }
    }
}
