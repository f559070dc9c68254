//! What a trace says about the stages.

use std::collections::HashMap;

use gemm_codegen::Plan;
use gemm_emulator::Trace;
use gemm_emulator::trace::{Event, EventKind, SharedRange};

use super::{Completed, Fill, Ring, Span, Timeline, product_ends};

/// An access to the ring that lasts.
struct Access {
    span: Span,
    range: SharedRange,
    /// Bytes that are copied there.
    copied: Option<u32>,
    stores: bool,
}

impl Timeline {
    pub(super) fn follow_stages(&mut self, plan: &Plan, trace: &Trace, ring: &Ring) {
        for event in trace.events.iter().filter(|event| event.block == trace.rank) {
            let EventKind::PhaseCompleted { barrier, phase } = event.kind else { continue };
            if let Some((stage, is_full)) = ring.barrier(plan, barrier) {
                self.phases.push(Completed { stage, is_full, phase, step: event.step });
            }
        }
        for access in accesses(trace) {
            for stage in ring.stages_of(access.range) {
                self.access(stage, &access);
            }
        }
    }

    fn access(&mut self, stage: usize, access: &Access) {
        let Access { span, copied, stores, .. } = *access;
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
}

/// The accesses by their first steps: one that lasts is found at its end.
fn accesses(trace: &Trace) -> Vec<Access> {
    let completed: HashMap<u64, u64> = (trace.events.iter())
        .filter_map(|event| match event.kind {
            EventKind::CopyCompleted { copy } => Some((copy, event.step)),
            _ => None,
        })
        .collect();
    let products = product_ends(trace);
    let mut accesses = Vec::new();
    let mut add = |span, range, copied, stores| {
        accesses.push(Access { span, range, copied, stores });
    };
    for Event { step, kind, .. } in trace.events.iter().filter(|event| event.block == trace.rank) {
        match kind {
            EventKind::CopyRequested { to, copy, bytes, .. } => {
                let end = completed.get(copy).copied().unwrap_or(*step);
                add([*step, end], *to, Some(*bytes), false);
            }
            EventKind::ProductIssued { product, reads, .. } => {
                let end = products.get(product).copied().unwrap_or(*step);
                reads.iter().for_each(|read| add([*step, end], *read, None, false));
            }
            EventKind::Loaded { since, from, .. } => add([*since, step + 1], *from, None, false),
            EventKind::Stored { since, to, .. } => add([*since, step + 1], *to, None, true),
            _ => {}
        }
    }
    accesses.sort_by_key(|access| access.span[0]);
    accesses
}
