//! The barriers of a block.

use super::registers::Registers;
use crate::fault::Violation;
use crate::lanes::{LANES, lanes_of};
use crate::program::{BarrierReduction, Reduction};

/// How many barriers a block has.
pub(crate) const BARRIERS: u32 = 16;

#[derive(Clone, Debug, Default)]
pub(crate) struct BarrierState {
    /// Threads that complete it; 0 while nobody waits.
    pub(crate) expected: u32,
    pub(crate) arrived: u32,
    /// The lanes of each warp that arrived.
    pub(crate) members: Vec<u32>,
    /// Those of them that wait.
    pub(crate) waiters: Vec<u32>,
    pub(crate) true_count: u32,
    pub(crate) all_true: bool,
}

/// The arrival of a warp at a barrier.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) warp: u32,
    pub(crate) mask: u32,
    pub(crate) expected: u32,
    /// How many threads it counts for.
    pub(crate) weight: u32,
    /// Whether the lanes wait.
    pub(crate) waits: bool,
    /// The lanes whose predicate holds, in a reduction.
    pub(crate) holds: u32,
}

impl BarrierState {
    /// Counts an arrival; true if that completes the barrier.
    pub(crate) fn arrive(&mut self, id: u32, arrival: Arrival) -> Result<bool, Violation> {
        let bad = |what| Violation::BadBarrier { barrier: id, threads: arrival.expected, what };
        if self.arrived == 0 {
            self.expected = arrival.expected;
            self.true_count = 0;
            self.all_true = true;
            self.members.clear();
            self.waiters.clear();
        }
        if self.expected != arrival.expected {
            return Err(bad("other warps gave another number of threads"));
        }
        let index = arrival.warp as usize;
        if self.members.len() <= index {
            self.members.resize(index + 1, 0);
            self.waiters.resize(index + 1, 0);
        }
        if self.members[index] & arrival.mask != 0 {
            return Err(bad("a thread arrives twice"));
        }
        self.members[index] |= arrival.mask;
        self.waiters[index] |= if arrival.waits { arrival.mask } else { 0 };
        self.true_count += (arrival.holds & arrival.mask).count_ones();
        self.all_true &= arrival.holds & arrival.mask == arrival.mask;
        self.arrived += arrival.weight;
        if self.arrived > self.expected {
            return Err(bad("more threads arrive than it takes"));
        }
        Ok(self.arrived == self.expected)
    }

    /// The first of `present` threads (a mask for each warp) that did not arrive.
    pub(crate) fn first_missing(&self, present: impl Iterator<Item = u32>) -> Option<u32> {
        for (warp, present) in present.enumerate() {
            let missing = present & !self.members.get(warp).copied().unwrap_or(0);
            if let Some(lane) = lanes_of(missing).next() {
                return Some(warp as u32 * 32 + lane as u32);
            }
        }
        None
    }

    /// Gives lanes the result of a reduction.
    pub(crate) fn reduce(&self, registers: &mut Registers, mask: u32, reduction: BarrierReduction) {
        let spread = |holds: bool| if holds { u32::MAX } else { 0 };
        let d = reduction.d;
        match reduction.f {
            Reduction::Popc => registers.set_word(d, mask, &[self.true_count; LANES]),
            Reduction::And => registers.set_predicate(d, mask, spread(self.all_true)),
            Reduction::Or => registers.set_predicate(d, mask, spread(self.true_count > 0)),
        }
    }
}
