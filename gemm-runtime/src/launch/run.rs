//! The functions that launch a kernel.

use gemm_codegen::{Kernel, ParameterKind};

use crate::argument::Argument;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, KernelFault};
use crate::launch::bound::Bound;
use crate::launch::extents;
use crate::launch::outputs::{NewOutputs, OutputKind};
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

/// The same for a kernel with several outputs: a tuple of a [`Matrix`], or a [`BatchedMatrix`], for
/// each.
///
/// # Errors
/// As [`run`]. [`KernelFault::OutputCount`] for a tuple of another length.
pub fn run_several<'a, O: NewOutputs>(
    device: &Device,
    kernel: &Kernel,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<O, Error> {
    let operands = operands.into();
    let (batches, extents) = output_extents(device, kernel, &operands, &O::kinds())?;
    let mut outputs = O::uninitialized(device, &batches, &extents)
        .map_err(|error| error.of_function(&kernel.name))?;
    let arguments = operands.into_iter().chain(outputs.arguments()).collect::<Vec<_>>();
    into(device, kernel, arguments)?;
    Ok(outputs)
}

/// The values of each batch index, and the rows and columns of each output, not allocated yet, of these
/// elements and batched or not.
fn output_extents(
    device: &Device,
    kernel: &Kernel,
    operands: &[Argument<'_>],
    asked: &[OutputKind],
) -> Result<(Vec<usize>, Vec<[usize; 2]>), Error> {
    let fault = |fault| extents::broken(kernel, fault);
    if kernel.reads_output {
        return Err(fault(KernelFault::ReadsOutput));
    }
    let elements: Vec<_> = asked.iter().map(|kind| kind.element).collect();
    let Problem { shape, batches, .. } = Problem::of_operands(device, kernel, operands, &elements)?;
    let (_, outputs) = extents::split(kernel)?;
    let extents = outputs.iter().zip(asked).map(|(output, asked)| match output.kind {
        _ if output.batch.is_batched() != asked.batched => {
            Err(fault(KernelFault::OutputBatched { batched: output.batch.is_batched() }))
        }
        ParameterKind::Matrix { rows, columns, .. } => {
            Ok([shape.extent(rows), shape.extent(columns)])
        }
        _ => Err(fault(KernelFault::NoOutput)),
    });
    Ok((batches, extents.collect::<Result<_, _>>()?))
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
    let bound = Bound::new(device, kernel, arguments.into())?;
    Prepared::new(device, kernel, bound).map_err(|error| error.of_function(&kernel.name))
}

/// Compiles and loads the kernel for operands that are aligned to 16 bytes, and returns its resources.
///
/// # Errors
/// A missing library, a refusal of the compiler's or the driver's, a device that cannot run it.
pub fn report(device: &Device, kernel: &Kernel) -> Result<Report, Error> {
    device.report(kernel)
}
