//! What the entry point passes to the epilogue.

use super::Entry;
use crate::batch_text;
use crate::body::Coordinate;
use crate::level::epilogue::Epilogue;
use crate::problem::ParameterKind;
use crate::text::steps::Steps;

impl Entry<'_> {
    /// Collects what the body reads besides the accumulator, and the outputs.
    pub(super) fn operands(&self, steps: &mut Steps) {
        steps.add(format!("const Values values = {{{}}};", self.values()));
        steps.add(format!("const Outputs outputs = {{{}}};", self.stored_to()));
        for lines in self.reductions.iter().flat_map(|reductions| &reductions.lines) {
            let outputs = lines.outputs.iter().filter_map(|output| self.reduced_to(&output.name));
            let outputs: Vec<String> = outputs.collect();
            steps.add(lines.cuda_members(&self.matrix(), &outputs));
        }
    }

    /// The pointer of an output that is reduced.
    fn reduced_to(&self, name: &str) -> Option<String> {
        let number =
            self.parameters.output_numbers().find(|of| self.parameters.name(*of) == name)?;
        Some(self.parameters.pointer(number, self.plan))
    }

    /// The number of the matrix of the output that the block computes.
    fn matrix(&self) -> String {
        match self.plan.batch().len() {
            0 => "0".to_owned(),
            1 => "block.batch".to_owned(),
            rank => (1..rank).fold("block.batch.i0".to_owned(), |outer, index| {
                format!("({outer}) * {} + block.batch.i{index}", batch_text::count(index))
            }),
        }
    }

    /// The call that stores the sums of a tile.
    pub(super) fn epilogue(&self, steps: &mut Steps) {
        let plan = self.plan;
        if let Some(wait) = plan.epilogue.cuda_wait() {
            steps.add(wait);
        }
        // The product of the tile before may have been stored by another way.
        if plan.scheduler.walk().is_some() && self.stores_boxes_in_turn() {
            steps.add("if (threadIdx.x % 128 == 0) await_reads<0>();");
        }
        let staged = match (plan.epilogue, plan.epilogue.fetched()) {
            (Epilogue::Block(_), _) => "shared.staged, warp",
            (Epilogue::Groups(_), None) => "shared.staged",
            (Epilogue::Groups(_), Some(_)) => "epilogue_ring, epilogue_state",
        };
        let n = self.parameters.columns(plan);
        let ends = match plan.problem.n_contiguous() {
            true => format!("m, {n}"),
            false => format!("{n}, m"),
        };
        let (boxes, first) = (self.boxes(), self.first());
        let reductions = self.reductions();
        steps.add(format!(
            "epilogue(acc, {staged}, values, outputs{reductions}{boxes}, {first}, {ends});"
        ));
    }

    /// Whether the copy unit stores the outputs of products in turn whose columns allow it.
    fn stores_boxes_in_turn(&self) -> bool {
        !self.plan.segments.is_empty() && self.plan.epilogue.cuda_stores_boxes()
    }

    /// The first row and column of the output that the group of `warp` stores, as the output has them.
    pub(super) fn first(&self) -> String {
        let several = self.plan.problem.products() > 1;
        let [m0, n0] = match (self.plan.epilogue, several) {
            (Epilogue::Block(_), false) => ["block.m", "block.n"],
            (Epilogue::Block(_), true) => ["block.m", "block.n / PRODUCTS"],
            (Epilogue::Groups(_), false) => ["block.m + warpgroup.m", "block.n + warpgroup.n"],
            (Epilogue::Groups(_), true) => {
                ["block.m + warpgroup.m", "(block.n + warpgroup.n) / PRODUCTS"]
            }
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
            let pointer = self.parameters.pointer(number, self.plan);
            match self.parameters.list[number].kind {
                ParameterKind::Matrix { .. } | ParameterKind::Tiled { .. } => {
                    format!("{pointer}, {}", self.parameters.leading(number))
                }
                ParameterKind::Vector { .. } => pointer,
                ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
                    self.parameters.scalar(number)
                }
            }
        });
        let reads_matrix = self.plan.problem.body.coordinates.contains(&Coordinate::Batch);
        let matrix = reads_matrix.then(|| self.matrix());
        matrix.into_iter().chain(values).collect::<Vec<_>>().join(", ")
    }

    /// The numbers of the outputs that are matrices.
    fn matrices(&self) -> impl Iterator<Item = usize> {
        let is_matrix = |number: &usize| {
            matches!(self.parameters.list[*number].kind, ParameterKind::Matrix { .. })
        };
        self.parameters.output_numbers().filter(is_matrix)
    }

    /// The outputs that are reduced, as an argument.
    fn reductions(&self) -> String {
        let Some(reductions) = &self.reductions else { return String::new() };
        let lines = reductions.lines.iter().map(|lines| match reductions.in_registers {
            true => lines.name().to_owned(),
            false => format!("{{{}}}", lines.name()),
        });
        format!(", {{{}}}", lines.collect::<Vec<_>>().join(", "))
    }

    /// The pointer and the leading dimension of each output that is a matrix.
    fn stored_to(&self) -> String {
        let outputs = self.matrices().map(|number| {
            let pointer = self.parameters.pointer(number, self.plan);
            format!("{pointer}, {}", self.parameters.leading(number))
        });
        outputs.collect::<Vec<_>>().join(", ")
    }

    /// The map of the output, and which of its matrices it is, where a warpgroup has the copy unit store.
    fn boxes(&self) -> String {
        let map = self.matrices().next().map(|number| match &self.parameters.in_turn(number)[..] {
            [] => format!("map_{}", self.parameters.name(number)),
            all => {
                let all = all.iter().map(|name| format!("&map_{name}")).collect::<Vec<_>>();
                format!("*of_segment(block.segment, {})", all.join(", "))
            }
        });
        match (self.plan.epilogue.cuda_stores_boxes(), map, self.plan.batch()) {
            (true, Some(map), []) => format!(", {map}"),
            (true, Some(map), _) => format!(", {map}, block.batch"),
            _ => String::new(),
        }
    }
}
