//! The copies of `cp.async`, from their start to the barrier that shows them to all.

use super::{Access, IN_FLIGHT, LANDED, LANDED_IN_WARP, Shared, VALID};
use crate::memory::landing::Landing;
use crate::memory::race::Touch;

impl Shared {
    /// Starts an asynchronous copy of `thread`: the bytes are there, but nobody may touch them.
    pub(crate) fn copy(
        &mut self,
        address: u64,
        width: u32,
        values: [u32; 4],
        thread: u32,
    ) -> Access<Landing> {
        let start = self.writable(address, width)?;
        self.touch(start, width, thread, Touch::Write)?;
        self.put(start, width, values);
        let end = start + width as usize;
        self.state[start..end].fill(IN_FLIGHT);
        self.copier[start / 4..end / 4].fill(thread as u16);
        Ok(Landing { address: start as u32, bytes: width, thread })
    }

    /// The thread that copied these bytes has waited for them.
    pub(crate) fn land(&mut self, landing: Landing) {
        let start = landing.address as usize;
        self.state[start..start + landing.bytes as usize].fill(LANDED);
        if self.landed.len() > self.most_landed {
            self.forget_overwritten();
        }
        self.landed.push(landing);
    }

    /// Keeps one entry for each stretch that still holds what landed there, so that a kernel without barriers cannot
    /// make the list grow without end.
    fn forget_overwritten(&mut self) {
        let Shared { state, copier, landed, .. } = self;
        landed.retain(|landing| {
            let at = landing.address as usize;
            state[at] & (LANDED | LANDED_IN_WARP) != 0
                && u32::from(copier[at / 4]) == landing.thread
        });
    }

    /// A barrier of the whole block: all that landed becomes visible to all.
    pub(crate) fn publish(&mut self) {
        if let Some(races) = &mut self.races {
            races.block_barrier();
        }
        self.keep_readings();
        let Shared { state, landed, .. } = self;
        landed.take(|_| true, |landing| promote(state, landing, VALID));
    }

    /// Lanes of a warp arrive at a barrier.
    pub(crate) fn arrive_at_barrier(&mut self, barrier: u32, warp: u32, lanes: u32) {
        if let Some(races) = &mut self.races {
            races.arrive_at_barrier(barrier, warp, lanes);
        }
    }

    /// A barrier of some threads of the block is complete: what those who took part have done comes before what the
    /// `waiters` do then, a mask for each warp.
    pub(crate) fn publish_to(
        &mut self,
        barrier: u32,
        waiters: &[u32],
        took_part: impl Fn(u32) -> bool,
    ) {
        if let Some(races) = &mut self.races {
            races.leave_barrier(barrier, waiters);
        }
        let Shared { state, landed, .. } = self;
        landed.take(took_part, |landing| promote(state, landing, VALID));
    }

    /// A barrier of lanes of one warp.
    pub(crate) fn publish_in_warp(&mut self, warp: u32, lanes: u32) {
        if let Some(races) = &mut self.races {
            races.warp_barrier(warp, lanes);
        }
        let Shared { state, landed, .. } = self;
        landed.show(warp, lanes, |landing| promote(state, landing, LANDED_IN_WARP));
    }
}

/// Only bytes still landed move on: a newer copy to them may be in flight.
fn promote(state: &mut [u8], landing: Landing, to: u8) {
    let start = landing.address as usize;
    for state in &mut state[start..start + landing.bytes as usize] {
        if *state & (LANDED | LANDED_IN_WARP) != 0 {
            *state = to;
        }
    }
}
