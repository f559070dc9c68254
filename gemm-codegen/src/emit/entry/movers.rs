//! The threads of the producer's warpgroup that move the slabs of warpgroups.

use super::Entry;
use crate::level::epilogue::BodyOperand;
use crate::spec::Walk;
use crate::text::steps::Steps;

impl Entry<'_> {
    /// Each of these threads moves the slabs of a warpgroup, over the tiles that this stores.
    pub(super) fn movers(&self, steps: &mut Steps) {
        let cols = if self.plan.problem.n_contiguous() { "n" } else { "m" };
        steps.add("const int group = group_moved();");
        steps.block(&format!("if (group >= 0 && are_moved({cols})) {{"), |steps| {
            steps.add(format!(
                "const Slabs slabs(shared, group);\n\
                 const Warp warp = warps_of(group);\n\
                 const Maps maps = {{{}}};\n\
                 SlabPlace place = {{0, 1}};  // nothing has been put there: each counts as stored",
                self.moved()
            ));
            self.move_each(steps);
        });
    }

    /// What is moved, for each tile.
    fn move_each(&self, steps: &mut Steps) {
        let matrix = if self.plan.batch().is_empty() { "" } else { "block.batch, " };
        let moves = format!("move(slabs, place, maps, {matrix}{});", self.first());
        let turns = match self.plan.scheduler.walk() {
            None => return steps.add(moves),
            Some(walk) => walk == Walk::Pingpong,
        };
        if turns {
            steps.add("if (group == 1) tiles.skip();");
        }
        steps.block("while (tiles.next(block)) {", |steps| {
            steps.add(moves);
            if turns {
                steps.add("tiles.skip();");
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
