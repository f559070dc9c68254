//! The places of the ring in shared memory.

use std::collections::HashMap;

use gemm_codegen::Plan;
use gemm_emulator::Trace;
use gemm_emulator::trace::{EventKind, SharedRange};

/// The places of the ring.
pub(super) struct Ring {
    base: u32,
    stage_bytes: u32,
    pub(super) stages: usize,
    /// The stage of each barrier at which copies complete.
    full: HashMap<u32, usize>,
}

impl Ring {
    pub(super) fn new(plan: &Plan, trace: &Trace) -> Option<Ring> {
        let stages = plan.ring().stages * plan.ring().rings;
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
    pub(super) fn stages_of(&self, range: SharedRange) -> impl Iterator<Item = usize> + use<> {
        let (from, to) = (range.address.max(self.base), range.end().min(self.end()));
        let bytes = self.stage_bytes.max(1);
        let of = |at: u32| (at - self.base) / bytes;
        let stages = if from < to { of(from)..of(to - 1) + 1 } else { 0..0 };
        stages.map(|stage| stage as usize)
    }

    /// The stage of a barrier, and whether it is the one of its filling. `empty` follows `full`.
    pub(super) fn barrier(&self, plan: &Plan, barrier: u32) -> Option<(usize, bool)> {
        if let Some(stage) = self.full.get(&barrier) {
            return Some((*stage, true));
        }
        let before = barrier.checked_sub(8 * plan.ring().stages)?;
        self.full.get(&before).map(|stage| (*stage, false))
    }
}
