//! Products of warpgroups.

use super::{Agent, Tracer};
use crate::trace::{EventKind, SharedRange, Wait};

/// The products of a warpgroup.
#[derive(Default)]
pub(super) struct Products {
    /// When the last one is complete.
    end: u64,
    /// The same of each group.
    groups: Vec<u64>,
}

impl Tracer {
    /// The warps of a warpgroup have met at an instruction.
    pub(crate) fn meet(&mut self, warps: &[Agent]) -> u64 {
        let step = warps.iter().map(|warp| self.step(*warp)).max().unwrap_or(0);
        warps.iter().for_each(|warp| self.set(*warp, step));
        step
    }

    /// They multiply.
    pub(crate) fn multiply(&mut self, warps: &[Agent], reads: Vec<SharedRange>, columns: usize) {
        let (step, product) = (self.meet(warps), self.number(1));
        let Some(Agent { id, .. }) = warps.first() else { return };
        let (block, warpgroup) = (id.block, id.warp / 4);
        let products = self.products.entry((block, warpgroup)).or_default();
        products.end = products.end.max(step) + columns as u64 / 8;
        let end = products.end;
        self.add(step, block, EventKind::ProductIssued { warpgroup, product, reads });
        self.add(end, block, EventKind::ProductCompleted { product });
    }

    pub(crate) fn commit_products(&mut self, agent: Agent) {
        let warp = self.warp(agent.id);
        warp.products += 1;
        let committed = warp.products;
        let products = self.products.entry((agent.id.block, agent.id.warp / 4)).or_default();
        if products.groups.len() < committed {
            products.groups.push(products.end);
        }
    }

    pub(crate) fn wait_for_products(&mut self, agent: Agent, groups: u32) {
        let wait = Wait::Products(groups);
        self.begin(agent, wait);
        let last = self.warp(agent.id).products.checked_sub(groups as usize + 1);
        let products = self.products.entry((agent.id.block, agent.id.warp / 4)).or_default();
        let end = last.and_then(|last| products.groups.get(last)).copied().unwrap_or(0);
        self.end(agent, wait, end);
    }
}
