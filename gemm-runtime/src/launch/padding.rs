//! Operands that tensor copies cannot read, copied to rows that they can read.

use std::mem;
use std::sync::{Arc, OnceLock};

use gemm_codegen::{Element, Kernel, padding};

use crate::argument::{Argument, Region, Value};
use crate::device::Device;
use crate::error::Error;
use crate::launch::bound::Bound;
use crate::launch::problem::Problem;
use crate::launch::tensor::Tensor;
use crate::memory::{Batch, BatchedLayout, MatrixLayout, SharedBytes, Steps, Storage};
use crate::report::PaddedCopy;

/// A launch that copies an operand.
pub(super) struct Copying<'a> {
    pub(super) kernel: &'static Kernel,
    pub(super) bound: Bound<'a>,
    pub(super) report: PaddedCopy,
}

/// Replaces each operand that the kernel's tensor copies cannot read with a copy of it. Returns the
/// launches that fill the copies, which precede that of the kernel in the stream.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
pub(super) fn pad<'a>(
    device: &Device,
    kernel: &Kernel,
    bound: &mut Bound<'a>,
) -> Result<Vec<Copying<'a>>, Error> {
    let mut copies = Vec::new();
    for (parameter, argument) in kernel.parameters.iter().zip(&mut bound.arguments) {
        let unreadable = Tensor::of(parameter, argument).filter(|tensor| !tensor.is_readable());
        let (Some(_), Some(region)) = (unreadable, argument.region()) else { continue };
        copies.push(Copying::new(device, &parameter.name, argument, &region)?);
    }
    // The last copy is the predecessor of the kernel, which may read it early.
    bound.overlaps &= copies.is_empty();
    Ok(copies)
}

impl<'a> Copying<'a> {
    /// Allocates the copy of `operand`, which replaces the argument that has this region.
    fn new(
        device: &Device,
        operand: &str,
        argument: &mut Argument<'a>,
        &Region { element, layout, batch, .. }: &Region,
    ) -> Result<Copying<'a>, Error> {
        let bytes = element.bytes() as usize;
        let to = padded(layout, element)?;
        let given = batch.unwrap_or(Batch::one(1, 0));
        // Where all matrices are the same one, it is copied once.
        let distinct = |steps: Steps| Steps { count: steps.distinct(), ..steps };
        let from = Batch { outer: distinct(given.outer), inner: distinct(given.inner) };
        let apart = to.rows * to.leading_dimension;
        let written = Batch::following(from.extents(), apart);
        let total = BatchedLayout::new(written, to)?.elements() * bytes;
        let buffer = SharedBytes::new(Arc::new(device.allocate(total)?));
        let owned = |batch| {
            let storage = Storage::Shared(buffer.clone());
            Argument(Value::Matrix { storage, element, layout: to, batch })
        };
        let same = |given: Steps, written: Steps| Steps {
            stride: if given.stride == 0 { 0 } else { written.stride },
            ..given
        };
        let read = owned(batch.map(|given| Batch {
            outer: same(given.outer, written.outer),
            inner: same(given.inner, written.inner),
        }));
        let [outer, inner] = from.extents();
        let from = as_batch(mem::replace(argument, read), from);
        let written = owned(Some(written));
        let kernel = copier(element);
        let problem = Problem::of_copy(device, kernel, [outer, inner, to.rows, to.columns])?;
        Ok(Copying {
            kernel,
            bound: Bound::of_copy([from, written], problem),
            report: PaddedCopy {
                operand: operand.to_owned(),
                pitch_bytes: to.leading_dimension * bytes,
                bytes: total,
            },
        })
    }
}

/// The layout with rows that begin at multiples of [`padding::PITCH`] bytes.
fn padded(layout: MatrixLayout, element: Element) -> Result<MatrixLayout, Error> {
    let MatrixLayout { rows, columns, .. } = layout;
    let unit = padding::PITCH as usize / element.bytes() as usize;
    MatrixLayout::new(rows, columns, columns.next_multiple_of(unit))
}

/// A matrix, or a batch of them, as this batch.
fn as_batch(argument: Argument<'_>, batch: Batch) -> Argument<'_> {
    match argument.0 {
        Value::Matrix { storage, element, layout, .. } => {
            Argument(Value::Matrix { storage, element, layout, batch: Some(batch) })
        }
        other => Argument(other),
    }
}

/// The kernel that copies elements of this size.
fn copier(element: Element) -> &'static Kernel {
    static KERNELS: [OnceLock<Kernel>; 4] = [const { OnceLock::new() }; 4];
    KERNELS[element.bytes().ilog2() as usize].get_or_init(|| padding::pad_rows(element, 2))
}

#[cfg(test)]
mod tests;
