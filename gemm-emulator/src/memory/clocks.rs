//! Vector clocks: what each thread of a block is ordered after, in kernels that order some of them.
//!
//! A clock has a time for each thread, and for the copies of each mbarrier: its owner is ordered after all that the
//! thread did, or that copies wrote, before that time. An arrival that releases adds its thread's clock to the
//! mbarrier, the end of a copy adds the time of the copy; a wait that acquires takes the clock of the phase that it
//! waited for. A barrier of some threads of the block is such an arrival and wait. (PTX ISA, "Memory Consistency
//! Model", "mbarrier" and "barrier")
//!
//! What `wgmma` of a warpgroup or a tensor store reads has a time too, as if a thread of its own read it.
//!
//! In a cluster, the threads of all its blocks share the clocks: see [`scopes`] for what an arrival releases to whom.
//!
//! Tensor copies belong to another proxy than loads and stores: a second time for each thread says which of its
//! accesses are followed by a proxy fence. A fence covers its thread's clock; what is covered is passed on like the
//! clock. (PTX ISA, "Proxies" and "fence.proxy.async")

mod barriers;
mod group;
mod known;
mod readings;
mod scopes;
mod team;

use std::collections::HashMap;

use super::reader::READERS;
use known::{Known, comes_after, set};
use scopes::{OfMbarrier, Scoped};

pub(super) use group::Group;
pub(crate) use team::Team;

/// The most groups, and the most mbarriers that are told apart: as many as a stamp has numbers for.
pub(super) const MOST: usize = 900;

pub(super) struct Clocks {
    team: Team,
    /// Of each thread.
    known: Vec<Known>,
    /// Of all threads of each block since its last barrier.
    met: Vec<Known>,
    /// Precedes the end of each barrier of some threads that is not complete.
    barriers: Vec<Known>,
    mbarriers: Vec<OfMbarrier>,
    /// The barrier of the cluster.
    cluster: OfMbarrier,
    /// The knowledge of each thread as of its last fence, for what it releases by a relaxed arrival.
    released: HashMap<u32, Scoped>,
    /// What each thread has waited for without acquiring it, for its next fence.
    observed: HashMap<u32, Scoped>,
    /// The times at which each reader's operations began to read.
    readings: Vec<Vec<u32>>,
    /// The number of the mbarrier at each address of each block.
    numbers: HashMap<(u32, u32), usize>,
    groups: Vec<Group>,
    group_numbers: HashMap<Group, usize>,
}

impl Clocks {
    pub(super) fn new(team: Team) -> Clocks {
        Clocks {
            team,
            known: (0..team.all()).map(|_| Known::default()).collect(),
            met: (0..team.blocks).map(|_| Known::default()).collect(),
            barriers: Vec::new(),
            mbarriers: Vec::new(),
            cluster: OfMbarrier::default(),
            released: HashMap::new(),
            observed: HashMap::new(),
            readings: vec![Vec::new(); READERS * team.blocks as usize],
            numbers: HashMap::new(),
            groups: Vec::new(),
            group_numbers: HashMap::new(),
        }
    }

    pub(super) fn team(&self) -> Team {
        self.team
    }

    /// Where a clock has the time of what a thread does to the memory of its own block.
    pub(super) fn own(thread: u32) -> usize {
        thread as usize
    }

    /// Where a clock has the time of what a thread does to the memory of other blocks.
    pub(super) fn away(&self, thread: u32) -> usize {
        (self.team.all() + thread) as usize
    }

    /// Where a clock has the times of the readers of a block; before them are the times of threads.
    fn readers_at(&self, rank: u32) -> usize {
        let places = if self.team.blocks > 1 { 2 } else { 1 };
        places * self.team.all() as usize + rank as usize * READERS
    }

    /// Where a clock has the time of the copies of an mbarrier.
    fn copies_at(&self, number: usize) -> usize {
        self.readers_at(self.team.blocks) + number
    }

    /// Host memory in bytes.
    pub(super) fn memory(team: Team) -> u64 {
        let (all, places) = (u64::from(team.all()), if team.blocks > 1 { 2 } else { 1 });
        2 * all * all * places * 4
    }

    /// Forgets all but the numbers.
    pub(super) fn reset(&mut self) {
        let all = self.known.iter_mut().chain(&mut self.barriers).chain(&mut self.met);
        all.for_each(Known::clear);
        self.mbarriers.iter_mut().for_each(OfMbarrier::clear);
        self.cluster.clear();
        self.released.clear();
        self.observed.clear();
        self.readings.iter_mut().for_each(Vec::clear);
    }

    /// The number of the mbarrier at an address of a block. The last ones share one: a race may be missed, none is made
    /// up.
    pub(super) fn number(&mut self, home: u32, address: u32) -> usize {
        let next = self.mbarriers.len();
        let number = *self.numbers.entry((home, address)).or_insert(next.min(MOST - 1));
        if number == next {
            self.mbarriers.push(OfMbarrier::of(home));
        }
        number
    }

    /// The address of the mbarrier of a number.
    pub(super) fn address(&self, number: usize) -> u32 {
        let found = self.numbers.iter().find(|(_, other)| **other == number);
        found.map_or(0, |((_, address), _)| *address)
    }

    /// What a thread has done comes before `time`.
    fn mark(&mut self, thread: u32, time: u32) {
        let away = (self.team.blocks > 1).then(|| self.away(thread));
        let happened = &mut self.known[thread as usize].happened;
        set(happened, Clocks::own(thread), time);
        if let Some(away) = away {
            set(happened, away, time);
        }
    }

    /// Lanes of a warp have met: each knows what any of them did before `time`, or knew.
    pub(super) fn meet(&mut self, warp: u32, lanes: u32, time: u32) {
        let threads = (0..32).filter(|lane| lanes >> lane & 1 == 1).map(|lane| warp * 32 + lane);
        let mut all = Known::default();
        for thread in threads.clone() {
            self.mark(thread, time);
            all.join(&self.known[thread as usize]);
        }
        threads.for_each(|thread| self.known[thread as usize].copy(&all));
    }

    /// A block meets at a barrier: what is fenced for one thread is for all. What one knows is known to all, too; that
    /// matters in a cluster, because the block's own accesses before a barrier are told by their time.
    pub(super) fn meet_all(&mut self, rank: u32, time: u32) {
        let members = self.team.members(rank);
        if self.team.blocks > 1 {
            members.clone().for_each(|thread| self.mark(thread, time));
        }
        let met = &mut self.met[rank as usize];
        for known in &mut self.known[members.start as usize..members.end as usize] {
            if self.team.blocks > 1 {
                met.join(known);
                known.clear();
            } else {
                known::join(&mut met.fenced, &known.fenced);
                known.fenced.clear();
            }
        }
    }

    /// A thread has passed a proxy fence at `time`, after all that it knows: what its block did before `since`
    /// and its warp before `warp_since` too.
    pub(super) fn fence(&mut self, thread: u32, time: u32, since: u32, warp_since: u32) {
        let (people, rank, away) = (self.readers_at(0), self.team.rank(thread), self.away(thread));
        let members = self.team.members(rank);
        let Known { happened, fenced, .. } = &mut self.known[thread as usize];
        for happened in [&*happened, &self.met[rank as usize].happened] {
            known::join(fenced, &happened[..happened.len().min(people)]);
        }
        fenced.resize(people.max(fenced.len()), 0);
        let block = &mut fenced[members.start as usize..members.end as usize];
        block.iter_mut().for_each(|fenced| *fenced = (*fenced).max(since));
        let warp = (thread - members.start) as usize / 32 * 32;
        let end = block.len().min(warp + 32);
        let of_warp = &mut block[warp..end];
        of_warp.iter_mut().for_each(|fenced| *fenced = (*fenced).max(warp_since));
        fenced[thread as usize] = time;
        if let Some(fenced) = fenced.get_mut(away) {
            *fenced = time;
        }
    }

    /// Whether a time that a thread knows, or its block since the last barrier, is after `time`.
    fn has(&self, thread: u32, of: impl Fn(&Known) -> &Vec<u32>, at: usize, time: u32) -> bool {
        let met = &self.met[self.team.rank(thread) as usize];
        comes_after(of(&self.known[thread as usize]), at, time) || comes_after(of(met), at, time)
    }

    /// Whether what another did at `time` lies before a fence that a thread knows; `at` is [`Clocks::own`] of the
    /// other or [`Clocks::away`].
    pub(super) fn is_fenced(&self, thread: u32, at: usize, time: u32) -> bool {
        self.has(thread, |known| &known.fenced, at, time)
    }

    /// Whether what somebody did at `time` does.
    pub(super) fn is_any_fenced(&self, thread: u32, time: u32) -> bool {
        (0..self.readers_at(0)).any(|other| self.is_fenced(thread, other, time))
    }

    /// Whether what lanes of a warp did until `time` does.
    pub(super) fn is_group_fenced(&self, thread: u32, group: Group, time: u32) -> bool {
        let fenced = |other| self.is_fenced(thread, Clocks::own(other), time);
        group.is(group.lanes & !group.fenced, fenced)
    }

    /// Whether a thread knows what another did at `time`; `at` is as in [`Clocks::is_fenced`].
    pub(super) fn knows(&self, thread: u32, at: usize, time: u32) -> bool {
        self.has(thread, |known| &known.happened, at, time)
    }

    /// Whether a thread of a block does.
    pub(super) fn block_knows(&self, rank: u32, at: usize, time: u32) -> bool {
        self.team.members(rank).any(|thread| self.knows(thread, at, time))
    }

    /// Whether a thread knows anything that a thread of a block did.
    pub(super) fn knows_of(&self, thread: u32, rank: u32) -> bool {
        self.team.members(rank).any(|other| self.knows(thread, Clocks::own(other), 0))
    }

    /// Whether a thread knows what a copy of an mbarrier wrote at `time`.
    pub(super) fn knows_copy(&self, thread: u32, number: usize, time: u32) -> bool {
        self.knows(thread, self.copies_at(number), time)
    }

    /// Whether a thread knows what lanes of a warp did until `time`.
    pub(super) fn knows_group(&self, thread: u32, group: Group, time: u32) -> bool {
        let knows = |other| other == thread || self.knows(thread, Clocks::own(other), time);
        group.is(group.lanes, knows)
    }

    /// The number of a group; none if there are too many.
    pub(super) fn group_number(&mut self, group: Group) -> Option<usize> {
        let next = self.groups.len();
        if let Some(number) = self.group_numbers.get(&group) {
            return Some(*number);
        }
        (next < MOST).then(|| {
            self.groups.push(group);
            self.group_numbers.insert(group, next);
            next
        })
    }

    pub(super) fn group(&self, number: usize) -> Group {
        self.groups[number]
    }

    /// Whether a thread has released since `time` what it did then.
    pub(super) fn has_released(&self, thread: u32, time: u32) -> bool {
        self.knows(thread, Clocks::own(thread), time)
    }
}
