//! Arguments → a launch. `#[gemm]` writes calls of these functions; with a
//! [`KernelSource`] that was made at run time they can be called directly.
//!
//! Everything that can be wrong with the arguments is found before anything is allocated, compiled,
//! launched or written.

mod check;
mod extents;
mod overlap;
mod prepared;

pub use prepared::Prepared;

pub(crate) use check::{Bound, Word};

use crate::argument::{Argument, AsMatrixMut, MatrixLayout};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, KernelFault};
use crate::kernel::KernelSource;
use crate::memory::Matrix;
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
    if kernel.reads_output {
        return Err(check::broken(kernel, KernelFault::ReadsOutput));
    }
    let shape = check::operands::<T>(device, kernel, &operands)?;
    let (rows, columns) = match kernel.parameters.last().map(|parameter| parameter.kind) {
        Some(ParameterKind::Matrix { rows, columns, .. }) => (rows, columns),
        _ => return Err(check::broken(kernel, KernelFault::NoOutput)),
    };
    let (rows, columns) = (shape.extent(rows), shape.extent(columns));
    let layout = MatrixLayout::new(rows, columns, columns)?;
    let buffer = device.allocate(layout.elements() * size_of::<T>())?;
    let mut output = Matrix::from_parts(buffer, layout);
    let out = output.view_mut().argument();
    into(device, kernel, operands.into_iter().chain([out]).collect::<Vec<_>>())?;
    Ok(output)
}

/// Runs `kernel` on `arguments`, the operands and then the output; allocates no device memory.
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

/// Checks, compiles and loads all that a launch on `arguments`, the operands and then the output,
/// needs.
///
/// # Errors
/// As [`run`], but for what only a launch can find.
pub fn prepare<'a>(
    device: &Device,
    kernel: &KernelSource,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<Prepared<'a>, Error> {
    let bound = Bound::new(device, kernel, arguments.into())?;
    if bound.shape.is_empty() {
        return Ok(Prepared::nothing());
    }
    device.prepare(kernel, bound)
}

/// Compiles and loads the kernel as it is launched on operands that are aligned to 16 bytes, and
/// says what it costs.
///
/// # Errors
/// A missing library, a refusal of the compiler's or the driver's, a device that cannot run it.
pub fn report(device: &Device, kernel: &KernelSource) -> Result<Report, Error> {
    device.report(kernel)
}
