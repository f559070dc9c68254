//! What a trace says about the warps.

use std::collections::{BTreeMap, HashMap};

use gemm_codegen::Plan;
use gemm_emulator::Trace;
use gemm_emulator::trace::{Event, EventKind, Wait};

use super::{Act, Ring, Role, Span, Timeline, product_ends};
use crate::pipeline::MOST_WARPS;

/// Acts of warps, as they are found.
#[derive(Default)]
struct Acts {
    of_warps: BTreeMap<u32, Vec<(Act, Span)>>,
    /// When the wait of a warp began.
    begun: HashMap<u32, u64>,
}

impl Timeline {
    pub(super) fn follow_warps(&mut self, plan: &Plan, trace: &Trace, ring: &Ring) {
        let mut acts = Acts::default();
        let products = product_ends(trace);
        for event in &trace.events {
            match &event.kind {
                EventKind::CopyRequested { by, .. } if by.block == trace.rank => {
                    acts.add(by.warp, Act::Request, [event.step, event.step + 1]);
                }
                EventKind::ProductIssued { warpgroup, product, .. }
                    if event.block == trace.rank =>
                {
                    let end = products.get(product).copied().unwrap_or(event.step);
                    acts.add(4 * warpgroup, Act::Multiply, [event.step, end]);
                }
                _ if event.block == trace.rank => {
                    self.follow_accesses(event, ring, &mut acts);
                    acts.follow_waits(event, plan, ring);
                }
                _ => {}
            }
        }
        let drawn = roles(plan).into_iter().filter_map(|(warp, name)| {
            let acts = merged(acts.of_warps.remove(&warp)?);
            // The other warps of the producer only meet those that do something.
            let is_idle = acts.keys().all(|act| *act == Act::WaitOther);
            (!is_idle).then_some(Role { name, warp, acts })
        });
        self.roles = drawn.collect();
    }

    /// Loads of the ring, and the staging of results.
    fn follow_accesses(&self, event: &Event, ring: &Ring, acts: &mut Acts) {
        let step = event.step;
        match &event.kind {
            EventKind::Loaded { warp, since, from } => {
                let stage = ring.stages_of(*from).next();
                let is_ring = stage.is_some_and(|stage| {
                    self.staged[stage].is_none_or(|staged| *since < staged[0])
                });
                acts.add(*warp, if is_ring { Act::Load } else { Act::Stage }, [*since, step + 1]);
            }
            EventKind::Stored { warp, since, .. } => {
                acts.add(*warp, Act::Stage, [*since, step + 1]);
            }
            EventKind::StoreRequested { warp, .. } => {
                acts.add(*warp, Act::Stage, [step, step + 1]);
            }
            _ => {}
        }
    }
}

impl Acts {
    fn add(&mut self, warp: u32, act: Act, span: Span) {
        self.of_warps.entry(warp).or_default().push((act, span));
    }

    fn follow_waits(&mut self, event: &Event, plan: &Plan, ring: &Ring) {
        match &event.kind {
            EventKind::WaitBegun { warp, .. } => {
                self.begun.insert(*warp, event.step);
            }
            EventKind::WaitOver { warp, wait } => {
                let from = self.begun.remove(warp).unwrap_or(event.step);
                let kind = match wait {
                    Wait::Copies(_) => Act::WaitFilled,
                    Wait::Phase { barrier, .. } => match ring.barrier(plan, *barrier) {
                        Some((_, true)) => Act::WaitFilled,
                        Some((_, false)) => Act::WaitFree,
                        None => Act::WaitOther,
                    },
                    _ => Act::WaitOther,
                };
                self.add(*warp, kind, [from, event.step]);
            }
            _ => {}
        }
    }
}

/// The warps that are drawn, with their names.
fn roles(plan: &Plan) -> Vec<(u32, String)> {
    match plan.roles() {
        Some(roles) => {
            let producer = 4 * roles.consumers;
            let mut names = vec![(producer, "producer".to_owned())];
            let consumers = 0..roles.consumers;
            names.extend(consumers.map(|group| (4 * group, format!("consumer {group}"))));
            names.extend(
                (producer + 1..producer + 4).map(|warp| (warp, format!("epilogue {warp}"))),
            );
            names
        }
        None => {
            let warps = (plan.threads() / 32).min(MOST_WARPS);
            (0..warps).map(|warp| (warp, format!("warp {warp}"))).collect()
        }
    }
}

/// The spans of each act; those that touch are one.
fn merged(mut all: Vec<(Act, Span)>) -> BTreeMap<Act, Vec<Span>> {
    all.retain(|(_, [from, to])| from < to);
    all.sort_unstable();
    let mut acts: BTreeMap<Act, Vec<Span>> = BTreeMap::new();
    for (act, [from, to]) in all {
        let spans = acts.entry(act).or_default();
        match spans.last_mut() {
            Some(last) if from <= last[1] => last[1] = last[1].max(to),
            _ => spans.push([from, to]),
        }
    }
    acts
}
