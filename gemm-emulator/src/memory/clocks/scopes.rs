//! What is released to whom: by mbarriers, by the barrier of the cluster, by fences before relaxed arrivals.
//!
//! An order exists between two threads if both sides name a scope that holds the other thread. So an mbarrier keeps two
//! clocks: `near` of what threads of its own block have released at any scope, `far` of what any thread has released at
//! the scope of the cluster. A wait of the block's scope takes `near` alone. The end of a copy is released to all.
//! (PTX ISA, "Memory Consistency Model", "Morally Strong Operations"; "mbarrier.arrive"; "membar/fence")

use super::known::{Known, set};
use super::{Clocks, Team};
use crate::memory::reader::READERS;
use crate::program::{MemoryFence, Ordering, Scope};

/// Clocks of the two scopes.
#[derive(Clone, Default)]
pub(super) struct Scoped {
    near: Known,
    far: Known,
}

#[derive(Default)]
pub(super) struct OfMbarrier {
    /// The rank of its block.
    pub(super) home: u32,
    /// Precedes the end of the phase that is not complete.
    gathered: Scoped,
    /// Precedes the end of the last complete phase.
    complete: Scoped,
}

impl Clocks {
    /// Orders the accesses of a thread before `time`, and its knowledge, before the end of the mbarrier's phase.
    pub(in crate::memory) fn release(
        &mut self,
        number: usize,
        (thread, time): (u32, u32),
        Ordering { orders, scope }: Ordering,
    ) {
        self.mark(thread, time);
        let rank = self.team.rank(thread);
        let Clocks { team, known, met, released, mbarriers, .. } = self;
        let barrier = &mut mbarriers[number];
        let near = barrier.home == rank;
        let far = scope == Scope::Cluster && team.blocks > 1;
        let Scoped { near: to_block, far: to_cluster } = &mut barrier.gathered;
        for (reaches, to) in [(near, to_block), (far, to_cluster)] {
            if reaches && orders {
                to.join(&known[thread as usize]);
                to.join(&met[rank as usize]);
            }
        }
        let Some(fenced) = released.get(&thread).filter(|_| !orders) else { return };
        if near {
            barrier.gathered.near.join(&fenced.near);
        }
        if far {
            barrier.gathered.far.join(&fenced.far);
        }
    }

    /// Orders the writes of copies before `time` before the end of the mbarrier's phase.
    pub(in crate::memory) fn land(&mut self, number: usize, time: u32) {
        let at = self.copies_at(number);
        let Scoped { near, far } = &mut self.mbarriers[number].gathered;
        set(&mut near.happened, at, time);
        set(&mut far.happened, at, time);
    }

    /// The mbarrier's phase is complete. Later ones come after all that came before it.
    pub(in crate::memory) fn complete(&mut self, number: usize) {
        self.mbarriers[number].turn();
    }

    /// A thread has waited for the last phase that is complete.
    pub(in crate::memory) fn acquire(
        &mut self,
        number: usize,
        thread: u32,
        Ordering { orders, scope }: Ordering,
    ) {
        let Scoped { near, far } = &self.mbarriers[number].complete;
        let wide = scope == Scope::Cluster;
        if orders {
            self.known[thread as usize].join(near);
            if wide {
                self.known[thread as usize].join(far);
            }
            return;
        }
        let observed = self.observed.entry(thread).or_default();
        observed.near.join(near);
        if wide {
            observed.far.join(far);
        }
    }

    /// A thread has passed a fence: its relaxed arrivals from now on release what it knows, and what it has waited for
    /// before is known.
    pub(in crate::memory) fn fence_memory(&mut self, thread: u32, time: u32, fence: MemoryFence) {
        let wide = fence.scope == Scope::Cluster;
        if let Some(Scoped { near, far }) = self.observed.get(&thread).filter(|_| fence.acquires) {
            self.known[thread as usize].join(near);
            if wide {
                self.known[thread as usize].join(far);
            }
        }
        if !fence.releases {
            return;
        }
        self.mark(thread, time);
        let rank = self.team.rank(thread);
        let mut known = self.known[thread as usize].clone();
        known.join(&self.met[rank as usize]);
        if fence.restricted {
            self.restrict(&mut known, rank);
        }
        let released = self.released.entry(thread).or_default();
        released.near.join(&known);
        if wide {
            released.far.join(&known);
        }
    }

    /// A thread has passed a fence for the mbarriers that it has initialised.
    pub(in crate::memory) fn fence_initialized(&mut self, thread: u32, time: u32) {
        if self.team.blocks > 1 {
            let Scoped { near, far } = self.released.entry(thread).or_default();
            set(&mut near.initialized, thread as usize, time);
            set(&mut far.initialized, thread as usize, time);
        }
    }

    /// Whether a thread may use what another one initialised at `time` as an mbarrier.
    pub(in crate::memory) fn knows_initialized(&self, thread: u32, other: u32, time: u32) -> bool {
        self.has(thread, |known| &known.initialized, other as usize, time)
    }

    /// Leaves of a clock what was done to the shared memory of one block. Where threads of other blocks have accessed
    /// memory of others again is not known: it stays, so that a race may be missed and none is made up.
    fn restrict(&self, known: &mut Known, rank: u32) {
        let Team { blocks, threads } = self.team;
        let (all, of_block) = (self.team.all() as usize, threads as usize);
        let readings = self.readers_at(0);
        let copies = self.readers_at(blocks);
        for (at, time) in known.happened.iter_mut().enumerate() {
            let own = match at {
                _ if at < all => at / of_block == rank as usize,
                _ if at < readings => (at - all) / of_block != rank as usize,
                _ if at < copies => (at - readings) / READERS == rank as usize,
                _ => self.mbarriers[at - copies].home == rank,
            };
            *time = if own { *time } else { 0 };
        }
    }

    /// A thread arrives at the barrier of the cluster.
    pub(in crate::memory) fn arrive_at_cluster(&mut self, thread: u32, time: u32, releases: bool) {
        self.mark(thread, time);
        let rank = self.team.rank(thread);
        let Clocks { known, met, released, cluster, .. } = self;
        if releases {
            cluster.gathered.far.join(&known[thread as usize]);
            cluster.gathered.far.join(&met[rank as usize]);
        } else if let Some(fenced) = released.get(&thread) {
            cluster.gathered.far.join(&fenced.far);
        }
    }

    /// The barrier of the cluster is complete.
    pub(in crate::memory) fn complete_cluster(&mut self) {
        self.cluster.turn();
    }

    /// A thread has waited at the barrier of the cluster.
    pub(in crate::memory) fn leave_cluster(&mut self, thread: u32) {
        self.known[thread as usize].join(&self.cluster.complete.far);
    }
}

impl OfMbarrier {
    /// Of a block.
    pub(super) fn of(home: u32) -> OfMbarrier {
        OfMbarrier { home, ..OfMbarrier::default() }
    }

    fn turn(&mut self) {
        let OfMbarrier { gathered, complete, .. } = self;
        complete.near.copy(&gathered.near);
        complete.far.copy(&gathered.far);
    }

    pub(super) fn clear(&mut self) {
        *self = OfMbarrier::of(self.home);
    }
}
