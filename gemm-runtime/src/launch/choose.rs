//! One of several kernels of the same product, by the shape of its operands.

use crate::argument::Argument;
use crate::device::Device;
use crate::error::{Error, Origin};
use crate::kernel::KernelSource;
use crate::launch::extents::Extents;
use crate::launch::kernels::Kernels;
use crate::launch::memo::Question;

/// The kernel of `kernels` that should be fastest on these arguments, the operands with or without
/// the outputs, as [`Footprint::seconds`](gemm_codegen::auto::Footprint::seconds) estimates.
///
/// What cannot be launched here is not chosen. Arguments that do not fit have no shape: for them it is
/// the first, whose launch says what is wrong.
///
/// A shape that `kernels` remembers takes some 0.1 µs of the host, any other some microseconds, in
/// which it estimates all of them; a prepared launch spends neither.
pub fn choose<'k>(
    device: &Device,
    kernels: &Kernels<'k>,
    arguments: &[Argument<'_>],
) -> &'k KernelSource {
    let Ok((shape, batch)) = extents(kernels.first(), arguments) else { return kernels.first() };
    let question = Question { place: device.place(), shape, batch };
    let number = kernels.memo.get(&question).unwrap_or_else(|| {
        let number = estimate(device, kernels, &question);
        kernels.memo.put(question, number);
        number
    });
    kernels.numbered(number)
}

/// The number of the kernel that is estimated to be fastest.
fn estimate(device: &Device, kernels: &Kernels<'_>, question: &Question) -> usize {
    let &Question { shape: [m, n, k], batch, .. } = question;
    let (machine, first) = (device.machine(), kernels.first());
    let seconds = |kernel: &KernelSource| {
        let shape = if is_swapped(kernel, first) { [n, m, k] } else { [m, n, k] };
        kernel.footprint.seconds(shape, batch, &machine)
    };
    let can_run = |kernel: &KernelSource| {
        let tiles = k.div_ceil(kernel.block_tile[2].max(1) as usize);
        let splits = kernel.split_k.map_or(0, |split_k| split_k.splits as usize);
        device.supports(kernel).is_ok() && tiles >= splits
    };
    let mut best = (f64::INFINITY, 0);
    for (number, kernel) in kernels.iter().enumerate() {
        let seconds = seconds(kernel);
        if seconds < best.0 && can_run(kernel) {
            best = (seconds, number);
        }
    }
    best.1
}

/// M, N, K and the number of matrices.
fn extents(
    kernel: &KernelSource,
    arguments: &[Argument<'_>],
) -> Result<([usize; 3], usize), Error> {
    let mut extents = Extents::default();
    for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
        extents.bind(parameter, argument, Origin::Output)?;
    }
    let shape = extents.shape(kernel)?;
    Ok(([shape.m, shape.n, shape.k], extents.batch(kernel)?))
}

/// Whether M of one kernel is N of the other.
fn is_swapped(kernel: &KernelSource, other: &KernelSource) -> bool {
    let output = |kernel: &KernelSource| kernel.parameters.last().map(|output| output.kind);
    output(kernel) != output(other)
}
