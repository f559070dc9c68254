//! Instructions of the lanes that a member mask names: shuffles, votes, `elect`, barriers of a warp.

use crate::exec::step::{Executed, Step, Stop};
use crate::fault::{Violation, WarpProblem};
use crate::lanes::{LANES, Lanes, lanes_of, mask_of};
use crate::program::{CollectiveOp, Shuffle, Vote};

pub(super) fn execute(step: &mut Step<'_>, op: &CollectiveOp, members: &Lanes<u32>) -> Executed {
    let active = step.active;
    let r = &mut step.warp.registers;
    match *op {
        CollectiveOp::BarrierWarp { .. } => {
            step.common.shared.publish_in_warp(step.warp.in_cluster, active);
            step.common.met();
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
            r.set_word(d, active, &leaders);
            r.set_predicate(p, active, mask_of(|lane| leaders[lane] == lane as u32));
        }
        // The others have no member mask.
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
) -> Executed<Sources> {
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
            return Err(Stop::new(
                Violation::Warp(WarpProblem::ShuffleSource { lane: source }),
                lane,
            ));
        }
        sources.lanes[lane] = source as u8;
        sources.in_range |= u32::from(in_range) << lane;
    }
    Ok(sources)
}

fn vote(f: Vote, holds: u32, active: u32, members: &Lanes<u32>) -> u32 {
    mask_of(|lane| {
        let group = members[lane] & active;
        let (all, any) = (holds & group == group, holds & group != 0);
        match f {
            Vote::All => all,
            Vote::Any => any,
            Vote::Uniform | Vote::Ballot => all || !any,
        }
    })
}
