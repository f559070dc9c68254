//! What a trace says about the stages and the warps of a block.

mod ring;
mod stages;
mod warps;

use std::collections::{BTreeMap, HashMap};

use gemm_codegen::Plan;
use gemm_emulator::Trace;
use gemm_emulator::trace::EventKind;

use ring::Ring;

/// A time in which something lasts, by its first step and the step after its last.
pub(super) type Span = [u64; 2];

/// A k-tile in a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    /// Its number in the order in which k-tiles are requested.
    pub(super) tile: usize,
    pub(super) bytes: u32,
    /// From the first request to the last completion.
    pub(super) filling: Span,
    /// From the first read to the end of the last, if it is read.
    pub(super) read: Option<Span>,
}

/// What a warp does or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Act {
    /// Requests copies to the ring.
    Request,
    /// Has products in flight.
    Multiply,
    /// Loads from the ring.
    Load,
    /// Stages results and has them stored.
    Stage,
    WaitFilled,
    WaitFree,
    WaitOther,
}

#[derive(Clone, Debug)]
pub(super) struct Role {
    pub(super) name: String,
    pub(super) warp: u32,
    /// By act, those that touch merged.
    pub(super) acts: BTreeMap<Act, Vec<Span>>,
}

/// The completion of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Completed {
    pub(super) stage: usize,
    /// Whether the stage is filled, or free.
    pub(super) is_full: bool,
    pub(super) phase: u64,
    pub(super) step: u64,
}

/// The pipeline of a block.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    pub(super) stages: Vec<Vec<Fill>>,
    /// When results are staged in each stage.
    pub(super) staged: Vec<Option<Span>>,
    pub(super) roles: Vec<Role>,
    pub(super) phases: Vec<Completed>,
    /// Steps at which the bytes in flight change, and what they are then.
    pub(super) flight: Vec<(u64, i64)>,
    pub(super) tiles: usize,
    pub(super) end: u64,
}

impl Timeline {
    /// The pipeline of a trace; `None` for kernels that fill stages by stores.
    pub(super) fn new(plan: &Plan, trace: &Trace) -> Option<Timeline> {
        if plan.form().is_double_buffered() {
            return None;
        }
        let ring = Ring::new(plan, trace)?;
        let mut timeline = Timeline {
            stages: vec![Vec::new(); ring.stages],
            staged: vec![None; ring.stages],
            ..Timeline::default()
        };
        timeline.follow_stages(plan, trace, &ring);
        timeline.follow_warps(plan, trace, &ring);
        timeline.follow_flight(trace);
        timeline.end = trace.events.last().map_or(0, |event| event.step + 1);
        Some(timeline)
    }

    fn follow_flight(&mut self, trace: &Trace) {
        let mut changes: BTreeMap<u64, i64> = BTreeMap::new();
        let mut sizes = HashMap::new();
        for event in trace.events.iter().filter(|event| event.block == trace.rank) {
            match event.kind {
                EventKind::CopyRequested { copy, bytes, .. } => {
                    sizes.insert(copy, i64::from(bytes));
                    *changes.entry(event.step).or_default() += i64::from(bytes);
                }
                EventKind::CopyCompleted { copy } => {
                    let bytes = sizes.remove(&copy).unwrap_or(0);
                    *changes.entry(event.step).or_default() -= bytes;
                }
                _ => {}
            }
        }
        let mut flying = 0;
        let changes = changes.into_iter().filter(|(_, change)| *change != 0);
        self.flight = changes
            .map(|(step, change)| {
                flying += change;
                (step, flying)
            })
            .collect();
    }
}

/// When each product is complete.
fn product_ends(trace: &Trace) -> HashMap<u64, u64> {
    let of = trace.events.iter().filter(|event| event.block == trace.rank);
    of.filter_map(|event| match event.kind {
        EventKind::ProductCompleted { product } => Some((product, event.step)),
        _ => None,
    })
    .collect()
}
