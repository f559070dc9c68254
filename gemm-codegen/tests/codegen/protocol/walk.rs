//! Goes through every state of a protocol.
//!
//! A process goes on by a *run*: a step, and those that follow up to the next one that waits. That is
//! exhaustive, as what a run does at once only makes the others' steps legal earlier, and each check
//! looks at what is still to come: a copy must find that all readers of the stage have waited for
//! their products, whether these have been issued or not.

use std::collections::HashSet;

use super::stage::Stage;
use super::{Barrier, Fault, Meeting, Protocol, Role, Step};

/// A process: its next step, and the products that it has issued and waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Process {
    role: usize,
    at: usize,
    issued: usize,
    retired: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// In order: processes of a role take each other's place.
    processes: Vec<Process>,
    stages: Vec<Stage>,
    ring_is_written: bool,
    /// Turns that were given and not taken yet.
    turns: [u32; 2],
}

/// The number of states, if nothing goes wrong in any.
///
/// # Errors
/// The first fault that is met.
pub(super) fn walk(protocol: &Protocol) -> Result<usize, Fault> {
    let first = State::first(protocol);
    let mut seen = HashSet::from([first.clone()]);
    let mut left = vec![first];
    while let Some(state) = left.pop() {
        state.check_ended(protocol)?;
        let next = state.next(protocol)?;
        if next.is_empty() {
            state.check_end(protocol)?;
        }
        for mut state in next {
            state.processes.sort_unstable();
            if seen.insert(state.clone()) {
                left.push(state);
            }
        }
    }
    Ok(seen.len())
}

/// Whether a run ends before this step.
fn begins_a_run(step: Step) -> bool {
    matches!(step, Step::Wait { .. } | Step::Retire { .. } | Step::Sync(_) | Step::Await { .. })
}

impl State {
    fn first(protocol: &Protocol) -> State {
        let process = |role| Process { role, at: 0, issued: 0, retired: 0 };
        let roles = protocol.roles.iter().enumerate();
        let processes = roles.flat_map(|(number, role)| vec![process(number); role.processes]);
        State {
            processes: processes.collect(),
            stages: vec![Stage::new(protocol.arrivals); protocol.stages],
            ring_is_written: false,
            turns: [0; 2],
        }
    }

    /// The states after one run of a process, or after all have come that meet at a barrier.
    fn next(&self, protocol: &Protocol) -> Result<Vec<State>, Fault> {
        let mut states = Vec::new();
        for number in 0..self.processes.len() {
            match self.step(protocol, number) {
                None => {}
                Some(Step::Wait { barrier, parity }) if !self.has_passed(barrier, parity)? => {}
                Some(Step::Sync(_)) => {}
                Some(Step::Await { turn }) if self.turns[turn] == 0 => {}
                Some(_) => states.push(self.after_run(protocol, number)?),
            }
        }
        let meetings =
            (0..self.processes.len()).filter_map(|number| self.meeting(protocol, number));
        for meeting in meetings.collect::<HashSet<Meeting>>() {
            states.extend(self.after_meeting(protocol, meeting));
        }
        Ok(states)
    }

    /// Where a process waits for others.
    fn meeting(&self, protocol: &Protocol, process: usize) -> Option<Meeting> {
        match self.step(protocol, process) {
            Some(Step::Sync(meeting)) => Some(meeting),
            _ => None,
        }
    }

    /// The state in which those that meet may go on, if all have come.
    fn after_meeting(&self, protocol: &Protocol, meeting: Meeting) -> Option<State> {
        let has_come = |number: &usize| self.meeting(protocol, *number) == Some(meeting);
        let have_come: Vec<usize> = (0..self.processes.len()).filter(has_come).collect();
        let meets = |role: &&Role| role.steps.contains(&Step::Sync(meeting));
        let awaited = protocol.roles.iter().filter(meets).map(|role| role.processes);
        if have_come.len() < awaited.sum() {
            return None;
        }
        let mut state = self.clone();
        have_come.into_iter().for_each(|number| state.processes[number].at += 1);
        Some(state)
    }

    fn step(&self, protocol: &Protocol, process: usize) -> Option<Step> {
        let Process { role, at, .. } = self.processes[process];
        protocol.roles[role].steps.get(at).copied()
    }

    /// Whether the phase of a parity has completed: before the first one has, that of parity 1.
    fn has_passed(&self, barrier: Barrier, parity: u32) -> Result<bool, Fault> {
        let phase = match barrier {
            Barrier::Full(stage) => self.initialised(stage)?.full,
            Barrier::Empty(stage) => self.initialised(stage)?.empty,
        };
        Ok(phase.completed % 2 != parity)
    }

    /// A stage whose barriers are accessed.
    fn initialised(&self, stage: usize) -> Result<Stage, Fault> {
        let stage = self.stages[stage];
        if stage.is_initialised { Ok(stage) } else { Err(Fault::NotInitialised) }
    }

    fn after_run(&self, protocol: &Protocol, process: usize) -> Result<State, Fault> {
        let mut state = self.clone();
        let mut next = state.step(protocol, process);
        while let Some(step) = next {
            state.execute(protocol, process, step)?;
            state.processes[process].at += 1;
            next = state.step(protocol, process).filter(|step| !begins_a_run(*step));
        }
        Ok(state)
    }

    fn execute(&mut self, protocol: &Protocol, process: usize, step: Step) -> Result<(), Fault> {
        let is_read = |stage: &Stage| stage.readers > 0;
        match step {
            Step::Wait { barrier: Barrier::Full(stage), .. } => {
                self.stages[stage].has_landed = true
            }
            Step::Wait { .. } | Step::Sync(_) => {}
            Step::Initialise { stage } => self.stages[stage].is_initialised = true,
            Step::Arrive { barrier, times } => self.arrive(protocol, barrier, times, 0)?,
            Step::Expect { barrier, bytes } => self.arrive(protocol, barrier, 1, bytes)?,
            Step::Copy { stage, bytes, .. }
                if self.initialised(stage)?.full.bytes < i64::from(bytes) =>
            {
                return Err(Fault::Bytes);
            }
            Step::Copy { stage, tile, bytes } | Step::CopyToPeer { stage, tile, bytes } => {
                self.copy(protocol, (stage, tile), bytes)?;
            }
            Step::Store { stage, .. } if self.stages[stage].readers > 1 => {
                return Err(Fault::NotWritten);
            }
            Step::Multiply { stage, tile } | Step::Store { stage, tile } => {
                let Stage { tile: copied, phase, full, has_landed, .. } = self.stages[stage];
                self.processes[process].issued += 1;
                if !has_landed || copied != Some(tile) || full.completed <= phase {
                    return Err(Fault::NotLanded);
                }
            }
            Step::Retire { left } => self.retire(protocol, process, left),
            Step::Await { turn } => self.turns[turn] -= 1,
            // A barrier that one waits at takes the arrivals of the other once.
            Step::Give { turn } if self.turns[turn] > 0 => return Err(Fault::Arrivals),
            Step::Give { turn } => self.turns[turn] += 1,
            Step::WriteRing if self.stages.iter().any(is_read) => return Err(Fault::RingInUse),
            Step::WriteRing => self.ring_is_written = true,
        }
        Ok(())
    }

    /// Waits for the products of a process, but for the last ones.
    fn retire(&mut self, protocol: &Protocol, process: usize, left: usize) {
        let Process { role, issued, retired, .. } = self.processes[process];
        let until = issued.saturating_sub(left).max(retired);
        let products = protocol.roles[role].steps.iter().filter_map(|step| match step {
            Step::Multiply { stage, .. } | Step::Store { stage, .. } => Some(*stage),
            _ => None,
        });
        for stage in products.take(until).skip(retired) {
            self.stages[stage].readers -= 1;
        }
        self.processes[process].retired = until;
    }

    fn arrive(
        &mut self,
        protocol: &Protocol,
        barrier: Barrier,
        times: u32,
        bytes: u32,
    ) -> Result<(), Fault> {
        let [full, empty] = protocol.arrivals;
        let (Barrier::Full(stage) | Barrier::Empty(stage)) = barrier;
        self.initialised(stage)?;
        // Those of another block's copy land in the phase that begins.
        let is_late = |stage: Stage| !stage.has_landed && stage.phase < stage.full.completed;
        if matches!(barrier, Barrier::Full(stage) if is_late(self.stages[stage])) {
            return Err(Fault::Arrivals);
        }
        let (phase, arrivals) = match barrier {
            Barrier::Full(stage) => (&mut self.stages[stage].full, full),
            Barrier::Empty(stage) => (&mut self.stages[stage].empty, empty),
        };
        phase.pending = phase.pending.checked_sub(times).ok_or(Fault::Arrivals)?;
        phase.bytes += i64::from(bytes);
        phase.settle(arrivals);
        Ok(())
    }

    fn copy(
        &mut self,
        protocol: &Protocol,
        (number, tile): (usize, usize),
        bytes: u32,
    ) -> Result<(), Fault> {
        self.initialised(number)?;
        let stage = &mut self.stages[number];
        stage.full.bytes -= i64::from(bytes);
        // The first box of a k-tile, or one that comes again.
        if stage.tile != Some(tile) || stage.full.completed > stage.phase {
            if stage.readers > 0 || self.ring_is_written {
                return Err(Fault::Overwritten);
            }
            stage.tile = Some(tile);
            stage.phase = stage.full.completed;
            stage.has_landed = false;
            stage.readers = protocol.readers;
        }
        stage.full.settle(protocol.arrivals[0]);
        Ok(())
    }

    /// That no process is still to access a block that has ended.
    fn check_ended(&self, protocol: &Protocol) -> Result<(), Fault> {
        let Protocol { blocks, stages, roles, .. } = protocol;
        if *blocks == 1 {
            return Ok(());
        }
        let mut has_ended = vec![true; *blocks];
        for Process { role, at, .. } in &self.processes {
            has_ended[role * blocks / roles.len()] &= *at == roles[*role].steps.len();
        }
        let is_late = |step: &Step| match *step {
            Step::Arrive { barrier: Barrier::Full(stage) | Barrier::Empty(stage), .. }
            | Step::Copy { stage, .. }
            | Step::CopyToPeer { stage, .. } => has_ended[stage * blocks / stages],
            _ => false,
        };
        let left = |process: &Process| &roles[process.role].steps[process.at..];
        let is_fault =
            has_ended.contains(&true) && self.processes.iter().flat_map(left).any(is_late);
        if is_fault { Err(Fault::Ended) } else { Ok(()) }
    }

    /// That no process waits for ever, and nothing is left to do.
    fn check_end(&self, protocol: &Protocol) -> Result<(), Fault> {
        let numbers = 0..self.processes.len();
        if numbers.into_iter().any(|number| self.step(protocol, number).is_some()) {
            return Err(Fault::Deadlock);
        }
        let is_left = self.turns != [0; 2]
            || self.stages.iter().any(|stage| stage.readers > 0 || stage.full.bytes != 0);
        if is_left { Err(Fault::Unfinished) } else { Ok(()) }
    }
}
