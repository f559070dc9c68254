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
//! Tensor copies belong to another proxy than loads and stores: a second time for each thread says which of its
//! accesses are followed by a proxy fence. A fence covers its thread's clock; what is covered is passed on like the
//! clock. (PTX ISA, "Proxies" and "fence.proxy.async")

mod barriers;
mod group;
mod readings;

use std::collections::HashMap;

use super::reader::READERS;

pub(super) use group::Group;

/// The most groups, and the most mbarriers that are told apart: as many as a stamp has numbers for.
pub(super) const MOST: usize = 900;

/// The knowledge of a thread, or of threads that wait for a phase.
#[derive(Default)]
struct Known {
    /// A time for each thread, for each reader of asynchronous operations, and for the copies of each mbarrier.
    happened: Vec<u32>,
    /// A time for each thread: what it did before then is followed by a proxy fence.
    fenced: Vec<u32>,
}

impl Known {
    fn join(&mut self, other: &Known) {
        join(&mut self.happened, &other.happened);
        join(&mut self.fenced, &other.fenced);
    }

    fn copy(&mut self, other: &Known) {
        self.happened.clone_from(&other.happened);
        self.fenced.clone_from(&other.fenced);
    }

    fn clear(&mut self) {
        self.happened.clear();
        self.fenced.clear();
    }
}

#[derive(Default)]
struct OfMbarrier {
    /// Precedes the end of the phase that is not complete.
    gathered: Known,
    /// Precedes the end of the last complete phase.
    complete: Known,
}

pub(super) struct Clocks {
    threads: usize,
    /// Of each thread.
    known: Vec<Known>,
    /// Precedes the end of each barrier of some threads that is not complete.
    barriers: Vec<Known>,
    /// Fenced for any thread at the last barrier of the block, and so for all.
    fenced: Vec<u32>,
    mbarriers: Vec<OfMbarrier>,
    /// The times at which each reader's operations began to read.
    readings: Vec<Vec<u32>>,
    /// The number of the mbarrier at each address.
    numbers: HashMap<u32, usize>,
    groups: Vec<Group>,
    group_numbers: HashMap<Group, usize>,
}

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    clock.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).max(*other));
}

fn set(clock: &mut Vec<u32>, at: usize, time: u32) {
    if clock.len() <= at {
        clock.resize(at + 1, 0);
    }
    clock[at] = time;
}

fn comes_after(clock: &[u32], at: usize, time: u32) -> bool {
    clock.get(at).is_some_and(|known| *known > time)
}

impl Clocks {
    pub(super) fn new(threads: u32) -> Clocks {
        Clocks {
            threads: threads as usize,
            known: (0..threads).map(|_| Known::default()).collect(),
            barriers: Vec::new(),
            fenced: Vec::new(),
            mbarriers: Vec::new(),
            readings: vec![Vec::new(); READERS],
            numbers: HashMap::new(),
            groups: Vec::new(),
            group_numbers: HashMap::new(),
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Where a clock has the time of the copies of an mbarrier.
    fn copies_at(&self, number: usize) -> usize {
        self.threads + READERS + number
    }

    /// Host memory in bytes, for a block of that many threads.
    pub(super) fn memory(threads: u64) -> u64 {
        2 * threads * threads * 4
    }

    /// Forgets all but the numbers.
    pub(super) fn reset(&mut self) {
        self.known.iter_mut().chain(&mut self.barriers).for_each(Known::clear);
        self.fenced.clear();
        self.mbarriers.iter_mut().for_each(|one| *one = OfMbarrier::default());
        self.readings.iter_mut().for_each(Vec::clear);
    }

    /// The number of the mbarrier at an address. The last ones share one: a race may be missed, none is made up.
    pub(super) fn number(&mut self, address: u32) -> usize {
        let next = self.mbarriers.len();
        let number = *self.numbers.entry(address).or_insert(next.min(MOST - 1));
        if number == next {
            self.mbarriers.push(OfMbarrier::default());
        }
        number
    }

    /// The address of the mbarrier of a number.
    pub(super) fn address(&self, number: usize) -> u32 {
        let found = self.numbers.iter().find(|(_, other)| **other == number);
        found.map_or(0, |(address, _)| *address)
    }

    /// Orders the accesses of a thread before `time`, and its knowledge, before the end of the mbarrier's phase.
    pub(super) fn release(&mut self, number: usize, thread: u32, time: u32) {
        let known = &mut self.known[thread as usize];
        set(&mut known.happened, thread as usize, time);
        self.mbarriers[number].gathered.join(known);
    }

    /// Orders the writes of copies before `time` before the end of the mbarrier's phase.
    pub(super) fn land(&mut self, number: usize, time: u32) {
        let at = self.copies_at(number);
        set(&mut self.mbarriers[number].gathered.happened, at, time);
    }

    /// The mbarrier's phase is complete. Later ones come after all that came before it.
    pub(super) fn complete(&mut self, number: usize) {
        let OfMbarrier { gathered, complete } = &mut self.mbarriers[number];
        complete.copy(gathered);
    }

    /// A thread has waited for the last phase that is complete.
    pub(super) fn acquire(&mut self, number: usize, thread: u32) {
        self.known[thread as usize].join(&self.mbarriers[number].complete);
    }

    /// Lanes of a warp have met: each knows what any of them did before `time`, or knew.
    pub(super) fn meet(&mut self, warp: u32, lanes: u32, time: u32) {
        let threads = (0..32).filter(|lane| lanes >> lane & 1 == 1).map(|lane| warp * 32 + lane);
        let mut all = Known::default();
        for thread in threads.clone() {
            all.join(&self.known[thread as usize]);
            set(&mut all.happened, thread as usize, time);
        }
        threads.for_each(|thread| self.known[thread as usize].copy(&all));
    }

    /// The block meets at a barrier: what is fenced for one thread is for all.
    pub(super) fn meet_all(&mut self) {
        for known in &mut self.known {
            join(&mut self.fenced, &known.fenced);
            known.fenced.clear();
        }
    }

    /// A thread has passed a proxy fence at `time`, after all that it knows: what its block did before `since`
    /// and its warp before `warp_since` too.
    pub(super) fn fence(&mut self, thread: u32, time: u32, since: u32, warp_since: u32) {
        let (own, warp) = (thread as usize, thread as usize / 32 * 32);
        let Known { happened, fenced } = &mut self.known[own];
        join(fenced, &happened[..happened.len().min(self.threads)]);
        fenced.resize(self.threads, 0);
        fenced.iter_mut().for_each(|fenced| *fenced = (*fenced).max(since));
        let of_warp = &mut fenced[warp..self.threads.min(warp + 32)];
        of_warp.iter_mut().for_each(|fenced| *fenced = (*fenced).max(warp_since));
        fenced[own] = time;
    }

    /// Whether what another did at `time` lies before a fence that a thread knows.
    pub(super) fn is_fenced(&self, thread: u32, other: u32, time: u32) -> bool {
        let (known, other) = (&self.known[thread as usize], other as usize);
        comes_after(&known.fenced, other, time) || comes_after(&self.fenced, other, time)
    }

    /// Whether what somebody did at `time` does.
    pub(super) fn is_any_fenced(&self, thread: u32, time: u32) -> bool {
        (0..self.threads).any(|other| self.is_fenced(thread, other as u32, time))
    }

    /// Whether what lanes of a warp did until `time` does.
    pub(super) fn is_group_fenced(&self, thread: u32, group: Group, time: u32) -> bool {
        group.is(group.lanes & !group.fenced, |other| self.is_fenced(thread, other, time))
    }

    /// Whether a thread knows what another did at `time`.
    pub(super) fn knows(&self, thread: u32, other: u32, time: u32) -> bool {
        comes_after(&self.known[thread as usize].happened, other as usize, time)
    }

    /// Whether a thread knows what a copy of an mbarrier wrote at `time`.
    pub(super) fn knows_copy(&self, thread: u32, number: usize, time: u32) -> bool {
        comes_after(&self.known[thread as usize].happened, self.copies_at(number), time)
    }

    /// Whether a thread knows what lanes of a warp did until `time`.
    pub(super) fn knows_group(&self, thread: u32, group: Group, time: u32) -> bool {
        group.is(group.lanes, |other| other == thread || self.knows(thread, other, time))
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
        self.knows(thread, thread, time)
    }
}
