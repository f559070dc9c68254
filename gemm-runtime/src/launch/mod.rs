//! Arguments → a launch. `#[gemm]` writes calls of these functions; with a
//! [`KernelSource`] that was made at run time they can be called directly.
//!
//! Everything that can be wrong with the arguments is found before anything is allocated, compiled,
//! launched or written.

mod check;
mod extents;
mod overlap;
mod prepared;
mod workspace;

pub use prepared::Prepared;

pub(crate) use check::{Bound, Word};
pub(crate) use workspace::{Part, Workspace};

use crate::argument::{Argument, AsBatchedMut as _, AsMatrixMut as _};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, KernelFault};
use crate::kernel::{KernelSource, Parameter};
use crate::memory::{BatchedMatrix, Matrix};
use crate::report::Report;
use gemm_codegen::ParameterKind;

/// Runs `kernel` on its operands and returns its output, which is allocated on `device`.
///
/// Does not wait for it: what next reads the matrix does.
///
/// # Errors
/// Any [`Error`]: the operands' shapes, elements and devices, a missing library, a refusal of the
/// compiler's or the driver's, a fault that the emulator finds. [`KernelFault::ReadsOutput`] for a
/// kernel of the form in place, which [`into`] launches.
pub fn run<'a, T: Element>(
    device: &Device,
    kernel: &KernelSource,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<Matrix<T>, Error> {
    let operands = operands.into();
    let [_, rows, columns] = output_extents::<T>(device, kernel, &operands, false)?;
    let mut output = device.uninitialized(rows, columns)?;
    let out = output.view_mut().argument();
    into(device, kernel, operands.into_iter().chain([out]).collect::<Vec<_>>())?;
    Ok(output)
}

/// The same for a kernel whose output is a batch.
///
/// # Errors
/// As [`run`], which launches all other kernels.
pub fn run_batched<'a, T: Element>(
    device: &Device,
    kernel: &KernelSource,
    operands: impl Into<Vec<Argument<'a>>>,
) -> Result<BatchedMatrix<T>, Error> {
    let operands = operands.into();
    let [batch, rows, columns] = output_extents::<T>(device, kernel, &operands, true)?;
    let mut output = device.batched_uninitialized(batch, rows, columns)?;
    let out = output.view_mut().argument();
    into(device, kernel, operands.into_iter().chain([out]).collect::<Vec<_>>())?;
    Ok(output)
}

/// Matrices, rows and columns of an output of elements `T` that has yet to be allocated.
fn output_extents<T: Element>(
    device: &Device,
    kernel: &KernelSource,
    operands: &[Argument<'_>],
    batched: bool,
) -> Result<[usize; 3], Error> {
    let fault = |fault| check::broken(kernel, fault);
    if kernel.reads_output {
        return Err(fault(KernelFault::ReadsOutput));
    }
    let (shape, batch) = check::operands::<T>(device, kernel, operands)?;
    match kernel.parameters.last() {
        Some(output) if output.batched != batched => {
            Err(fault(KernelFault::OutputBatched { batched: output.batched }))
        }
        Some(Parameter { kind: ParameterKind::Matrix { rows, columns, .. }, .. }) => {
            Ok([batch, shape.extent(*rows), shape.extent(*columns)])
        }
        _ => Err(fault(KernelFault::NoOutput)),
    }
}

/// Runs `kernel` on `arguments`, the operands and then the output; allocates no device memory, but
/// for the workspace of a kernel that splits K.
///
/// The output shares memory with no operand. A kernel of the form in place reads its old elements,
/// each in the thread that then writes it, so each launch builds on the one before.
///
/// Does not wait for it: what next reads the matrix does.
///
/// # Errors
/// As [`run`].
pub fn into<'a>(
    device: &Device,
    kernel: &KernelSource,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<(), Error> {
    prepare(device, kernel, arguments)?.launch()
}

/// Checks, compiles, loads and allocates all that a launch on `arguments`, the operands and then the
/// output, needs.
///
/// # Errors
/// As [`run`], but for what only a launch can find.
pub fn prepare<'a>(
    device: &Device,
    kernel: &KernelSource,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<Prepared<'a>, Error> {
    let bound = Bound::new(device, kernel, arguments.into())?;
    if bound.is_empty() {
        return Ok(Prepared::nothing());
    }
    device.prepare(kernel, bound.with_workspace(device, kernel)?)
}

/// Compiles and loads the kernel as it is launched on operands that are aligned to 16 bytes, and
/// says what it costs.
///
/// # Errors
/// A missing library, a refusal of the compiler's or the driver's, a device that cannot run it.
pub fn report(device: &Device, kernel: &KernelSource) -> Result<Report, Error> {
    device.report(kernel)
}
