//! Where warps meet: mbarriers, the barriers of a block and that of a cluster.

use super::{Agent, Place, Tracer};
use crate::trace::{EventKind, Wait};

impl Tracer {
    pub(super) fn come(&mut self, place: Place, step: u64) {
        let meeting = self.meetings.entry(place).or_default();
        meeting.open = meeting.open.max(step);
    }

    /// A phase is complete: when, and who has waited for it.
    pub(super) fn complete(&mut self, place: Place) -> (u64, Vec<Agent>) {
        let meeting = self.meetings.entry(place).or_default();
        meeting.done = std::mem::take(&mut meeting.open).max(meeting.done);
        (meeting.done, std::mem::take(&mut meeting.waiters))
    }

    /// A try to wait for a phase.
    pub(crate) fn phase(&mut self, agent: Agent, [barrier, parity]: [u32; 2], passed: bool) {
        let wait = Wait::Phase { barrier, parity };
        self.begin(agent, wait);
        if passed {
            let place = Place::Mbarrier(agent.id.block, barrier);
            let done = self.meetings.get(&place).map_or(0, |meeting| meeting.done);
            self.end(agent, wait, done);
        }
    }

    /// A warp arrives at a barrier of its block.
    pub(crate) fn arrive(&mut self, agent: Agent, barrier: u32, waits: bool) {
        let (place, step) = (Place::Barrier(agent.id.block, barrier), self.step(agent));
        self.come(place, step);
        if waits {
            self.begin(agent, Wait::Barrier(barrier));
            self.meetings.entry(place).or_default().waiters.push(agent);
        }
    }

    /// A barrier of a block is complete.
    pub(crate) fn complete_barrier(&mut self, block: u32, barrier: u32) {
        let (step, waiters) = self.complete(Place::Barrier(block, barrier));
        self.add(step, block, EventKind::BarrierCompleted { barrier });
        for agent in waiters {
            if self.warp(agent.id).waits == Some(Wait::Barrier(barrier)) {
                self.end(agent, Wait::Barrier(barrier), step);
            }
        }
    }

    pub(crate) fn arrive_at_cluster(&mut self, agent: Agent, complete: bool) {
        let step = self.step(agent);
        self.come(Place::Cluster, step);
        if complete {
            self.complete(Place::Cluster);
        }
    }

    pub(crate) fn wait_for_cluster(&mut self, agent: Agent, passed: bool) {
        self.begin(agent, Wait::Cluster);
        if passed {
            let done = self.meetings.get(&Place::Cluster).map_or(0, |meeting| meeting.done);
            self.end(agent, Wait::Cluster, done);
        }
    }
}
