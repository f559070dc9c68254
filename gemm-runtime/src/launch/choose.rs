//! One of several kernels of the same product, by the shape of its operands.

use gemm_codegen::Kernel;

use crate::argument::Argument;
use crate::device::Device;
use crate::launch::asked::Asked;
use crate::launch::kernels::Kernels;
use crate::tuning::Answer;

/// The kernel of `kernels` that should be fastest on these arguments, the operands with or without
/// the outputs: as [`Footprint::seconds`](gemm_codegen::auto::Footprint::seconds) estimates or, on a
/// device [with a tuning](Device::with_tuning), as was measured.
///
/// What cannot be launched here is not chosen. Arguments that do not fit have no shape: for them it is
/// the first, whose launch says what is wrong.
///
/// A shape that `kernels` remembers takes some 0.2 µs of the host, any other some microseconds, in
/// which it estimates all of them; a prepared launch spends neither.
pub fn choose<'k>(
    device: &Device,
    kernels: &Kernels<'k>,
    arguments: &[Argument<'_>],
) -> &'k Kernel {
    let Ok(asked) = Asked::new(device, kernels, arguments) else { return kernels.first() };
    let number = kernels.memo.get(&asked.question).unwrap_or_else(|| {
        let candidates = candidates(&asked);
        let answer = device.tuning().map_or(Answer::Unknown, |one| one.answer(&asked, &candidates));
        let number = match answer {
            Answer::Kernel(number) => number,
            Answer::Unknown | Answer::Later => candidates.first().map_or(0, |best| best.number),
        };
        if answer != Answer::Later {
            kernels.memo.put(asked.question, number);
        }
        number
    });
    kernels.numbered(number)
}

/// A kernel that can run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'k> {
    /// As [`Kernels::iter`] counts it.
    pub(crate) number: usize,
    pub(crate) kernel: &'k Kernel,
    /// Of a launch, estimated.
    pub(crate) seconds: f64,
}

/// The kernels that can run, the best estimate first.
fn candidates<'a>(asked: &Asked<'a>) -> Vec<Candidate<'a>> {
    let Asked { device, kernels, question, .. } = asked;
    let ([m, n, k], machine) = (question.shape, device.machine());
    let can_run = |kernel: &Kernel| {
        let tiles = k.div_ceil(kernel.launch.block_tile[2].max(1) as usize);
        let least = kernel.launch.split_k.filter(|split_k| !split_k.tail);
        let splits = least.map_or(0, |split_k| split_k.splits as usize);
        let reads_tensors = kernel.parameters.iter().any(|parameter| parameter.tensor.is_some());
        let readable = question.tensors || !reads_tensors;
        device.supports(kernel).is_ok() && tiles >= splits && readable
    };
    let estimate = |(number, kernel): (usize, &'a Kernel)| {
        let shape = if is_swapped(kernel, kernels.first()) { [n, m, k] } else { [m, n, k] };
        let seconds = kernel.footprint.seconds(shape, question.batch, &machine);
        Candidate { number, kernel, seconds }
    };
    let able = kernels.iter().enumerate().filter(|(_, kernel)| can_run(kernel));
    let mut candidates: Vec<Candidate<'a>> = able.map(estimate).collect();
    candidates.sort_by(|x, y| x.seconds.total_cmp(&y.seconds));
    candidates
}

/// Whether M of one kernel is N of the other.
fn is_swapped(kernel: &Kernel, other: &Kernel) -> bool {
    let output = |kernel: &Kernel| kernel.parameters.last().map(|output| output.kind);
    output(kernel) != output(other)
}
