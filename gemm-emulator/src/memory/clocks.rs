//! What each thread of a block knows to have happened, where mbarriers order threads one by one.
//!
//! A clock has a time for each thread, and for the copies of each mbarrier: what it stands for comes behind all that
//! the thread did, or that copies wrote, before that time. An arrival that releases gives its thread's clock to the
//! mbarrier, the end of a copy gives the time of the copy; a wait that acquires takes the clock of the phase that it
//! waited for. (PTX ISA, "Memory Consistency Model" and "mbarrier")

use std::collections::HashMap;

/// The most groups, and the most mbarriers that are told apart: as many as a stamp has numbers for.
pub(super) const MOST: usize = 900;

/// Lanes of a warp that have read the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Group {
    pub(super) warp: u32,
    pub(super) lanes: u32,
    /// By one warp-wide instruction: whatever one of the lanes does then comes behind all of it.
    pub(super) together: bool,
}

#[derive(Default)]
struct OfMbarrier {
    /// What comes before the end of the phase that is not complete.
    gathered: Vec<u32>,
    /// What came before the end of the last phase that is.
    complete: Vec<u32>,
}

pub(super) struct Clocks {
    threads: usize,
    /// The clock of each thread.
    known: Vec<Vec<u32>>,
    mbarriers: Vec<OfMbarrier>,
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

fn comes_behind(clock: &[u32], at: usize, time: u32) -> bool {
    clock.get(at).is_some_and(|known| *known > time)
}

impl Clocks {
    pub(super) fn new(threads: u32) -> Clocks {
        Clocks {
            threads: threads as usize,
            known: vec![Vec::new(); threads as usize],
            mbarriers: Vec::new(),
            numbers: HashMap::new(),
            groups: Vec::new(),
            group_numbers: HashMap::new(),
        }
    }

    /// Host memory in bytes, for a block of so many threads.
    pub(super) fn memory(threads: u64) -> u64 {
        threads * threads * 4
    }

    /// Forgets all but the numbers.
    pub(super) fn reset(&mut self) {
        self.known.iter_mut().for_each(Vec::clear);
        self.mbarriers.iter_mut().for_each(|one| *one = OfMbarrier::default());
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

    /// What a thread did before `time` comes before the end of the mbarrier's phase, with all that it knew.
    pub(super) fn release(&mut self, number: usize, thread: u32, time: u32) {
        let clock = &mut self.known[thread as usize];
        set(clock, thread as usize, time);
        join(&mut self.mbarriers[number].gathered, clock);
    }

    /// What copies wrote before `time` comes before the end of the mbarrier's phase.
    pub(super) fn land(&mut self, number: usize, time: u32) {
        set(&mut self.mbarriers[number].gathered, self.threads + number, time);
    }

    /// The mbarrier's phase is complete. Later ones are behind all that came before it.
    pub(super) fn complete(&mut self, number: usize) {
        let OfMbarrier { gathered, complete } = &mut self.mbarriers[number];
        complete.clone_from(gathered);
    }

    /// A thread has waited for the last phase that is complete.
    pub(super) fn acquire(&mut self, number: usize, thread: u32) {
        join(&mut self.known[thread as usize], &self.mbarriers[number].complete);
    }

    /// Lanes of a warp have met: each knows what any of them did before `time`, or knew.
    pub(super) fn meet(&mut self, warp: u32, lanes: u32, time: u32) {
        let threads = (0..32).filter(|lane| lanes >> lane & 1 == 1).map(|lane| warp * 32 + lane);
        let mut all = Vec::new();
        for thread in threads.clone() {
            join(&mut all, &self.known[thread as usize]);
            set(&mut all, thread as usize, time);
        }
        threads.for_each(|thread| self.known[thread as usize].clone_from(&all));
    }

    /// Whether a thread knows what another did at `time`.
    pub(super) fn knows(&self, thread: u32, other: u32, time: u32) -> bool {
        comes_behind(&self.known[thread as usize], other as usize, time)
    }

    /// Whether a thread knows what a copy of an mbarrier wrote at `time`.
    pub(super) fn knows_copy(&self, thread: u32, number: usize, time: u32) -> bool {
        comes_behind(&self.known[thread as usize], self.threads + number, time)
    }

    /// Whether a thread knows what lanes of a warp did until `time`.
    pub(super) fn knows_group(&self, thread: u32, group: Group, time: u32) -> bool {
        let mut lanes = (0..32).filter(|lane| group.lanes >> lane & 1 == 1);
        let knows = |lane: u32| {
            let other = group.warp * 32 + lane;
            other == thread || self.knows(thread, other, time)
        };
        if group.together { lanes.any(knows) } else { lanes.all(knows) }
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
