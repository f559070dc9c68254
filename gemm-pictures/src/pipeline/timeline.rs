//! What a trace says about the stages and the warps of a block.

use std::collections::{BTreeMap, HashMap};

use gemm_codegen::{PipelineKind, Plan};
use gemm_emulator::Trace;
use gemm_emulator::trace::{EventKind, SharedRange, Wait};

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

/// The places of the ring.
struct Ring {
    base: u32,
    stage_bytes: u32,
    stages: usize,
    /// The stage of each barrier at which copies complete.
    full: HashMap<u32, usize>,
}

impl Ring {
    fn new(plan: &Plan, trace: &Trace) -> Option<Ring> {
        let pipeline = plan.pipeline();
        let stages = pipeline.stages() * pipeline.rings();
        let stage_bytes = plan.shared_memory().ring_bytes / stages.max(1);
        let copies = || {
            let of = trace.events.iter().filter(|event| event.block == trace.rank);
            of.filter_map(|event| match event.kind {
                EventKind::CopyRequested { to, barrier, .. } => Some((to, barrier)),
                _ => None,
            })
        };
        // The first stage is filled first, from its first byte on.
        let base = copies().map(|(to, _)| to.address).min()?;
        let mut ring = Ring { base, stage_bytes, stages: stages as usize, full: HashMap::new() };
        for (to, barrier) in copies() {
            if let (Some(barrier), Some(stage)) = (barrier, ring.stages_of(to).next()) {
                ring.full.insert(barrier, stage);
            }
        }
        Some(ring)
    }

    fn end(&self) -> u32 {
        self.base + self.stage_bytes * self.stages as u32
    }

    /// The stages that have bytes of a range.
    fn stages_of(&self, range: SharedRange) -> impl Iterator<Item = usize> + use<> {
        let (from, to) = (range.address.max(self.base), range.end().min(self.end()));
        let bytes = self.stage_bytes.max(1);
        let of = |at: u32| (at - self.base) / bytes;
        let stages = if from < to { of(from)..of(to - 1) + 1 } else { 0..0 };
        stages.map(|stage| stage as usize)
    }

    /// The stage of a barrier, and whether it is the one of its filling. `empty` follows `full`.
    fn barrier(&self, plan: &Plan, barrier: u32) -> Option<(usize, bool)> {
        if let Some(stage) = self.full.get(&barrier) {
            return Some((*stage, true));
        }
        let before = barrier.checked_sub(8 * plan.pipeline().stages())?;
        self.full.get(&before).map(|stage| (*stage, false))
    }
}

impl Timeline {
    /// The pipeline of a trace; `None` for kernels that fill stages by stores.
    pub(super) fn new(plan: &Plan, trace: &Trace) -> Option<Timeline> {
        if plan.pipeline().kind() == PipelineKind::DoubleBuffer {
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

    fn follow_stages(&mut self, plan: &Plan, trace: &Trace, ring: &Ring) {
        let completed: HashMap<u64, u64> = (trace.events.iter())
            .filter_map(|event| match event.kind {
                EventKind::CopyCompleted { copy } => Some((copy, event.step)),
                _ => None,
            })
            .collect();
        let products = product_ends(trace);
        // By start: an access that lasts is found at its end.
        let mut accesses = Vec::new();
        for event in trace.events.iter().filter(|event| event.block == trace.rank) {
            let step = event.step;
            match &event.kind {
                EventKind::CopyRequested { to, copy, bytes, .. } => {
                    let end = completed.get(copy).copied().unwrap_or(step);
                    accesses.push((step, end, *to, Some(*bytes), false));
                }
                EventKind::ProductIssued { product, reads, .. } => {
                    let end = products.get(product).copied().unwrap_or(step);
                    accesses.extend(reads.iter().map(|read| (step, end, *read, None, false)));
                }
                EventKind::Loaded { since, from, .. } => {
                    accesses.push((*since, step + 1, *from, None, false));
                }
                EventKind::Stored { since, to, .. } => {
                    accesses.push((*since, step + 1, *to, None, true));
                }
                EventKind::PhaseCompleted { barrier, phase } => {
                    if let Some((stage, is_full)) = ring.barrier(plan, *barrier) {
                        self.phases.push(Completed { stage, is_full, phase: *phase, step });
                    }
                }
                _ => {}
            }
        }
        accesses.sort_by_key(|access| access.0);
        for (from, to, range, copied, stores) in accesses {
            for stage in ring.stages_of(range) {
                self.access(stage, [from, to], copied, stores);
            }
        }
    }

    fn access(&mut self, stage: usize, span: Span, copied: Option<u32>, stores: bool) {
        if stores || self.staged[stage].is_some() {
            let staged = self.staged[stage].get_or_insert(span);
            staged[1] = staged[1].max(span[1]);
            return;
        }
        let fills = &mut self.stages[stage];
        match (copied, fills.last_mut()) {
            (Some(bytes), Some(fill)) if fill.read.is_none() => {
                fill.bytes += bytes;
                fill.filling[1] = fill.filling[1].max(span[1]);
            }
            (Some(bytes), _) => {
                fills.push(Fill { tile: self.tiles, bytes, filling: span, read: None });
                self.tiles += 1;
            }
            (None, Some(fill)) => {
                let read = fill.read.get_or_insert(span);
                read[1] = read[1].max(span[1]);
            }
            (None, None) => {}
        }
    }

    fn follow_warps(&mut self, plan: &Plan, trace: &Trace, ring: &Ring) {
        let names = roles(plan);
        let mut acts: BTreeMap<u32, Vec<(Act, Span)>> = BTreeMap::new();
        let mut begun: HashMap<u32, u64> = HashMap::new();
        let products = product_ends(trace);
        for event in &trace.events {
            let step = event.step;
            let mut act = |warp: u32, act, span| acts.entry(warp).or_default().push((act, span));
            match &event.kind {
                EventKind::CopyRequested { by, .. } if by.block == trace.rank => {
                    act(by.warp, Act::Request, [step, step + 1]);
                }
                _ if event.block != trace.rank => {}
                EventKind::ProductIssued { warpgroup, product, .. } => {
                    let end = products.get(product).copied().unwrap_or(step);
                    act(4 * warpgroup, Act::Multiply, [step, end]);
                }
                EventKind::Loaded { warp, since, from } => {
                    let stage = ring.stages_of(*from).next();
                    let is_ring = stage.is_some_and(|stage| {
                        self.staged[stage].is_none_or(|staged| *since < staged[0])
                    });
                    act(*warp, if is_ring { Act::Load } else { Act::Stage }, [*since, step + 1]);
                }
                EventKind::Stored { warp, since, .. } => act(*warp, Act::Stage, [*since, step + 1]),
                EventKind::StoreRequested { warp, .. } => act(*warp, Act::Stage, [step, step + 1]),
                EventKind::WaitBegun { warp, .. } => {
                    begun.insert(*warp, step);
                }
                EventKind::WaitOver { warp, wait } => {
                    let from = begun.remove(warp).unwrap_or(step);
                    let kind = match wait {
                        Wait::Copies(_) => Act::WaitFilled,
                        Wait::Phase { barrier, .. } => match ring.barrier(plan, *barrier) {
                            Some((_, true)) => Act::WaitFilled,
                            Some((_, false)) => Act::WaitFree,
                            None => Act::WaitOther,
                        },
                        _ => Act::WaitOther,
                    };
                    act(*warp, kind, [from, step]);
                }
                _ => {}
            }
        }
        self.roles = (names.into_iter())
            .filter_map(|(warp, name)| {
                let acts = merged(acts.remove(&warp)?);
                // The other warps of the producer only meet those that do something.
                let is_idle = acts.keys().all(|act| *act == Act::WaitOther);
                (!is_idle).then_some(Role { name, warp, acts })
            })
            .collect();
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

/// The warps that are drawn, with their names.
fn roles(plan: &Plan) -> Vec<(u32, String)> {
    match plan.pipeline().roles() {
        Some(roles) => {
            let producer = 4 * roles.consumers;
            let mut names = vec![(producer, "producer".to_owned())];
            let consumers = 0..roles.consumers;
            names.extend(consumers.map(|group| (4 * group, format!("consumer {group}"))));
            names.extend((producer + 1..producer + 4).map(|warp| (warp, format!("mover {warp}"))));
            names
        }
        None => {
            let warps = (plan.threads() / 32).min(super::MOST_WARPS);
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
