//! [`Tracer`]: recording the events of a cluster while it runs.

mod accesses;
mod meetings;
mod products;

use std::collections::HashMap;

use super::{Change, Event, EventKind, SharedRange, Trace, TraceOptions, Wait, WarpId};
use crate::program::Program;
use accesses::Accesses;
use products::Products;

/// A warp that does something, and the instructions that it has executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    pub(crate) id: WarpId,
    pub(crate) executed: u64,
}

/// What is known of a warp.
#[derive(Default)]
struct Warp {
    /// What its step has more than its instructions, negative where it has polled.
    lead: i64,
    /// Step of its last event.
    last: u64,
    /// The wait that it has not passed.
    waits: Option<Wait>,
    /// Copies by `cp.async` of the open group, then of those committed, oldest first: number and completion.
    open: Vec<(u64, u64)>,
    groups: Vec<Vec<(u64, u64)>>,
    /// Tensor stores in the same way.
    open_stores: Vec<(u64, u64)>,
    store_groups: Vec<Vec<(u64, u64)>>,
    /// Groups of `wgmma` committed.
    products: usize,
    /// Accesses since the last wait, and whether they write.
    accesses: Vec<(bool, u64, u64, SharedRange)>,
}

/// What is known of an mbarrier, a barrier of a block or that of the cluster.
#[derive(Default)]
struct Meeting {
    /// The latest step of what has come to the phase that is not complete.
    open: u64,
    /// Of the last complete phase.
    done: u64,
    /// Who waits for it.
    waiters: Vec<Agent>,
}

/// The address of an mbarrier, or the number of a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Mbarrier(u32, u32),
    Barrier(u32, u32),
    Cluster,
}

pub(crate) struct Tracer {
    options: TraceOptions,
    trace: Trace,
    warps: HashMap<WarpId, Warp>,
    meetings: HashMap<Place, Meeting>,
    products: HashMap<(u32, u32), Products>,
    /// Of each copy in flight to a block and address: its number and completion.
    copies: HashMap<(u32, u32), (u64, u64)>,
    /// Copies, products and stores so far.
    counts: [u64; 3],
    accesses: Accesses,
}

impl Tracer {
    pub(crate) fn new(options: TraceOptions, rank: u32) -> Tracer {
        Tracer {
            options,
            trace: Trace { rank, ..Trace::default() },
            warps: HashMap::new(),
            meetings: HashMap::new(),
            products: HashMap::new(),
            copies: HashMap::new(),
            counts: [0; 3],
            accesses: Accesses::default(),
        }
    }

    pub(crate) fn finish(mut self, program: &Program) -> Trace {
        let mut left: Vec<WarpId> = self.warps.keys().copied().collect();
        left.sort_unstable_by_key(|id| (id.block, id.warp));
        left.into_iter().for_each(|id| self.flush(id));
        self.trace.events.sort_by_key(|event| event.step);
        self.trace.accesses = self.accesses.finish(program);
        self.trace
    }

    fn number(&mut self, kind: usize) -> u64 {
        self.counts[kind] += 1;
        self.counts[kind] - 1
    }

    fn warp(&mut self, id: WarpId) -> &mut Warp {
        self.warps.entry(id).or_default()
    }

    fn step(&mut self, agent: Agent) -> u64 {
        let warp = self.warp(agent.id);
        agent.executed.saturating_add_signed(warp.lead).max(warp.last)
    }

    /// Lets a warp be at a step.
    fn set(&mut self, agent: Agent, step: u64) {
        let warp = self.warp(agent.id);
        warp.lead = step as i64 - agent.executed as i64;
        warp.last = step;
    }

    fn add(&mut self, step: u64, block: u32, kind: EventKind) {
        self.trace.events.push(Event { step, block, kind });
    }

    /// Something that a warp does now.
    fn now(&mut self, agent: Agent, kind: EventKind) -> u64 {
        let step = self.step(agent);
        self.warp(agent.id).last = step;
        self.add(step, agent.id.block, kind);
        step
    }

    /// What an instruction of a warp changed in the shared memory of a block.
    pub(crate) fn changed(&mut self, agent: Agent, block: u32, changes: Vec<Change>) {
        for change in changes {
            let now = self.step(agent);
            match change {
                Change::Arrived { barrier } => self.come(Place::Mbarrier(block, barrier), now),
                Change::Landed { barrier, address } => {
                    let (copy, step) = self.copies.remove(&(block, address)).unwrap_or((0, now));
                    self.add(step, block, EventKind::CopyCompleted { copy });
                    self.come(Place::Mbarrier(block, barrier), step);
                }
                Change::Completed { barrier, phase } => {
                    let step = self.complete(Place::Mbarrier(block, barrier)).0;
                    self.add(step, block, EventKind::PhaseCompleted { barrier, phase });
                }
            }
        }
    }

    /// Writes down what a warp has accessed since its last wait.
    fn flush(&mut self, id: WarpId) {
        for (writes, since, step, range) in std::mem::take(&mut self.warp(id).accesses) {
            let warp = id.warp;
            let kind = match writes {
                true => EventKind::Stored { warp, since, to: range },
                false => EventKind::Loaded { warp, since, from: range },
            };
            self.add(step, id.block, kind);
        }
    }

    fn begin(&mut self, agent: Agent, wait: Wait) {
        let warp = agent.id.warp;
        if self.warp(agent.id).waits.replace(wait) != Some(wait) {
            self.flush(agent.id);
            self.now(agent, EventKind::WaitBegun { warp, wait });
        }
    }

    fn end(&mut self, agent: Agent, wait: Wait, at: u64) {
        // A warp that polls executes instructions, which are no steps: nothing has happened since the first try.
        let step = self.warp(agent.id).last.max(at);
        self.warp(agent.id).waits = None;
        self.set(agent, step);
        let warp = agent.id.warp;
        self.add(step, agent.id.block, EventKind::WaitOver { warp, wait });
    }

    /// A copy to a block that completes on its mbarrier.
    pub(crate) fn copy(&mut self, agent: Agent, block: u32, to: SharedRange, barrier: u32) {
        let (copy, step) = (self.number(0), self.step(agent));
        self.copies.insert((block, to.address), (copy, step + self.options.copy_steps));
        let (by, bytes, barrier) = (agent.id, to.bytes, Some(barrier));
        self.add(step, block, EventKind::CopyRequested { by, copy, bytes, to, barrier });
    }

    /// A warp copies by `cp.async`.
    pub(crate) fn copy_async(&mut self, agent: Agent, to: SharedRange, bytes: u32) {
        let (copy, by, barrier) = (self.number(0), agent.id, None);
        let kind = EventKind::CopyRequested { by, copy, bytes, to, barrier };
        let end = self.now(agent, kind) + self.options.copy_steps;
        self.warp(agent.id).open.push((copy, end));
    }

    pub(crate) fn commit_copies(&mut self, agent: Agent) {
        let warp = self.warp(agent.id);
        let group = std::mem::take(&mut warp.open);
        warp.groups.push(group);
        self.now(agent, EventKind::CopiesCommitted { warp: agent.id.warp });
    }

    pub(crate) fn wait_for_copies(&mut self, agent: Agent, groups: u32) {
        let wait = Wait::Copies(groups);
        self.begin(agent, wait);
        let end = self.take(
            agent,
            groups,
            |warp| &mut warp.groups,
            |copy| EventKind::CopyCompleted { copy },
        );
        self.end(agent, wait, end);
    }

    /// All but the newest groups are complete: when the last one is.
    fn take(
        &mut self,
        agent: Agent,
        groups: u32,
        of: impl Fn(&mut Warp) -> &mut Vec<Vec<(u64, u64)>>,
        kind: impl Fn(u64) -> EventKind,
    ) -> u64 {
        let all = of(self.warp(agent.id));
        let count = all.len().saturating_sub(groups as usize);
        let done: Vec<(u64, u64)> = all.drain(..count).flatten().collect();
        done.iter().for_each(|(number, step)| self.add(*step, agent.id.block, kind(*number)));
        done.iter().map(|(_, step)| *step).max().unwrap_or(0)
    }

    pub(crate) fn store_tensor(&mut self, agent: Agent, from: SharedRange) {
        let (store, warp) = (self.number(2), agent.id.warp);
        let step = self.now(agent, EventKind::StoreRequested { warp, store, from });
        let end = step + self.options.copy_steps;
        self.warp(agent.id).open_stores.push((store, end));
    }

    pub(crate) fn commit_stores(&mut self, agent: Agent) {
        let warp = self.warp(agent.id);
        let group = std::mem::take(&mut warp.open_stores);
        warp.store_groups.push(group);
    }

    pub(crate) fn wait_for_stores(&mut self, agent: Agent, groups: u32) {
        let wait = Wait::Stores(groups);
        self.begin(agent, wait);
        let end = self.take(
            agent,
            groups,
            |warp| &mut warp.store_groups,
            |store| EventKind::StoreRead { store },
        );
        self.end(agent, wait, end);
    }

    /// A warp has loaded or stored these bytes of the shared memory of its block.
    pub(crate) fn access(&mut self, agent: Agent, writes: bool, range: SharedRange) {
        let step = self.step(agent);
        let warp = self.warp(agent.id);
        let mut since = step;
        let mut joined = range;
        warp.accesses.retain(|(other, first, _, old)| {
            let joins = *other == writes && old.overlaps(joined);
            if joins {
                (since, joined) = (since.min(*first), joined.join(*old));
            }
            !joins
        });
        warp.accesses.push((writes, since, step, joined));
    }
}
