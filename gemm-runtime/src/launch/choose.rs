//! One of several kernels of the same product, by the shape of its operands.

use crate::argument::Argument;
use crate::device::Device;
use crate::error::{Error, Origin};
use crate::kernel::KernelSource;
use crate::launch::extents::Extents;

/// The kernel of `kernels` that should be fastest on these arguments, the operands with or without
/// the output, as [`Footprint::seconds`](gemm_codegen::auto::Footprint::seconds) estimates.
///
/// All of them compute the same of the same operands, as `#[gemm(auto)]` makes them: the first on
/// every target, the others on those that have the shared memory, some with M and N in each other's
/// place. What cannot be launched here is not chosen. Arguments that do not fit have no shape: for
/// them it is the first, whose launch says what is wrong.
///
/// Looks at every kernel, which takes some microseconds; a prepared launch spends them once.
///
/// # Panics
/// Where there is no kernel.
pub fn choose<'k>(
    device: &Device,
    kernels: &'k [KernelSource],
    arguments: &[Argument<'_>],
) -> &'k KernelSource {
    let first = &kernels[0];
    let Ok((shape, batch)) = extents(first, arguments) else { return first };
    let machine = device.machine();
    let seconds = |kernel: &KernelSource| {
        let shape = if is_swapped(kernel, first) { [shape[1], shape[0], shape[2]] } else { shape };
        kernel.footprint.seconds(shape, batch, &machine)
    };
    let can_run = |kernel: &KernelSource| {
        let tiles = shape[2].div_ceil(kernel.block_tile[2].max(1) as usize);
        let splits = kernel.split_k.map_or(0, |split_k| split_k.splits as usize);
        device.supports(kernel).is_ok() && tiles >= splits
    };
    let mut best = (f64::INFINITY, first);
    for kernel in kernels {
        let seconds = seconds(kernel);
        if seconds < best.0 && can_run(kernel) {
            best = (seconds, kernel);
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
