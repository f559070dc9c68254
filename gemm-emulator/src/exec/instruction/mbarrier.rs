//! Instructions on mbarriers.

use crate::exec::request::Request;
use crate::exec::step::{Executed, Flow, Step, Stop};
use crate::exec::warp::{Fragment, State, Warp};
use crate::fault::{Direction, Violation};
use crate::lanes::{LANES, lanes_of};
use crate::memory::{MbarrierArrival, Phase, Shared, SharedProblem, Waiter};
use crate::program::{Mbarrier, MbarrierArrive, MbarrierOp, MbarrierWait, PhaseName};
use crate::ptx::Space;

/// Size and alignment of an mbarrier.
const BYTES: u32 = 8;

pub(super) fn execute(step: &mut Step<'_>, instruction: &Mbarrier) -> Executed<Flow> {
    match &instruction.op {
        MbarrierOp::Wait(kind) => return wait(step, instruction, *kind),
        MbarrierOp::Initialize(count) => {
            let counts = *step.warp.registers.word(*count);
            each(step, instruction, |shared, lane, at, thread| {
                shared.initialize_mbarrier(at, counts[lane], thread)
            })?;
        }
        MbarrierOp::Invalidate => {
            each(step, instruction, |shared, _, at, thread| {
                shared.invalidate_mbarrier(at, thread)
            })?;
        }
        MbarrierOp::Expect(bytes) => {
            let bytes = *step.warp.registers.word(*bytes);
            each(step, instruction, |shared, lane, at, thread| {
                shared.expect(at, bytes[lane], thread)
            })?;
        }
        MbarrierOp::Arrive(arrival) => arrive(step, instruction, arrival)?,
    }
    step.trace(|_, _| {});
    Ok(Flow::Next)
}

/// Lets each active lane arrive. The state of an mbarrier is returned within a block alone.
fn arrive(step: &mut Step<'_>, instruction: &Mbarrier, arrive: &MbarrierArrive) -> Executed {
    let counts = *step.warp.registers.word(arrive.count);
    let expected = arrive.expected.map(|bytes| *step.warp.registers.word(bytes));
    let expected = expected.unwrap_or([0; LANES]);
    let (incomplete, ordering) = (arrive.incomplete, arrive.ordering);
    let arrival = |lane: usize| {
        let (count, expected) = (counts[lane], expected[lane]);
        MbarrierArrival { count, expected, incomplete, ordering }
    };
    if instruction.space == Space::Cluster {
        return arrive_in_cluster(step, instruction, arrival);
    }
    let mut phases = [0; LANES];
    each(step, instruction, |shared, lane, at, thread| {
        phases[lane] = shared.arrive(at, arrival(lane), thread)?;
        Ok(())
    })?;
    step.warp.registers.set_long(arrive.state, step.active, &phases);
    Ok(())
}

/// Does something at the mbarrier of each active lane: with the lane, the address and the thread.
fn each(
    step: &mut Step<'_>,
    instruction: &Mbarrier,
    mut f: impl FnMut(&mut Shared, usize, u64, u32) -> Result<(), SharedProblem>,
) -> Executed {
    let addresses = step.addresses(instruction.address);
    for lane in lanes_of(step.active) {
        let thread = step.warp.member(lane);
        if instruction.space == Space::Cluster {
            let request = in_cluster(addresses[lane], lane)?;
            step.in_cluster(request, |shared, at, _| f(shared, lane, at, thread))?;
            continue;
        }
        let request = locate(instruction.space, addresses[lane], lane)?;
        f(&mut step.common.shared, lane, request.address, thread)
            .map_err(|problem| request.shared_problem(problem))?;
    }
    Ok(())
}

/// Lets each active lane arrive at an mbarrier of any block.
fn arrive_in_cluster(
    step: &mut Step<'_>,
    instruction: &Mbarrier,
    arrival: impl Fn(usize) -> MbarrierArrival,
) -> Executed {
    let addresses = step.addresses(instruction.address);
    for lane in lanes_of(step.active) {
        let (request, thread) = (in_cluster(addresses[lane], lane)?, step.warp.member(lane));
        step.in_cluster(request, |shared, at, away| match away {
            true => shared.arrive_from_away(at, arrival(lane), thread),
            false => shared.arrive(at, arrival(lane), thread).map(drop),
        })?;
    }
    Ok(())
}

/// The request for the mbarrier of a lane in any block.
pub(super) fn in_cluster(address: u64, lane: usize) -> Executed<Request> {
    let (space, direction) = (Space::Cluster, Direction::Write);
    Request { space, address, bytes: BYTES, direction, lane }.checked()
}

/// The request for the mbarrier of a lane.
pub(super) fn locate(space: Space, address: u64, lane: usize) -> Executed<Request> {
    Request { space, address, bytes: BYTES, direction: Direction::Write, lane }.in_shared()
}

fn wait(step: &mut Step<'_>, instruction: &Mbarrier, kind: MbarrierWait) -> Executed<Flow> {
    let MbarrierWait { phase: name, d, holds, ordering } = kind;
    let addresses = step.addresses(instruction.address);
    // A wait may fail while its phase is incomplete: a test at once, a try after a time limit.
    let fails = step.common.random.bool();
    let (mut passed, mut held) = (0, Vec::new());
    drift(step)?;
    for lane in lanes_of(step.active) {
        let request = locate(instruction.space, addresses[lane], lane)?;
        let phase = phase_of(step.warp, name, lane)?;
        let waiter = Waiter { thread: step.warp.member(lane), ordering, patient: !fails };
        let done = step.common.shared.wait(request.address, phase, waiter);
        if done.map_err(|problem| request.shared_problem(problem))? {
            passed |= 1 << lane;
        } else if holds && !fails {
            let state = State::AtPhase(request.address as u32, phase);
            hold(&mut held, step.pc, state, lane);
        }
    }
    let first = step.active.trailing_zeros() as usize;
    let phase = phase_of(step.warp, name, first)?;
    let barrier = locate(instruction.space, addresses[first], first)?.address;
    step.trace_phase(barrier, phase, passed);
    let answered = if holds && !fails { passed } else { step.active };
    step.warp.registers.set_predicate(d, answered, passed);
    step.warp.fragments.append(&mut held);
    // The other warps run to their next wait before this one continues, so that none runs rounds ahead of them: the
    // phase that it should have waited for would then be complete.
    let (pc, mask, state) = (step.pc + 1, step.mask & !step.active | answered, State::Yielded);
    if mask != 0 {
        step.warp.fragments.push(Fragment { pc, mask, state, reduction: None });
    }
    Ok(Flow::Parted)
}

/// Lets some tensor copies to the block land.
fn drift(step: &mut Step<'_>) -> Executed {
    let Some(random) = &mut step.common.landings else { return Ok(()) };
    let landed = step.common.shared.drift(random);
    let (space, bytes, direction) = (Space::Shared, BYTES, Direction::Write);
    let lane = step.active.trailing_zeros() as usize;
    let request = Request { space, address: 0, bytes, direction, lane };
    landed.map_err(|problem| request.shared_problem(problem))
}

/// Holds a lane at its wait. Lanes that wait for the same stay together.
fn hold(held: &mut Vec<Fragment>, pc: u32, state: State, lane: usize) {
    match held.iter_mut().find(|fragment| fragment.state == state) {
        Some(fragment) => fragment.mask |= 1 << lane,
        None => held.push(Fragment { pc, mask: 1 << lane, state, reduction: None }),
    }
}

fn phase_of(warp: &Warp, name: PhaseName, lane: usize) -> Executed<Phase> {
    match name {
        PhaseName::State(at) => Ok(Phase::Number(warp.registers.long(at)[lane])),
        PhaseName::Parity(at) => match warp.registers.word(at)[lane] {
            parity @ (0 | 1) => Ok(Phase::Parity(parity)),
            value => {
                let what = "parity of a phase is neither 0 nor 1";
                Err(Stop::new(Violation::BadOperand { what, value }, lane))
            }
        },
    }
}
