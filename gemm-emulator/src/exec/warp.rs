//! A warp: its registers, and where its lanes are.
//!
//! Lanes that are at the same instruction form a fragment and run together. The fragment with the lowest position runs
//! first, and fragments that meet become one, so that diverged lanes join again where their paths do. A warp-wide
//! instruction whose lanes are not all there waits until the others come; a fault if they no longer can.

use super::copies::Copies;
use super::multiplies::Multiplies;
use super::registers::Registers;
use super::stores::Stores;
use crate::memory::{Locals, Phase, Shared};
use crate::program::{BarrierReduction, Program};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    /// At a warp-wide instruction that needs these lanes.
    Waiting(u32),
    /// Past a barrier of the block that is not complete.
    AtBarrier(u32),
    /// At the wait for this phase of the cluster's barrier.
    AtCluster(u64),
    /// At a wait for a phase of the mbarrier at this address that is not complete.
    AtPhase(u32, Phase),
    /// Past an instruction of the warpgroup that not all its warps have come to.
    AtWarpgroup,
    /// Past a wait at an mbarrier; the other warps run first.
    Yielded,
}

/// Lanes at one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub(crate) pc: u32,
    pub(crate) mask: u32,
    pub(crate) state: State,
    /// The reduction of the barrier it waits at.
    pub(crate) reduction: Option<BarrierReduction>,
}

pub(crate) struct Warp {
    pub(crate) number: u32,
    /// Its number among all warps of the cluster.
    pub(crate) in_cluster: u32,
    pub(crate) registers: Registers,
    pub(crate) fragments: Vec<Fragment>,
    /// The lanes that exist: fewer than 32 in the last warp of an odd block.
    pub(crate) present: u32,
    /// The lanes that have not exited.
    pub(crate) live: u32,
    /// The lanes that have not waited for the predecessor, in a launch that overlaps it.
    pub(crate) early: u32,
    /// The carry flag of each lane.
    pub(crate) carry: u32,
    pub(crate) locals: Locals,
    pub(crate) copies: Copies,
    pub(crate) multiplies: Multiplies,
    pub(crate) stores: Stores,
    /// Instructions executed.
    pub(crate) executed: u64,
}

impl Warp {
    pub(crate) fn new(program: &Program, [number, in_cluster]: [u32; 2], present: u32) -> Warp {
        Warp {
            number,
            in_cluster,
            registers: Registers::new(program.words, program.longs, program.predicates),
            fragments: Vec::new(),
            present,
            live: present,
            early: 0,
            carry: 0,
            locals: Locals::new(program.local_bytes),
            copies: Copies::default(),
            stores: Stores::default(),
            multiplies: Multiplies::new(accumulators(program)),
            executed: 0,
        }
    }

    /// Host memory of a warp in bytes.
    pub(crate) fn memory(program: &Program) -> u64 {
        let registers = Registers::memory(program.words, program.longs, program.predicates);
        let multiplies = Multiplies::memory(accumulators(program));
        (registers + multiplies) as u64 + Locals::memory(program.local_bytes)
    }

    /// Back to the start of the kernel.
    pub(crate) fn reset(&mut self) {
        self.registers.reset();
        self.locals.reset();
        self.copies.reset();
        self.multiplies.reset();
        self.stores.reset();
        self.live = self.present;
        self.carry = 0;
        self.executed = 0;
        self.fragments.clear();
        self.add(0, self.present);
    }

    /// Lets lanes continue at an instruction.
    pub(crate) fn add(&mut self, pc: u32, mask: u32) {
        if mask != 0 {
            self.fragments.push(Fragment { pc, mask, state: State::Running, reduction: None });
        }
    }

    /// Takes out the fragment that runs next, joined with all others at the same instruction.
    pub(crate) fn take_next(&mut self) -> Option<Fragment> {
        let running = self.fragments.iter().filter(|fragment| fragment.state == State::Running);
        let pc = running.map(|fragment| fragment.pc).min()?;
        let mut mask = 0;
        self.fragments.retain(|fragment| {
            let past = matches!(fragment.state, State::AtBarrier(_) | State::AtWarpgroup);
            let joins = fragment.pc == pc && !past;
            mask |= if joins { fragment.mask } else { 0 };
            !joins
        });
        Some(Fragment { pc, mask, state: State::Running, reduction: None })
    }

    /// Lets waiting fragments try again if lanes they wait for have exited; whether there is one.
    pub(crate) fn retry(&mut self) -> bool {
        let mut any = false;
        for fragment in &mut self.fragments {
            if matches!(fragment.state, State::Waiting(needed) if needed & !self.live != 0) {
                fragment.state = State::Running;
                any = true;
            }
        }
        any
    }

    /// Lets fragments continue whose phase has completed, given that of the cluster's barrier; whether there is one.
    pub(crate) fn wake(&mut self, shared: &mut Shared, phase: u64) -> bool {
        let mut any = false;
        for fragment in &mut self.fragments {
            if matches!(fragment.state, State::AtCluster(waits) if waits < phase) {
                fragment.state = State::Running;
                any = true;
            }
            if let State::AtPhase(barrier, phase) = fragment.state {
                // The next try of the wait reports its problem.
                if shared.settle(barrier, phase) != Ok(false) {
                    fragment.state = State::Running;
                    any = true;
                }
            }
        }
        any
    }

    /// Lets fragments continue that have let others run first; whether there is one.
    pub(crate) fn resume(&mut self) -> bool {
        let yielded = self.fragments.iter_mut().filter(|one| one.state == State::Yielded);
        yielded.map(|fragment| fragment.state = State::Running).count() > 0
    }

    /// Whether a fragment at `pc` should let others run, or meets one.
    pub(crate) fn must_switch(&self, pc: u32) -> bool {
        self.fragments.iter().any(|other| match other.state {
            State::Running => other.pc <= pc,
            State::Waiting(_) | State::AtPhase(..) | State::AtCluster(_) => other.pc == pc,
            State::AtBarrier(_) | State::AtWarpgroup | State::Yielded => false,
        })
    }

    /// Number of a lane's thread within its block.
    pub(crate) fn thread(&self, lane: usize) -> u32 {
        self.number * 32 + lane as u32
    }

    /// Number of a lane's thread within its cluster.
    pub(crate) fn member(&self, lane: usize) -> u32 {
        self.in_cluster * 32 + lane as u32
    }
}

/// Word registers that may be accumulators of `wgmma`.
fn accumulators(program: &Program) -> usize {
    if program.warpgroups { program.words } else { 0 }
}
