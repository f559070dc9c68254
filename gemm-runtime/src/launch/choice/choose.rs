//! One of several kernels of the same function, by the shape of its operands.

use crate::argument::Argument;
use crate::device::Device;
use crate::launch::kernels::{Choice, Kernels};
use crate::launch::query::LaunchQuery;
use crate::tuning::Answer;
use gemm_codegen::Kernel;

/// The kernel of `kernels` that should be fastest on these arguments, the operands with or without
/// the outputs: as [`Footprint::seconds`](gemm_codegen::auto::Footprint::seconds) estimates or, on a
/// device [with a tuning](Device::with_tuning), as was measured.
///
/// A kernel that cannot be launched here is not chosen. Arguments that do not fit have no shape: for
/// them it is the first, whose launch says what is wrong.
///
/// A shape that `kernels` remembers takes about 0.2 µs of the host, any other some microseconds, in
/// which it estimates all of them; a prepared launch spends neither. The first shape of all takes
/// the milliseconds in which the schedules are planned.
pub fn choose<'k>(
    device: &Device,
    kernels: &'k Kernels<'_>,
    arguments: &[Argument<'_>],
) -> &'k Kernel {
    let Ok(query) = LaunchQuery::new(device, kernels, arguments) else { return kernels.first() };
    let number = kernels.memo.get(&query.key).unwrap_or_else(|| {
        let candidates = candidates(&query);
        let answer = device.tuning().map_or(Answer::Unknown, |one| one.answer(&query, &candidates));
        let number = match answer {
            Answer::Kernel(number) => number,
            Answer::Unknown | Answer::Later => candidates.first().map_or(0, |best| best.number),
        };
        if answer != Answer::Later {
            kernels.memo.put(query.key, number);
        }
        number
    });
    kernels.numbered(number)
}

/// A choice that can run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'k> {
    /// As [`Kernels::choices`] counts it.
    pub(crate) number: usize,
    pub(crate) choice: &'k Choice<'k>,
    /// Of a launch, estimated.
    pub(crate) seconds: f64,
}

/// The choices that can run, the best estimate first.
fn candidates<'a>(query: &LaunchQuery<'a>) -> Vec<Candidate<'a>> {
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
