//! [`Candidate`]: a kernel that can run a launch.

use gemm_codegen::Target;
use gemm_codegen::auto::Machine;

use crate::launch::choice::kernels::Choice;
use crate::launch::choice::query::LaunchQuery;

/// A choice that can run.
#[derive(Clone, Copy, Debug)]
pub(in crate::launch) struct Candidate<'k> {
    /// Its place in [`Kernels::choices`](crate::launch::Kernels::choices).
    pub(in crate::launch) number: usize,
    pub(in crate::launch) choice: &'k Choice<'k>,
    /// The estimate for a launch.
    pub(in crate::launch) seconds: f64,
}

/// The choices that can run, the best estimate first.
pub(in crate::launch) fn candidates<'a>(query: &LaunchQuery<'a>) -> Vec<Candidate<'a>> {
    let ([m, n, k], machine) = (query.key.shape, query.device.machine());
    let [a, b] = query.key.unreadable;
    let estimate = |(number, choice): (usize, &'a Choice<'a>)| {
        let (shape, unreadable) = match choice.is_swapped() {
            true => ([n, m, k], [b, a]),
            false => ([m, n, k], [a, b]),
        };
        let (footprint, batch) = (choice.footprint(), query.key.batch);
        let seconds = footprint.seconds_with_copies(shape, batch, unreadable, &machine);
        Candidate { number, choice, seconds }
    };
    let able = query.kernels.choices().enumerate();
    let able = able.filter(|(_, choice)| can_run(choice, query, &machine));
    let mut candidates: Vec<Candidate<'a>> = able.map(estimate).collect();
    candidates.sort_by(|x, y| x.seconds.total_cmp(&y.seconds));
    candidates
}

fn can_run(choice: &Choice<'_>, query: &LaunchQuery<'_>, machine: &Machine) -> bool {
    let LaunchQuery { device, kernels, key, .. } = query;
    let launch = choice.launch();
    let tiles = key.shape[2].div_ceil(launch.block_tile[2].max(1) as usize);
    let least = launch.split_k.filter(|split_k| !split_k.tail);
    let splits = least.map_or(0, |split_k| split_k.splits as usize);
    // Without the option `target` the emulator runs kernels of any architecture. It chooses as the
    // machine does that it stands for, where that runs the first kernel.
    let on_machine = |targets: &[Target]| {
        targets.iter().any(|target| target.runs_on(machine.target.capability()))
    };
    let chosen_there = on_machine(&launch.targets) || !on_machine(&kernels.first().launch.targets);
    device.supports(choice.id(), launch).is_ok() && chosen_there && tiles >= splits
}
