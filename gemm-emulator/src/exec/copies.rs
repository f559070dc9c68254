//! The copies of a warp's lanes by `cp.async` that have not landed.

use std::collections::VecDeque;

use crate::lanes::{LANES, lanes_of};
use crate::memory::{Landing, Shared};

struct Copy {
    landing: Landing,
    /// Number of the group it belongs to.
    group: u64,
}

#[derive(Default)]
struct Lane {
    /// Oldest first.
    in_flight: VecDeque<Copy>,
    /// Groups committed.
    committed: u64,
}

/// The copies in flight of a warp's lanes: at most as much as shared memory holds, because a copy over a copy in
/// flight is a fault.
#[derive(Default)]
pub(crate) struct Copies {
    lanes: [Lane; LANES],
}

impl Copies {
    pub(crate) fn reset(&mut self) {
        for lane in &mut self.lanes {
            lane.in_flight.clear();
            lane.committed = 0;
        }
    }

    /// A copy of a lane's open group.
    pub(crate) fn start(&mut self, lane: usize, landing: Landing) {
        let Lane { in_flight, committed } = &mut self.lanes[lane];
        in_flight.push_back(Copy { landing, group: *committed });
    }

    pub(crate) fn commit(&mut self, mask: u32) {
        lanes_of(mask).for_each(|lane| self.lanes[lane].committed += 1);
    }

    /// Lands all but the newest `groups` committed groups of the lanes in `mask`.
    pub(crate) fn wait(&mut self, mask: u32, groups: u32, shared: &mut Shared) {
        for lane in lanes_of(mask) {
            let Lane { in_flight, committed } = &mut self.lanes[lane];
            let landed = committed.saturating_sub(groups.into());
            let count = in_flight.partition_point(|copy| copy.group < landed);
            in_flight.drain(..count).for_each(|copy| shared.land(copy.landing));
        }
    }

    /// Lands everything of the lanes in `mask`, committed or not.
    pub(crate) fn wait_all(&mut self, mask: u32, shared: &mut Shared) {
        self.commit(mask);
        self.wait(mask, 0, shared);
    }
}
