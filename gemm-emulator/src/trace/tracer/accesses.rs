//! The accesses of each instruction, once a warp.

use std::collections::HashSet;
use std::sync::Arc;

use super::Tracer;
use crate::program::Program;
use crate::trace::{Access, AccessKind, AccessPart, WarpId};

/// The accesses so far.
#[derive(Default)]
pub(super) struct Accesses {
    /// The instructions that warps have executed.
    met: HashSet<(u32, WarpId)>,
    all: Vec<(u32, Access)>,
}

impl Accesses {
    /// Those with their source lines.
    pub(super) fn finish(self, program: &Program) -> Vec<Access> {
        let located = self.all.into_iter().map(|(pc, access)| {
            let frame = program.origins.get(pc as usize).and_then(|origin| origin.frame);
            Access { source: program.source.lines(frame).into(), ..access }
        });
        located.collect()
    }
}

impl Tracer {
    /// A warp executes the instruction `pc`. `parts` is called the first time only, if accesses are recorded.
    pub(crate) fn accesses(
        &mut self,
        by: WarpId,
        pc: u32,
        kind: AccessKind,
        parts: impl FnOnce() -> Vec<AccessPart>,
    ) {
        if !self.options.accesses || !self.accesses.met.insert((pc, by)) {
            return;
        }
        let WarpId { block, warp } = by;
        let access = Access { block, warp, kind, source: Arc::default(), parts: parts() };
        self.accesses.all.push((pc, access));
    }
}
