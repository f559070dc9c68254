//! Warp-wide and block-wide instructions.

use super::access::addresses;
use super::barrier::{Arrival, BARRIERS};
use super::block::{Common, Stop};
use super::control::{Flow, Site};
use super::matrix;
use super::multiply::multiply;
use super::registers::{ALL, Lanes, lanes_of};
use super::warp::{Fragment, State, Warp};
use crate::fault::Violation;
use crate::program::{Barrier, CollectiveOp, LANES, Shuffle, Vote};

pub(super) fn execute(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    op: &CollectiveOp,
) -> Result<Flow, Box<Stop>> {
    let flow = match op {
        CollectiveOp::Barrier(barrier) => return block_barrier(site, common, warp, barrier),
        CollectiveOp::ActiveMask { d } => {
            warp.registers.set_word(*d, site.active, &[site.active; LANES]);
            None
        }
        CollectiveOp::LoadMatrix(_) | CollectiveOp::StoreMatrix(_) | CollectiveOp::Multiply(_) => {
            let missing = whole_warp(site, warp)?;
            if missing.is_none() {
                matrix_op(site, common, warp, op)?;
            }
            missing
        }
        CollectiveOp::BarrierWarp { members }
        | CollectiveOp::Shuffle { members, .. }
        | CollectiveOp::Vote { members, .. }
        | CollectiveOp::Elect { members, .. } => {
            let members = *warp.registers.word(*members);
            let missing = named_lanes(site, warp, &members)?;
            if missing.is_none() {
                among_members(site, common, warp, op, &members)?;
            }
            missing
        }
    };
    Ok(match flow {
        None => Flow::Next,
        Some(needed) => wait(site, warp, needed),
    })
}

/// Lets the fragment wait until the lanes it needs have come.
fn wait(site: &Site<'_>, warp: &mut Warp, needed: u32) -> Flow {
    let state = State::Waiting { needed };
    warp.fragments.push(Fragment { pc: site.pc, mask: site.mask, state, reduction: None });
    Flow::Waiting
}

fn inactive(site: &Site<'_>, needed: u32) -> Box<Stop> {
    let active = site.active;
    Stop::of_mask(Violation::InactiveLanes { needed, active }, active)
}

/// Checks an instruction that all 32 lanes must execute; gives the lanes to wait for.
fn whole_warp(site: &Site<'_>, warp: &Warp) -> Result<Option<u32>, Box<Stop>> {
    if warp.live != ALL {
        return Err(inactive(site, ALL));
    }
    converged(site, ALL)
}

/// The lanes to wait for so that all `needed` lanes execute an instruction together.
fn converged(site: &Site<'_>, needed: u32) -> Result<Option<u32>, Box<Stop>> {
    if site.mask & needed != needed {
        return Ok(Some(needed));
    }
    if site.active & needed != needed {
        return Err(inactive(site, needed));
    }
    Ok(None)
}

/// Checks an instruction with a member mask in each lane; gives the lanes to wait for.
fn named_lanes(
    site: &Site<'_>,
    warp: &Warp,
    members: &Lanes<u32>,
) -> Result<Option<u32>, Box<Stop>> {
    let mut named = 0;
    for lane in lanes_of(site.active) {
        if members[lane] >> lane & 1 == 0 {
            return Err(Stop::new(Violation::NotAMember { members: members[lane] }, lane));
        }
        named |= members[lane];
    }
    let needed = named & warp.present;
    // That a named lane exits instead is as undefined as that it goes elsewhere.
    if needed & !warp.live != 0 {
        return Err(inactive(site, needed));
    }
    converged(site, needed)
}

fn among_members(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    op: &CollectiveOp,
    members: &Lanes<u32>,
) -> Result<(), Box<Stop>> {
    let active = site.active;
    let r = &mut warp.registers;
    match *op {
        CollectiveOp::BarrierWarp { .. } => {
            common.shared.publish_in_warp(warp.number, active);
            common.met();
        }
        CollectiveOp::Shuffle { f, d, p, a, b, c, .. } => {
            let (b, c) = (*r.word(b), *r.word(c));
            let sources = shuffle_sources(active, members, f, &b, &c)?;
            let a = *r.word(a);
            r.set_word(d, active, &sources.lanes.map(|lane| a[usize::from(lane)]));
            r.set_predicate(p, active, sources.in_range);
        }
        CollectiveOp::Vote { f, d, a, .. } => {
            let holds = r.predicate_use(a);
            if f == Vote::Ballot {
                r.set_word(d, active, &members.map(|members| holds & members & active));
            } else {
                r.set_predicate(d, active, vote(f, holds, active, members));
            }
        }
        CollectiveOp::Elect { d, p, .. } => {
            let leaders = members.map(|members| (members & active).trailing_zeros());
            let elected = lanes_of(active).filter(|lane| leaders[*lane] == *lane as u32);
            let elected = elected.fold(0, |all, lane| all | 1 << lane);
            r.set_word(d, active, &leaders);
            r.set_predicate(p, active, elected);
        }
        // The others are not executed by named lanes.
        _ => {}
    }
    Ok(())
}

struct Sources {
    lanes: Lanes<u8>,
    in_range: u32,
}

fn shuffle_sources(
    active: u32,
    members: &Lanes<u32>,
    f: Shuffle,
    b: &Lanes<u32>,
    c: &Lanes<u32>,
) -> Result<Sources, Box<Stop>> {
    let mut sources = Sources { lanes: [0; LANES], in_range: 0 };
    for lane in lanes_of(active) {
        let (by, clamp, segment) =
            ((b[lane] & 31) as i32, (c[lane] & 31) as i32, (c[lane] >> 8 & 31) as i32);
        let own = lane as i32;
        let last = (own & segment) | (clamp & !segment);
        let (source, in_range) = match f {
            Shuffle::Up => (own - by, own - by >= last),
            Shuffle::Down => (own + by, own + by <= last),
            Shuffle::Butterfly => (own ^ by, own ^ by <= last),
            Shuffle::Index => {
                let source = (own & segment) | (by & !segment);
                (source, source <= last)
            }
        };
        let source = if in_range { source as u32 } else { lane as u32 };
        if members[lane] & active & 1 << source == 0 {
            return Err(Stop::new(Violation::ShuffleSource { lane: source }, lane));
        }
        sources.lanes[lane] = source as u8;
        sources.in_range |= u32::from(in_range) << lane;
    }
    Ok(sources)
}

fn vote(f: Vote, holds: u32, active: u32, members: &Lanes<u32>) -> u32 {
    let mut out = 0;
    for lane in lanes_of(active) {
        let group = members[lane] & active;
        let all = holds & group == group;
        let any = holds & group != 0;
        let result = match f {
            Vote::All => all,
            Vote::Any => any,
            Vote::Uniform | Vote::Ballot => all || !any,
        };
        out |= u32::from(result) << lane;
    }
    out
}

fn matrix_op(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    op: &CollectiveOp,
) -> Result<(), Box<Stop>> {
    if let (Some(profile), CollectiveOp::LoadMatrix(moved) | CollectiveOp::StoreMatrix(moved)) =
        (&mut common.profile, op)
    {
        let rows = addresses(&warp.registers, moved.address, moved.offset);
        profile.matrices(site.pc, &rows[..8 * usize::from(moved.count)]);
    }
    match op {
        CollectiveOp::LoadMatrix(moved) => matrix::load(common, warp, moved),
        CollectiveOp::StoreMatrix(moved) => matrix::store(common, warp, moved),
        CollectiveOp::Multiply(op) => {
            common.statistics.matrix_multiplies += 1;
            multiply(&mut warp.registers, op);
            Ok(())
        }
        // The others have no matrices.
        _ => Ok(()),
    }
}

/// An operand that must be the same in all active lanes.
fn uniform(site: &Site<'_>, values: &Lanes<u32>, what: &'static str) -> Result<u32, Box<Stop>> {
    let first = values[site.active.trailing_zeros() as usize];
    match lanes_of(site.active).find(|lane| values[*lane] != first) {
        None => Ok(first),
        Some(lane) => Err(Stop::new(Violation::BadOperand { what, value: values[lane] }, lane)),
    }
}

fn block_barrier(
    site: &Site<'_>,
    common: &mut Common,
    warp: &mut Warp,
    barrier: &Barrier,
) -> Result<Flow, Box<Stop>> {
    if barrier.aligned
        && let Some(needed) = converged(site, warp.live)?
    {
        return Ok(wait(site, warp, needed));
    }
    let active = site.active;
    let (id, given) = barrier_of(site, warp, barrier)?;
    let expected = given.unwrap_or(site.context.threads);
    let whole = given.is_some() && barrier.aligned;
    let weight = if whole { 32 } else { active.count_ones() };
    let holds = barrier.reduction.map_or(0, |red| warp.registers.predicate_use(red.source));
    let arrival = Arrival { warp: warp.number, mask: active, expected, weight, holds };
    let complete = common.barriers[id as usize].arrive(id, arrival);
    let complete = complete.map_err(|violation| Stop::of_mask(violation, active))?;
    if barrier.waits {
        let state = State::AtBarrier { barrier: id };
        let reduction = barrier.reduction;
        warp.fragments.push(Fragment { pc: site.pc + 1, mask: active, state, reduction });
    } else {
        warp.add(site.pc + 1, active);
    }
    warp.add(site.pc + 1, site.mask & !active);
    if complete {
        finish_barrier(common, id, given.is_none());
    }
    Ok(Flow::Parted)
}

/// The number of a barrier, and its count of threads if it is given.
fn barrier_of(
    site: &Site<'_>,
    warp: &Warp,
    barrier: &Barrier,
) -> Result<(u32, Option<u32>), Box<Stop>> {
    let id = uniform(site, warp.registers.word(barrier.id), "barriers differ in a warp")?;
    let given = barrier.threads.map(|at| {
        uniform(site, warp.registers.word(at), "thread counts of a barrier differ in a warp")
    });
    let given = given.transpose()?;
    let threads = given.unwrap_or(site.context.threads);
    let bad = |what| {
        let violation = Violation::BadBarrier { barrier: id, threads, what };
        Err(Stop::of_mask(violation, site.active))
    };
    match given {
        _ if id >= BARRIERS => bad("a block has barriers 0 to 15"),
        Some(count) if count == 0 || count % 32 != 0 => {
            bad("the count must be a positive multiple of 32")
        }
        _ => Ok((id, given)),
    }
}

fn finish_barrier(common: &mut Common, id: u32, whole_block: bool) {
    common.statistics.barriers += 1;
    common.completed = Some(id);
    common.met();
    if whole_block {
        common.shared.publish();
        return;
    }
    let members = &common.barriers[id as usize].members;
    common.shared.publish_of(|thread| {
        members.get(thread as usize / 32).is_some_and(|mask| mask >> (thread % 32) & 1 == 1)
    });
}
