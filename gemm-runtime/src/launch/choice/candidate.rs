//! [`Candidate`]: a kernel that can run a launch.

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
    let LaunchQuery { device, kernels, key, .. } = query;
    let ([m, n, k], machine) = (key.shape, device.machine());
    let can_run = |choice: &Choice<'_>| {
        let launch = choice.launch();
        let tiles = k.div_ceil(launch.block_tile[2].max(1) as usize);
        let least = launch.split_k.filter(|split_k| !split_k.tail);
        let splits = least.map_or(0, |split_k| split_k.splits as usize);
        let readable = key.tensors || !choice.footprint().tensors;
        device.supports(choice.id(), launch).is_ok() && tiles >= splits && readable
    };
    let estimate = |(number, choice): (usize, &'a Choice<'a>)| {
        let shape = if choice.is_swapped() { [n, m, k] } else { [m, n, k] };
        let seconds = choice.footprint().seconds(shape, key.batch, &machine);
        Candidate { number, choice, seconds }
    };
    let able = kernels.choices().enumerate().filter(|(_, choice)| can_run(choice));
    let mut candidates: Vec<Candidate<'a>> = able.map(estimate).collect();
    candidates.sort_by(|x, y| x.seconds.total_cmp(&y.seconds));
    candidates
}
