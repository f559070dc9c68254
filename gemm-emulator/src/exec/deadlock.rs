//! Deadlocks: what the threads of a block wait for.

use super::barrier::BarrierState;
use super::block::{Block, Outcome};
use super::meeting::Meeting;
use super::step::Stop;
use super::warp::State;
use crate::fault::{
    BarrierWait, ClusterProblem, Direction, Fault, PhaseWait, Violation, WarpProblem,
    WarpgroupProblem,
};
use crate::lanes::WARPS;
use crate::memory::{Left, Phase};
use crate::program::{Op, WarpgroupOp};

impl Block<'_> {
    /// No fragment of the warp can run.
    pub(super) fn stuck(&mut self, index: usize) -> Result<Outcome, Fault> {
        let warp = &mut self.warps[index];
        if warp.fragments.is_empty() {
            return Ok(Outcome::Finished);
        }
        if warp.resume() {
            return Ok(Outcome::Yielded);
        }
        // Lanes at a barrier may still come to the instruction that others wait at.
        let comes_on = |state: State| {
            matches!(
                state,
                State::AtBarrier(_) | State::AtCluster(_) | State::AtPhase(..) | State::AtWarpgroup
            )
        };
        let hope = warp.fragments.iter().any(|other| comes_on(other.state));
        if !hope {
            return Err(self.unmet(index));
        }
        Ok(Outcome::Blocked)
    }

    /// The fault of a warp-wide instruction that not all its lanes reach.
    fn unmet(&self, index: usize) -> Fault {
        let waiting =
            self.warps[index].fragments.iter().find_map(|fragment| match fragment.state {
                State::Waiting(needed) => Some((fragment, needed)),
                _ => None,
            });
        let Some((fragment, needed)) = waiting else { return self.deadlock() };
        let violation =
            Violation::Warp(WarpProblem::InactiveLanes { needed, active: fragment.mask });
        let stop = Stop::of_mask(violation, fragment.mask);
        self.fault(index, fragment.pc, *stop)
    }

    /// The fault of a block in which no thread can run.
    pub(super) fn deadlock(&self) -> Fault {
        self.stalled().or_else(|| self.cluster_missing()).unwrap_or_else(|| {
            let mut warps = self.warps.iter();
            self.unmet(warps.position(|warp| !warp.fragments.is_empty()).unwrap_or(0))
        })
    }

    /// What threads wait for but the barrier of the cluster.
    pub(super) fn stalled(&self) -> Option<Fault> {
        let apart = self.registers_missing().or_else(|| self.warpgroup_apart(true));
        let apart = apart.or_else(|| self.phases_missing());
        let apart = apart.or_else(|| self.warpgroup_apart(false));
        apart.or_else(|| self.barrier_missing())
    }

    /// A barrier of the block that not all reach.
    fn barrier_missing(&self) -> Option<Fault> {
        for (index, warp) in self.warps.iter().enumerate() {
            let waiting = warp.fragments.iter().find_map(|fragment| match fragment.state {
                State::AtBarrier(barrier) => Some((fragment, barrier)),
                _ => None,
            });
            let Some((fragment, barrier)) = waiting else { continue };
            let state = &self.common.barriers[barrier as usize];
            let present = self.warps.iter().map(|warp| warp.present);
            let missing = state.first_missing(present);
            let exited = missing.is_some_and(|thread| {
                self.warps[thread as usize / 32].live >> (thread % 32) & 1 == 0
            });
            let violation = Violation::BarrierNotReached {
                barrier,
                waiting: state.arrived,
                expected: state.expected,
                missing,
                exited,
            };
            // The position of a waiting fragment is already past the barrier.
            let stop = Stop::of_mask(violation, fragment.mask);
            return Some(self.fault(index, fragment.pc - 1, *stop));
        }
        None
    }

    /// The barrier of the cluster, which not all reach.
    fn cluster_missing(&self) -> Option<Fault> {
        let waits = |state: State| matches!(state, State::AtCluster(_));
        let mut warps = self.warps.iter().enumerate();
        let (index, fragment) = warps.find_map(|(index, warp)| {
            Some((index, warp.fragments.iter().find(|fragment| waits(fragment.state))?))
        })?;
        let (waiting, expected, missing) = self.common.peers.barrier.missing();
        let problem = ClusterProblem::NotReached { waiting, expected, missing };
        let stop = Stop::of_mask(Violation::Cluster(problem), fragment.mask);
        Some(self.fault(index, fragment.pc, *stop))
    }

    /// A warpgroup that waits for registers.
    fn registers_missing(&self) -> Option<Fault> {
        let mut meetings = (0..).zip(&self.common.meetings);
        meetings.find_map(|(warpgroup, meeting)| {
            let meeting = meeting.filter(Meeting::is_complete)?;
            let op = &self.context.program.code[meeting.pc as usize].op;
            let Op::Warpgroup(WarpgroupOp::SetRegisters(op)) = op else { return None };
            let (count, free) = (op.count, self.common.budget.free());
            let problem = WarpgroupProblem::NotGranted { warpgroup, count, free };
            let stop = Stop::new(Violation::Warpgroup(problem), 0);
            Some(self.fault((WARPS * warpgroup) as usize, meeting.pc, *stop))
        })
    }

    /// Warps that wait for another one of their warpgroup: one that has exited, or one that has not.
    fn warpgroup_apart(&self, exited: bool) -> Option<Fault> {
        let number = |warpgroup: u32, of: u32| WARPS * warpgroup + of;
        for (warpgroup, meeting) in (0..).zip(&self.common.meetings) {
            let Some(meeting) = meeting else { continue };
            let absent = (0..WARPS).filter(|of| meeting.warps >> of & 1 == 0);
            let mut absent = absent.map(|of| number(warpgroup, of));
            let has_exited = |warp: &u32| self.warps[*warp as usize].live == 0;
            let Some(missing) = absent.find(|warp| has_exited(warp) == exited) else { continue };
            let waiting = meeting.warps.count_ones();
            let problem = WarpgroupProblem::NotReached { warpgroup, waiting, missing, exited };
            let stop = Stop::new(Violation::Warpgroup(problem), 0);
            let first = number(warpgroup, meeting.warps.trailing_zeros());
            return Some(self.fault(first as usize, meeting.pc, *stop));
        }
        None
    }

    /// The phases that threads wait for, told at the first wait.
    fn phases_missing(&self) -> Option<Fault> {
        let mut waits: Vec<PhaseWait> = Vec::new();
        let mut first = None;
        for (index, warp) in self.warps.iter().enumerate() {
            for fragment in &warp.fragments {
                let State::AtPhase(barrier, phase) = fragment.state else { continue };
                first.get_or_insert((index, fragment));
                let threads = fragment.mask.count_ones();
                let wait = self.phase_wait(barrier, phase, threads)?;
                let same = |other: &&mut PhaseWait| {
                    (other.barrier, other.parity) == (wait.barrier, wait.parity)
                };
                match waits.iter_mut().find(same) {
                    Some(other) => other.threads += threads,
                    None => waits.push(wait),
                }
            }
        }
        let (index, fragment) = first?;
        let violation = Violation::MbarrierDeadlock { waits, barriers: self.barriers() };
        let stop = Stop::of_mask(violation, fragment.mask);
        Some(self.fault(index, fragment.pc, *stop))
    }

    /// The barriers that threads have arrived at.
    fn barriers(&self) -> Vec<BarrierWait> {
        let barriers = (0..).zip(&self.common.barriers).filter(|(_, state)| state.arrived > 0);
        let wait = |(barrier, state): (u32, &BarrierState)| {
            let BarrierState { arrived, expected, .. } = *state;
            BarrierWait { barrier, arrived, expected }
        };
        barriers.map(wait).collect()
    }

    fn phase_wait(&self, barrier: u32, phase: Phase, threads: u32) -> Option<PhaseWait> {
        let state = self.common.shared.mbarrier_state(barrier)?;
        let parity = match phase {
            Phase::Parity(parity) => parity,
            Phase::Number(number) => (number & 1) as u32,
        };
        Some(PhaseWait {
            barrier: barrier.into(),
            parity,
            threads,
            missing_arrivals: state.pending,
            arrivals: state.count,
            missing_bytes: state.transactions,
        })
    }

    /// All threads have exited: whether something has waited for each tensor copy, and for what other blocks did.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        if let Some(exited) = self.common.peers.exited.get_mut(self.common.rank as usize) {
            *exited = true;
        }
        let last = self.context.program.code.len() as u32 - 1;
        if let Some((barrier, copy)) = self.common.shared.copy_left() {
            let (address, barrier) = (copy.address.into(), barrier.into());
            let violation = Violation::TensorCopyLeft { address, barrier };
            let stop = Stop::new(violation, copy.thread as usize % 32);
            let warp = copy.thread / 32 - self.warps[0].in_cluster;
            // A block that started the copy of another one has the place, as if it were this one's.
            return Err(self.fault((warp as usize).min(self.warps.len() - 1), copy.pc, *stop));
        }
        let problem = match self.common.shared.left_by_others() {
            None => return Ok(()),
            Some(Left::Arrival(barrier, thread)) => {
                ClusterProblem::ArrivalLeft { barrier: barrier.into(), thread }
            }
            Some(Left::Access(race)) => {
                let direction = if race.other_wrote { Direction::Write } else { Direction::Read };
                let (address, thread) = (race.at.into(), race.other);
                ClusterProblem::Left { address, direction, thread }
            }
        };
        Err(self.fault(0, last, *Stop::new(Violation::Cluster(problem), 0)))
    }
}
