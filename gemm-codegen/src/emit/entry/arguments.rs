//! What the entry point passes to the epilogue.

use super::Entry;
use crate::level::epilogue::Epilogue;
use crate::problem::ParameterKind;
use crate::text::steps::Steps;

impl Entry<'_> {
    /// Collects what the body reads besides the accumulator, and several outputs.
    pub(super) fn operands(&self, steps: &mut Steps) {
        steps.add(format!("const Values values = {{{}}};", self.values()));
        if self.parameters.outputs().len() > 1 {
            steps.add(format!("const Outputs outputs = {{{}}};", self.stored_to()));
        }
    }

    /// The call that stores the sums of a tile.
    pub(super) fn epilogue(&self) -> String {
        let plan = self.plan;
        let staged = match (plan.epilogue, plan.epilogue.fetched()) {
            (Epilogue::Block(_), _) => "shared.staged, warp",
            (Epilogue::Groups(_), None) => "shared.staged",
            (Epilogue::Groups(_), Some(_)) => "slabs, slab",
        };
        let outputs = match self.parameters.outputs().len() {
            1 => self.stored_to(),
            _ => "outputs".to_owned(),
        };
        let ends = if plan.problem.n_contiguous() { "m, n" } else { "n, m" };
        format!("epilogue(acc, {staged}, values, {outputs}, {}, {ends});", self.first())
    }

    /// The first row and column of the output that the group of `warp` stores, as the output has them.
    pub(super) fn first(&self) -> String {
        let several = self.plan.problem.products() > 1;
        let [m0, n0] = match (self.plan.epilogue, several) {
            (Epilogue::Block(_), false) => ["block.m", "block.n"],
            (Epilogue::Block(_), true) => ["block.m", "block.n / PRODUCTS"],
            (Epilogue::Groups(_), false) => ["block.m + warp.m", "block.n + warp.n"],
            (Epilogue::Groups(_), true) => ["block.m + warp.m", "(block.n + warp.n) / PRODUCTS"],
        };
        // The columns that the block has reduced.
        let splits = self.plan.scheduler.cluster_split_k();
        let own = splits.map_or("", |_| " + cluster_rank() * STORED_N");
        match self.plan.problem.n_contiguous() {
            true => format!("{m0}, {n0}{own}"),
            false => format!("{n0}{own}, {m0}"),
        }
    }

    /// The members of `values`.
    fn values(&self) -> String {
        let values = self.parameters.read_numbers(self.plan).map(|number| {
            let name = self.parameters.name(number);
            let pointer = self.parameters.pointer(number, self.plan);
            match self.parameters.list[number].kind {
                ParameterKind::Matrix { .. } => format!("{pointer}, ld_{name}"),
                ParameterKind::Vector { .. } => pointer,
                ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
                    self.parameters.scalar(number)
                }
            }
        });
        values.collect::<Vec<_>>().join(", ")
    }

    /// The pointer, the leading dimension and the map of each output.
    fn stored_to(&self) -> String {
        // What is moved for a warpgroup, movers store.
        let boxes =
            self.plan.epilogue.stored_box().filter(|_| self.plan.epilogue.fetched().is_none());
        let map = |name: &str| match (boxes, self.plan.batch()) {
            (Some(_), []) => format!(", map_{name}"),
            (Some(_), _) => format!(", map_{name}, block.batch"),
            (None, _) => String::new(),
        };
        let outputs = self.parameters.output_numbers().map(|number| {
            let name = self.parameters.name(number);
            let pointer = self.parameters.pointer(number, self.plan);
            format!("{pointer}, ld_{name}{map}", map = map(name))
        });
        outputs.collect::<Vec<_>>().join(", ")
    }
}
