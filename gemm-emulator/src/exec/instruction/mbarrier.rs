//! Instructions on mbarriers.

use super::access::addresses;
use super::block::{Common, Stop};
use super::control::{Flow, Site};
use super::registers::{Lanes, lanes_of};
use super::request::Request;
use super::warp::{Fragment, State, Warp};
use crate::fault::{Direction, Violation};
use crate::memory::{MbarrierArrival, Phase, SharedProblem, Waiter};
use crate::program::{LANES, Mbarrier, MbarrierOp, PhaseName};
use crate::ptx::Space;

/// Size and alignment of an mbarrier.
const BYTES: u32 = 8;

pub(super) fn execute(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    instruction: &Mbarrier,
) -> Result<Flow, Box<Stop>> {
    let addresses = addresses(&warp.registers, instruction.address, instruction.offset);
    let places = Places { site, addresses: &addresses, space: instruction.space };
    let shared = &mut common.shared;
    match &instruction.op {
        MbarrierOp::Wait { phase, d, holds, acquires } => {
            let kind = WaitKind { phase: *phase, d: *d, holds: *holds, acquires: *acquires };
            return wait(&places, common, warp, kind);
        }
        MbarrierOp::Initialize { count } => {
            let counts = warp.registers.word(*count);
            places
                .each(|lane, at| shared.initialize_mbarrier(at, counts[lane], warp.thread(lane)))?;
        }
        MbarrierOp::Invalidate => {
            places.each(|lane, at| shared.invalidate_mbarrier(at, warp.thread(lane)))?;
        }
        MbarrierOp::Expect { bytes } => {
            let bytes = warp.registers.word(*bytes);
            places.each(|lane, at| shared.expect(at, bytes[lane], warp.thread(lane)))?;
        }
        MbarrierOp::Arrive { expected, count, state, incomplete, releases } => {
            let counts = warp.registers.word(*count);
            let expected = expected.map_or([0; LANES], |bytes| *warp.registers.word(bytes));
            let (incomplete, releases) = (*incomplete, *releases);
            let mut phases = [0; LANES];
            places.each(|lane, at| {
                let (count, expected) = (counts[lane], expected[lane]);
                let arrival = MbarrierArrival { count, expected, incomplete, releases };
                phases[lane] = shared.arrive(at, arrival, warp.thread(lane))?;
                Ok(())
            })?;
            warp.registers.set_long(*state, site.active, &phases);
        }
    }
    Ok(Flow::Next)
}

/// Where the mbarriers of the lanes are.
struct Places<'s> {
    site: &'s Site<'s>,
    addresses: &'s Lanes<u64>,
    space: Space,
}

impl Places<'_> {
    /// Does something at the mbarrier of each active lane.
    fn each(
        &self,
        mut f: impl FnMut(usize, u64) -> Result<(), SharedProblem>,
    ) -> Result<(), Box<Stop>> {
        for lane in lanes_of(self.site.active) {
            let request = locate(self.space, self.addresses[lane], lane)?;
            f(lane, request.address).map_err(|problem| request.shared_problem(problem))?;
        }
        Ok(())
    }
}

/// The request for the mbarrier of a lane.
pub(super) fn locate(space: Space, address: u64, lane: usize) -> Result<Request, Box<Stop>> {
    let direction = Direction::Write;
    let request = Request { space, address, bytes: BYTES, direction, lane }.checked()?;
    if request.space == Space::Shared { Ok(request) } else { Err(request.out_of_bounds(None)) }
}

struct WaitKind {
    phase: PhaseName,
    d: u32,
    holds: bool,
    acquires: bool,
}

fn wait(
    places: &Places<'_>,
    common: &mut Common,
    warp: &mut Warp,
    WaitKind { phase: name, d, holds, acquires }: WaitKind,
) -> Result<Flow, Box<Stop>> {
    let &Places { site, addresses, space } = places;
    // A wait may fail while its phase is incomplete: a test at once, a try after a time limit.
    let fails = common.random.bool();
    let (mut passed, mut held) = (0, Vec::new());
    for lane in lanes_of(site.active) {
        let request = locate(space, addresses[lane], lane)?;
        let phase = phase_of(warp, name, lane)?;
        let waiter = Waiter { thread: warp.thread(lane), acquires, patient: !fails };
        let done = common.shared.wait(request.address, phase, waiter);
        if done.map_err(|problem| request.shared_problem(problem))? {
            passed |= 1 << lane;
        } else if holds && !fails {
            let state = State::AtPhase { barrier: request.address as u32, phase };
            hold(&mut held, site.pc, state, lane);
        }
    }
    let answered = if holds && !fails { passed } else { site.active };
    warp.registers.set_predicate(d, answered, passed);
    warp.fragments.append(&mut held);
    // The other warps run to their next wait before this one continues, so that none runs rounds ahead of them: the
    // phase that it should have waited for would then be complete.
    let (pc, mask, state) = (site.pc + 1, site.mask & !site.active | answered, State::Yielded);
    if mask != 0 {
        warp.fragments.push(Fragment { pc, mask, state, reduction: None });
    }
    Ok(Flow::Parted)
}

/// Holds a lane at its wait. Lanes that wait for the same stay together.
fn hold(held: &mut Vec<Fragment>, pc: u32, state: State, lane: usize) {
    match held.iter_mut().find(|fragment| fragment.state == state) {
        Some(fragment) => fragment.mask |= 1 << lane,
        None => held.push(Fragment { pc, mask: 1 << lane, state, reduction: None }),
    }
}

fn phase_of(warp: &Warp, name: PhaseName, lane: usize) -> Result<Phase, Box<Stop>> {
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
