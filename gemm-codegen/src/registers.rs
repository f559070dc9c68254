//! The registers of a thread.

use crate::hardware::{MAX_REGISTERS_PER_THREAD, REGISTER_UNIT_PER_WARP, REGISTERS_PER_SM, WARP};

/// Bytes of a register.
pub(crate) const REGISTER_BYTES: u32 = 4;

/// Registers that a thread needs besides accumulators and fragments, at the least: addresses, bounds and
/// counters of the loops.
const ADDRESS_REGISTERS: u32 = 16;

/// Registers that ptxas uses on top of accumulators and doubled fragments, seen on emitted
/// kernels; an estimate for the plan's table, not a limit.
const TYPICAL_OVERHEAD: u32 = 40;

/// The registers of a thread, in 32-bit registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Accumulators of the warp tile; two halves take one, one of 64 bits takes two.
    pub accumulators: u32,
    /// Sums that are not promoted yet, of a set.
    pub promoted: u32,
    /// Sets of these: two are multiplied and promoted in turn.
    pub promoted_sets: u32,
    /// Fragments of A and B that are held: of one k-step, or of tensor copies as their main loop
    /// holds them.
    pub fragments: u32,
    /// Fragments of the next k-step, where there is room for them.
    pub next_fragments: u32,
    /// Addresses, bounds and counters of the loops, at the least.
    pub addresses: u32,
    /// Copies of the next tile that pass through registers.
    pub copies: u32,
    /// What a thread can have, in a block of this many threads.
    pub limit: u32,
}

/// Registers of a warp for this many sums.
pub(crate) fn registers_of(sums: u32, bits: u32) -> u32 {
    sums.saturating_mul(bits) / 32
}

impl Registers {
    /// The registers of a thread in a block of `threads`, whose warps have this many registers of
    /// accumulators.
    pub(crate) fn new(
        warp_accumulators: u32,
        fragments: u32,
        copies: u32,
        threads: u32,
    ) -> Registers {
        let per_warp = REGISTERS_PER_SM / (threads / WARP);
        let whole_units = per_warp / REGISTER_UNIT_PER_WARP * REGISTER_UNIT_PER_WARP;
        let limit = (whole_units / WARP).min(MAX_REGISTERS_PER_THREAD);
        Registers {
            accumulators: warp_accumulators / WARP,
            promoted: 0,
            promoted_sets: 1,
            fragments,
            next_fragments: fragments,
            addresses: ADDRESS_REGISTERS,
            copies,
            limit,
        }
    }

    /// Whether accumulators, the fragments that are held and the copies fit beside the addresses.
    pub(crate) fn fit(&self) -> bool {
        self.least() <= self.limit
    }

    fn least(&self) -> u32 {
        let held = self.sums().saturating_add(self.fragments).saturating_add(self.copies);
        held.saturating_add(self.addresses)
    }

    /// What ptxas is expected to use: fragments are double-buffered where there is room.
    pub fn estimate(&self) -> u32 {
        self.wanted().min(self.limit)
    }

    /// How many it has to do without. A main loop that holds no more fragments than it has to does
    /// without none that it would use.
    pub(crate) fn missing(&self) -> u32 {
        let wanted = if self.next_fragments == 0 { self.least() } else { self.wanted() };
        wanted.saturating_sub(self.limit)
    }

    fn wanted(&self) -> u32 {
        let fragments = self.fragments + self.next_fragments;
        self.sums() + fragments + self.copies + TYPICAL_OVERHEAD
    }

    /// Whether there is room for this number more, beside those that ptxas is expected to use.
    pub(crate) fn have_room(&self, more: u32) -> bool {
        self.wanted().saturating_add(more) <= self.limit
    }

    /// Of all sums.
    pub(crate) fn sums(&self) -> u32 {
        self.accumulators.saturating_add(self.promoted * self.promoted_sets)
    }
}
