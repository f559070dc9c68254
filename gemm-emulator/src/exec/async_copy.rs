//! The `cp.async` copies of a warp's lanes that have not landed.

use crate::memory::{Landing, Shared};
use crate::program::LANES;

struct Copy {
    landing: Landing,
    lane: u8,
    /// Number of the group it belongs to, counted for each lane.
    group: u32,
}

/// What a warp's lanes have in flight.
#[derive(Default)]
pub(crate) struct Copies {
    in_flight: Vec<Copy>,
    /// Groups each lane has committed.
    committed: [u32; LANES],
}

impl Copies {
    pub(crate) fn reset(&mut self) {
        self.in_flight.clear();
        self.committed = [0; LANES];
    }

    /// A copy of a lane's open group.
    pub(crate) fn start(&mut self, lane: usize, landing: Landing) {
        let group = self.committed[lane];
        self.in_flight.push(Copy { landing, lane: lane as u8, group });
    }

    pub(crate) fn commit(&mut self, mask: u32) {
        for (lane, committed) in self.committed.iter_mut().enumerate() {
            *committed += mask >> lane & 1;
        }
    }

    /// Lands all but the newest `groups` committed groups of the lanes in `mask`.
    pub(crate) fn wait(&mut self, mask: u32, groups: u32, shared: &mut Shared) {
        let committed = self.committed;
        self.land(shared, |copy| {
            mask >> copy.lane & 1 == 1
                && copy.group < committed[usize::from(copy.lane)].saturating_sub(groups)
        });
    }

    /// Lands everything of the lanes in `mask`, committed or not.
    pub(crate) fn wait_all(&mut self, mask: u32, shared: &mut Shared) {
        self.commit(mask);
        self.land(shared, |copy| mask >> copy.lane & 1 == 1);
    }

    fn land(&mut self, shared: &mut Shared, lands: impl Fn(&Copy) -> bool) {
        self.in_flight.retain(|copy| {
            let lands = lands(copy);
            if lands {
                shared.land(copy.landing);
            }
            !lands
        });
    }
}
