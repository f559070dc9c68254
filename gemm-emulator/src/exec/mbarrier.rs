//! Instructions on mbarriers.

use super::access::addresses;
use super::block::{Common, Stop};
use super::control::{Flow, Site};
use super::registers::{Lanes, lanes_of};
use super::request::Request;
use super::warp::{Fragment, State, Warp};
use crate::fault::{Direction, Violation};
use crate::memory::{MbarrierArrival, Phase};
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
    let request = |lane| locate(instruction.space, addresses[lane], lane);
    match &instruction.op {
        MbarrierOp::Wait { phase, d, holds, acquires } => {
            let kind = WaitKind { phase: *phase, d: *d, holds: *holds, acquires: *acquires };
            return wait(site, common, warp, (&addresses, instruction.space), kind);
        }
        MbarrierOp::Initialize { count } => {
            let counts = *warp.registers.word(*count);
            for lane in lanes_of(site.active) {
                let at = request(lane)?;
                let done =
                    common.shared.initialize_mbarrier(at.address, counts[lane], warp.thread(lane));
                done.map_err(|problem| at.shared_problem(problem))?;
            }
        }
        MbarrierOp::Invalidate => {
            for lane in lanes_of(site.active) {
                let at = request(lane)?;
                let done = common.shared.invalidate_mbarrier(at.address, warp.thread(lane));
                done.map_err(|problem| at.shared_problem(problem))?;
            }
        }
        MbarrierOp::Expect { bytes } => {
            let bytes = *warp.registers.word(*bytes);
            for lane in lanes_of(site.active) {
                let at = request(lane)?;
                let done = common.shared.expect(at.address, bytes[lane], warp.thread(lane));
                done.map_err(|problem| at.shared_problem(problem))?;
            }
        }
        MbarrierOp::Arrive { expected, count, state, incomplete, releases } => {
            let counts = *warp.registers.word(*count);
            let expected = expected.map_or([0; LANES], |bytes| *warp.registers.word(bytes));
            let mut phases = [0; LANES];
            for lane in lanes_of(site.active) {
                let at = request(lane)?;
                let arrival = MbarrierArrival {
                    count: counts[lane],
                    expected: expected[lane],
                    incomplete: *incomplete,
                    releases: *releases,
                };
                let done = common.shared.arrive(at.address, arrival, warp.thread(lane));
                phases[lane] = done.map_err(|problem| at.shared_problem(problem))?;
            }
            warp.registers.set_long(*state, site.active, &phases);
        }
    }
    Ok(Flow::Next)
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
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    (addresses, space): (&Lanes<u64>, Space),
    WaitKind { phase: name, d, holds, acquires }: WaitKind,
) -> Result<Flow, Box<Stop>> {
    let mut passed = 0;
    let mut held: Vec<Fragment> = Vec::new();
    for lane in lanes_of(site.active) {
        let request = locate(space, addresses[lane], lane)?;
        let phase = phase_of(warp, name, lane)?;
        let done = common.shared.wait(request.address, phase, (warp.thread(lane), acquires));
        if done.map_err(|problem| request.shared_problem(problem))? {
            passed |= 1 << lane;
            continue;
        }
        if !holds {
            continue;
        }
        // Lanes that wait for the same stay together.
        let state = State::AtPhase { barrier: request.address as u32, phase };
        match held.iter_mut().find(|fragment| fragment.state == state) {
            Some(fragment) => fragment.mask |= 1 << lane,
            None => held.push(Fragment { pc: site.pc, mask: 1 << lane, state, reduction: None }),
        }
    }
    let asked = if holds { passed } else { site.active };
    warp.registers.set_predicate(d, asked, passed);
    warp.fragments.append(&mut held);
    // The other warps come to their next wait before this one goes on, so that none runs rounds ahead of them: what it
    // should have waited for then lies behind it.
    let (pc, mask, state) = (site.pc + 1, site.mask & !site.active | asked, State::Yielded);
    if mask != 0 {
        warp.fragments.push(Fragment { pc, mask, state, reduction: None });
    }
    Ok(Flow::Parted)
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
