//! One block: its warps, its shared memory, its barriers.

use fastrand::Rng;

use super::barrier::{BARRIERS, BarrierState};
use super::budget::Budget;
use super::context::{BlockRaces, Context};
use super::instruction::execute;
use super::peers::Peers;
use super::step::{Common, Flow, Step, Stop};
use super::warp::{Fragment, State, Warp};
use crate::fault::{Fault, Place, Violation};
use crate::lanes::WARPS;
use crate::lanes::{ALL, LANES};
use crate::memory::{BlockOrder, Shared};
use crate::profile::Recorder;
use crate::program::{Constant, Slot, Special, UNGUARDED};
use crate::statistics::Statistics;

/// How many instructions a warp runs before another one may.
const QUANTUM: u32 = 1 << 14;

pub(crate) struct Block<'c> {
    pub(super) context: &'c Context<'c>,
    index: [u32; 3],
    pub(super) warps: Vec<Warp>,
    pub(super) common: Common,
}

/// The state of a block after a round.
pub(super) enum Round {
    Finished,
    /// No warp can run.
    Stuck,
    Running,
}

pub(super) enum Outcome {
    Finished,
    Blocked,
    Yielded,
}

impl<'c> Block<'c> {
    pub(crate) fn new(context: &'c Context<'c>, rank: u32) -> Block<'c> {
        let program = context.program;
        let warps = (0..context.warps()).map(|number| {
            let threads = (context.threads - number * 32).min(32);
            Warp::new(program, [number, rank * context.warps() + number], ALL >> (32 - threads))
        });
        let common = Common {
            block: 0,
            random: Rng::with_seed(0),
            landings: None,
            shared: Shared::new(
                context.shared_bytes,
                &context.shared_variables,
                context.launch.find_races,
                context.has_clocks().then_some((context.team, rank)),
            ),
            rank,
            peers: Peers::new(context),
            order: matches!(context.block_races, BlockRaces::Unordered(_))
                .then(|| BlockOrder::new(context.threads)),
            barriers: vec![BarrierState::default(); BARRIERS as usize],
            statistics: Statistics::default(),
            profile: context.launch.profile.then(|| Recorder::new(program)),
            hints: vec![0; program.code.len()],
            completed: None,
            meetings: vec![None; context.warps().div_ceil(WARPS) as usize],
            budget: Budget::new(context.warps()),
            met_warpgroup: None,
        };
        Block { context, index: [0; 3], warps: warps.collect(), common }
    }

    /// The counts of the blocks that were run.
    pub(crate) fn finish(self) -> (Statistics, Option<Recorder>) {
        (self.common.statistics, self.common.profile)
    }

    /// Runs the block of this number to its end, alone in its cluster.
    pub(crate) fn run(&mut self, number: u64) -> Result<(), Fault> {
        self.common.peers.barrier.reset();
        self.begin(number);
        loop {
            match self.round()? {
                Round::Finished => return self.end(),
                Round::Stuck => return Err(self.deadlock()),
                Round::Running => {}
            }
        }
    }

    /// Begins the block of this number.
    pub(super) fn begin(&mut self, number: u64) {
        self.index = self.context.block_index(number);
        self.common.block = number;
        self.common.random = Rng::with_seed(self.context.launch.seed ^ number);
        let seed = self.context.launch.seed;
        self.common.landings = (seed != 0).then(|| Rng::with_seed(!(seed ^ number)));
        self.common.shared.reset();
        self.common.shared.keep_changes(self.common.peers.trace.is_some());
        if let Some(order) = &mut self.common.order {
            order.reset(number);
        }
        self.common.barriers.fill(BarrierState::default());
        self.common.meetings.fill(None);
        self.common.budget.reset();
        for index in 0..self.warps.len() {
            let warp = &mut self.warps[index];
            warp.reset();
            self.common.peers.barrier.enter(warp.in_cluster, warp.present);
            if self.context.launch.overlaps {
                self.warps[index].early = self.warps[index].present;
            }
            self.set_constants(index);
        }
    }

    /// Lets each warp run until it waits, or for a while.
    pub(super) fn round(&mut self) -> Result<Round, Fault> {
        let (mut finished, mut progress) = (true, false);
        for index in 0..self.warps.len() {
            let before = self.warps[index].executed;
            match self.run_warp(index)? {
                Outcome::Finished => {}
                Outcome::Blocked => finished = false,
                Outcome::Yielded => (finished, progress) = (false, true),
            }
            progress |= self.warps[index].executed != before;
        }
        Ok(match (finished, progress) {
            (true, _) => Round::Finished,
            (false, true) => Round::Running,
            (false, false) => Round::Stuck,
        })
    }

    fn set_constants(&mut self, index: usize) {
        let context = self.context;
        for (slot, constant) in &context.program.constants {
            let warp = &self.warps[index];
            let values: [u64; LANES] = match constant {
                Constant::Bits(bits) => [*bits; LANES],
                Constant::Offset(_, offset) => [*offset; LANES],
                Constant::Address(variable, offset) => {
                    [context.addresses[*variable as usize].wrapping_add_signed(*offset); LANES]
                }
                Constant::Special(special) => {
                    std::array::from_fn(|lane| self.special(*special, warp, lane))
                }
            };
            let registers = &mut self.warps[index].registers;
            match slot {
                Slot::Word(at) => registers.words[*at as usize] = values.map(|value| value as u32),
                Slot::Long(at) => registers.longs[*at as usize] = values,
                Slot::Predicate(at) => {
                    let holds = values[0] & 1 == 1;
                    registers.predicates[*at as usize] = if holds { ALL } else { 0 };
                }
            }
        }
    }

    fn special(&self, special: Special, warp: &Warp, lane: usize) -> u64 {
        let launch = self.context.launch;
        let below = (1u32 << lane) - 1;
        u64::from(match special {
            Special::Tid(axis) => self.context.thread_index(warp.thread(lane))[usize::from(axis)],
            Special::Ntid(axis) => launch.block[usize::from(axis)],
            Special::Ctaid(axis) => self.index[usize::from(axis)],
            Special::Nctaid(axis) => launch.grid[usize::from(axis)],
            Special::Laneid => lane as u32,
            Special::Warpid => warp.number,
            Special::Nwarpid => self.context.warps(),
            Special::LanemaskEq => 1 << lane,
            Special::LanemaskLt => below,
            Special::LanemaskLe => below | 1 << lane,
            Special::LanemaskGt => !(below | 1 << lane),
            Special::LanemaskGe => !below,
            Special::DynamicSharedBytes => launch.shared_bytes,
            Special::TotalSharedBytes => self.context.shared_bytes,
            Special::ClusterCtaid(axis) => self.context.in_cluster(self.index)[usize::from(axis)],
            Special::ClusterNctaid(axis) => self.context.cluster[usize::from(axis)],
            Special::ClusterCtarank => self.common.rank,
            Special::ClusterNctarank => self.context.team.blocks,
            Special::Clusterid(axis) => self.context.cluster_index(self.index)[usize::from(axis)],
            Special::Nclusterid(axis) => self.context.cluster_grid()[usize::from(axis)],
            Special::IsExplicitCluster => self.context.explicit_cluster().into(),
            Special::Smid | Special::Gridid => 0,
        })
    }

    /// Runs a warp until it is done, waits, or has run for a while.
    fn run_warp(&mut self, index: usize) -> Result<Outcome, Fault> {
        let limit = self.context.launch.instruction_limit;
        let left = limit - self.warps[index].executed;
        let mut budget = left.min(QUANTUM.into()) as u32;
        loop {
            let warp = &mut self.warps[index];
            let Some(fragment) = warp.take_next() else {
                if warp.retry()
                    || warp.wake(&mut self.common.shared, self.common.peers.barrier.phase())
                {
                    continue;
                }
                return self.stuck(index);
            };
            if warp.executed == limit {
                let stop = Stop::of_mask(Violation::InstructionLimit { limit }, fragment.mask);
                return Err(self.fault(index, fragment.pc, *stop));
            }
            if budget == 0 {
                warp.add(fragment.pc, fragment.mask);
                return Ok(Outcome::Yielded);
            }
            self.run_fragment(index, fragment, &mut budget)?;
            if let Some(barrier) = self.common.completed.take() {
                self.release(barrier);
            }
            if let Some(warpgroup) = self.common.met_warpgroup.take() {
                self.warpgroup_met(warpgroup)?;
            }
        }
    }

    /// Runs lanes at one instruction until they part, wait or end.
    fn run_fragment(
        &mut self,
        index: usize,
        fragment: Fragment,
        budget: &mut u32,
    ) -> Result<(), Fault> {
        let context = self.context;
        let warp = &mut self.warps[index];
        let Fragment { mut pc, mask, .. } = fragment;
        let alone = warp.fragments.is_empty();
        loop {
            let instruction = &context.program.code[pc as usize];
            let mut active = mask;
            if instruction.guard != UNGUARDED {
                let guard = warp.registers.predicate(instruction.guard);
                active &= if instruction.guard_negated { !guard } else { guard };
            }
            warp.executed += 1;
            *budget -= 1;
            let common = &mut self.common;
            let mut step = Step { context, common, warp: &mut *warp, pc, mask, active };
            match execute(&mut step, instruction) {
                Ok(Flow::Next) => pc += 1,
                Ok(Flow::Jump(target)) => pc = target,
                Ok(Flow::Parted | Flow::Waiting) => return Ok(()),
                Err(stop) => return Err(self.fault(index, pc, *stop)),
            }
            if *budget == 0 || (!alone && warp.must_switch(pc)) {
                warp.add(pc, mask);
                return Ok(());
            }
        }
    }

    /// Lets the threads that wait at a completed barrier continue.
    fn release(&mut self, barrier: u32) {
        let state = &mut self.common.barriers[barrier as usize];
        state.arrived = 0;
        for warp in &mut self.warps {
            let registers = &mut warp.registers;
            for fragment in &mut warp.fragments {
                if fragment.state == State::AtBarrier(barrier) {
                    fragment.state = State::Running;
                    if let Some(reduction) = fragment.reduction.take() {
                        state.reduce(registers, fragment.mask, reduction);
                    }
                }
            }
        }
    }

    #[cold]
    pub(super) fn fault(&self, index: usize, pc: u32, stop: Stop) -> Fault {
        let program = self.context.program;
        let origin = program.origins[pc as usize];
        let mut lines = program.source.lines(origin.frame).into_iter();
        let thread = self.warps[index].thread(stop.lane);
        let place = Place {
            kernel: program.name.clone(),
            ptx_line: origin.ptx_line,
            // The program has no text; `Module` adds it.
            instruction: String::new(),
            source: lines.next(),
            inlined_at: lines.collect(),
            block: self.index,
            thread: self.context.thread_index(thread),
        };
        Fault::Violation { violation: stop.violation, place: Box::new(place) }
    }
}
