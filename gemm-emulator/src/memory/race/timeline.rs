//! Time, which all blocks of a cluster share.

use super::Races;
use super::stamps::MAX_TIME;
use crate::memory::clocks::Clocks;

/// The time of a cluster, and the clocks of its threads. The races of one block at a time have it.
#[derive(Default)]
pub(crate) struct Timeline {
    pub(super) time: u32,
    /// How often time has begun again.
    pub(super) epoch: u32,
    /// Of a kernel that orders some threads of a block, or of a cluster.
    pub(super) clocks: Option<Clocks>,
}

impl Timeline {
    pub(super) fn new(clocks: Option<Clocks>) -> Timeline {
        Timeline { time: 1, epoch: 0, clocks }
    }
}

impl Races {
    /// Exchanges the timelines of two blocks of a cluster, or takes the one that no block has.
    pub(crate) fn swap_timeline(&mut self, other: &mut Timeline) {
        std::mem::swap(&mut self.line, other);
        if self.epoch != self.line.epoch && self.line.time > 0 {
            self.forget_stamps();
        }
    }

    pub(super) fn tick(&mut self) -> u32 {
        self.line.time += 1;
        if self.line.time == MAX_TIME {
            self.restart();
        }
        self.line.time
    }

    /// Lets time begin again.
    pub(super) fn restart(&mut self) {
        self.line.time = 1;
        self.line.epoch = self.line.epoch.wrapping_add(1);
        if let Some(clocks) = &mut self.line.clocks {
            clocks.reset();
        }
        self.forget_stamps();
    }

    /// Time has begun again: forgets what was before.
    fn forget_stamps(&mut self) {
        self.writers.fill(0);
        self.readers.iter_mut().for_each(|stamps| stamps.fill(0));
        self.away.clear();
        (self.since, self.warp_since, self.began) = (1, [1; 32], 1);
        self.epoch = self.line.epoch;
    }
}
