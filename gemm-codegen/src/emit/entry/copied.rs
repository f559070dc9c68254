//! The threads of the producer's warpgroup that move the epilogue tiles of warpgroups.

use super::Entry;
use crate::level::epilogue::BodyOperand;
use crate::spec::Walk;
use crate::text::steps::Steps;

impl Entry<'_> {
    /// Each of these threads moves the epilogue tiles of a warpgroup, over the tiles that this stores.
    pub(super) fn copied(&self, steps: &mut Steps) {
        let cols = if self.plan.problem.n_contiguous() { "n" } else { "m" };
        steps.add("const int copied = copied_group();");
        steps.block(&format!("if (copied >= 0 && are_copied({cols})) {{"), |steps| {
            steps.add(format!(
                "const EpilogueRing epilogue_ring(shared, copied);\n\
                 const Warpgroup warpgroup = warpgroup_of(copied);\n\
                 const Maps maps = {{{}}};\n\
                 EpilogueState state = {{0, 1}};  // nothing is there yet: each stage counts as stored",
                self.moved()
            ));
            self.copy_each(steps);
        });
    }

    /// What is moved, for each tile.
    fn copy_each(&self, steps: &mut Steps) {
        let matrix = if self.plan.batch().is_empty() { "" } else { "block.batch, " };
        let moves =
            format!("load_and_store(epilogue_ring, state, maps, {matrix}{});", self.first());
        let turns = match self.plan.scheduler.walk() {
            None => return steps.add(moves),
            Some(walk) => walk == Walk::Pingpong,
        };
        if turns {
            steps.add("if (copied == 1) tiles.advance();");
        }
        steps.block("while (tiles.next(block)) {", |steps| {
            steps.add(moves);
            if turns {
                steps.add("tiles.advance();");
            }
        });
    }

    /// The members of `maps`: what describes matrices to the copy unit, and whether they are read.
    fn moved(&self) -> String {
        let parameters = self.parameters;
        let maps = parameters.moved(self.plan).into_iter().map(|name| format!("map_{name}"));
        let matrices = parameters
            .read_numbers(self.plan)
            .filter(|number| BodyOperand::is_of_matrix(parameters.list[*number].kind));
        let guards =
            matrices.filter_map(|number| parameters.guard(number, |n| parameters.scalar(n)));
        maps.chain(guards).collect::<Vec<_>>().join(", ")
    }
}
