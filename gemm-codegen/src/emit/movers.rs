//! The part of the entry point for threads that move the slabs of warpgroups.

use crate::level::epilogue::BodyOperand;
use crate::level::pipeline::Movers;
use crate::parameters::Parameters;
use crate::plan::Plan;
use crate::spec::Walk;

/// The lines for the threads that move the slabs of a warpgroup each, over the tiles that this stores from
/// the row and column `first` on.
pub(super) fn movers(plan: &Plan, parameters: &Parameters, first: &str) -> Movers {
    let maps = parameters.moved(plan).into_iter().map(|name| format!("map_{name}"));
    let guards = parameters
        .read_numbers(plan)
        .filter(|number| BodyOperand::is_of_matrix(parameters.list[*number].kind));
    let guards = guards.filter_map(|number| parameters.guard(number, |n| parameters.scalar(n)));
    let members = maps.chain(guards).collect::<Vec<_>>().join(", ");
    let matrix = if plan.batch().is_empty() { "" } else { "block.batch, " };
    let moves = format!("move(slabs, place, maps, {matrix}{first});");
    let moves = match plan.scheduler.walk() {
        None => format!("            {moves}\n"),
        Some(Walk::Cooperative) => format!(
            "            while (tiles.next(block)) {{\n                {moves}\n            }}\n"
        ),
        Some(Walk::Pingpong) => format!(
            "            if (group == 1) tiles.skip();\n            \
             while (tiles.next(block)) {{\n                \
             {moves}\n                \
             tiles.skip();\n            \
             }}\n"
        ),
    };
    let cols = if plan.problem.n_contiguous() { "n" } else { "m" };
    Movers {
        initialised: "    initialise_slabs(shared);\n".to_owned(),
        moved: format!(
            "        const int group = group_moved();\n        \
             if (group >= 0 && are_moved({cols})) {{\n            \
             const Slabs slabs(shared, group);\n            \
             const Warp warp = warps_of(group);\n            \
             const Maps maps = {{{members}}};\n            \
             SlabPlace place = {{0, 1}};  // nothing has been put there: each counts as stored\n\
             {moves}        \
             }}\n"
        ),
    }
}
