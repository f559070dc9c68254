//! The functions that launch a kernel.

use gemm_codegen::Kernel;

use crate::argument::Argument;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, KernelFault};
use crate::launch::bound::Bound;
use crate::launch::extents::{self, Bounds};
use crate::launch::outputs::{NewOutput, NewOutputs, OutputExtents, OutputKind};
use crate::launch::prepared::Prepared;
use crate::launch::problem::Problem;
use crate::memory::{BatchedMatrix, Matrix};
use crate::report::Report;

/// Runs `kernel` on its operands and returns its output, which is allocated on `device`.
///
/// Does not wait for the kernel: the next read of an output does.
///
/// # Errors
/// Any [`Error`]: the operands' shapes, elements and devices, a missing library, a refusal of the
/// compiler's or the driver's, a fault that the emulator finds. [`KernelFault::ReadsOutput`] for a
/// kernel of the form in place, which [`into`] launches.
pub fn run<'a, T: Element>(
    device: &Device,
    kernel: &Kernel,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<Matrix<T>, Error> {
    let (output,) = run_several(device, kernel, operands)?;
    Ok(output)
}

/// The same for a kernel whose output is a batch.
///
/// # Errors
/// As [`run`], which launches all other kernels.
pub fn run_batched<'a, T: Element>(
    device: &Device,
    kernel: &Kernel,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<BatchedMatrix<T>, Error> {
    let (output,) = run_several(device, kernel, operands)?;
    Ok(output)
}

/// The same for a kernel whose output is what it reduces: a vector of each row, or of each column.
///
/// # Errors
/// As [`run`].
pub fn run_reduced<'a, O: NewOutput>(
    device: &Device,
    kernel: &Kernel,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<O, Error> {
    let (output,) = run_several(device, kernel, operands)?;
    Ok(output)
}

/// The same for a kernel with several outputs: a tuple of a [`Matrix`], a [`BatchedMatrix`] or a
/// [`DeviceVector`](crate::DeviceVector) for each.
///
/// # Errors
/// As [`run`]. [`KernelFault::OutputCount`] for a tuple of another length.
pub fn run_several<'a, O: NewOutputs>(
    device: &Device,
    kernel: &Kernel,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<O, Error> {
    let operands = operands.into();
    let problem = new_problem(device, kernel, &operands, &O::kinds())?;
    let mut outputs = O::uninitialized(device, &output_extents(kernel, &problem, &O::kinds())?)
        .map_err(|error| error.of_function(&kernel.name))?;
    let arguments = operands.into_iter().chain(outputs.arguments()).collect::<Vec<_>>();
    into(device, kernel, arguments)?;
    Ok(outputs)
}

/// The problem of a launch whose outputs, of these elements, are not allocated yet.
fn new_problem(
    device: &Device,
    kernel: &Kernel,
    operands: &[Argument<'_>],
    asked: &[OutputKind],
) -> Result<Problem, Error> {
    if kernel.reads_output {
        return Err(extents::broken(kernel, KernelFault::ReadsOutput));
    }
    let elements: Vec<_> = asked.iter().map(|kind| kind.element).collect();
    Problem::of_operands(device, kernel, operands, &elements)
}

/// How each output of a problem is allocated, of the form that was asked for.
fn output_extents<'p>(
    kernel: &Kernel,
    problem: &'p Problem,
    asked: &[OutputKind],
) -> Result<Vec<OutputExtents<'p>>, Error> {
    let fault = |fault| extents::broken(kernel, fault);
    let (_, outputs) = extents::split(kernel)?;
    let extents = outputs.iter().zip(asked).map(|(output, asked)| {
        let of = OutputExtents::of(output, &problem.extents, &problem.batches);
        match of.ok_or_else(|| fault(KernelFault::NoOutput))? {
            of if of.form == asked.form => Ok(of),
            of => Err(fault(KernelFault::OutputForm { form: of.form })),
        }
    });
    extents.collect()
}

/// Runs `kernel` on `arguments`, the operands and then the outputs; allocates no device memory except
/// the workspace of a kernel that splits K, and copies of operands that its tensor copies cannot read
/// (see [`Prepared`]).
///
/// An output must not share memory with an operand or another output. A kernel of the form in place
/// reads the old elements of its output, each in the thread that then writes it.
///
/// Does not wait for the kernel: the next read of an output does.
///
/// # Errors
/// As [`run`].
pub fn into<'a>(
    device: &Device,
    kernel: &Kernel,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<(), Error> {
    prepare(device, kernel, arguments)?.launch()
}

/// Checks `arguments`, the operands and then the outputs, compiles and loads the kernel, and allocates
/// its workspace and copies of operands that its tensor copies cannot read. Each launch copies these
/// operands, since they may have changed; [`Prepared::report`] names them.
///
/// # Errors
/// As [`run`], except for errors that only a launch can find.
pub fn prepare<'a>(
    device: &Device,
    kernel: &Kernel,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<Prepared<'a>, Error> {
    prepare_within(device, kernel, arguments.into(), None)
}

/// The same for arguments whose bounds may be known.
pub(super) fn prepare_within<'a>(
    device: &Device,
    kernel: &Kernel,
    arguments: Vec<Argument<'a>>,
    bounds: Option<Bounds>,
) -> Result<Prepared<'a>, Error> {
    let bound = Bound::new(device, kernel, arguments, bounds)?;
    Prepared::new(device, kernel, bound).map_err(|error| error.of_function(&kernel.name))
}

/// Compiles and loads the kernel for operands that are aligned to 16 bytes, and returns its resources.
///
/// # Errors
/// A missing library, a refusal of the compiler's or the driver's, a device that cannot run it.
pub fn report(device: &Device, kernel: &Kernel) -> Result<Report, Error> {
    device.report(kernel)
}
