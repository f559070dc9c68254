//! Operands that tensor copies cannot read, copied to rows that they can read.

use std::iter;
use std::sync::{Arc, OnceLock};

use gemm_codegen::{Element, Kernel, padding};

use crate::argument::{Argument, Value};
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
        if unreadable.is_some() {
            copies.extend(Copying::all(device, &parameter.name, argument)?);
        }
    }
    // The last copy is the predecessor of the kernel, which may read it early.
    bound.overlaps &= copies.is_empty();
    Ok(copies)
}

impl<'a> Copying<'a> {
    /// Allocates the copy of an operand, which replaces the argument. A launch copies matrices along two
    /// indices: there are several where no stride steps through the others.
    fn all(
        device: &Device,
        operand: &str,
        argument: &mut Argument<'a>,
    ) -> Result<Vec<Copying<'a>>, Error> {
        let Value::Matrix { storage: from, element, layout, batch } = &argument.0 else {
            return Ok(Vec::new());
        };
        let (from, element, layout) = (from.clone(), *element, *layout);
        let bytes = element.bytes() as usize;
        let to = padded(layout, element)?;
        let apart = to.rows * to.leading_dimension;
        let [outer, inner] = at_a_time(batch.as_ref());
        let written = Batch::dense(&inner.counts(), apart);
        let part = BatchedLayout::new(written.clone(), to)?.elements() * bytes;
        let all = Batch::dense(&[outer.total(), inner.total()], apart);
        let total = BatchedLayout::new(all, to)?.elements() * bytes;
        let copied = Storage::Shared(SharedBytes::new(Arc::new(device.allocate(total)?)));
        let kernel = copier(element);
        let copy = |number: usize| {
            let x = matrix(&from, outer.offset(number), element, layout, Some(inner.clone()));
            let start = number * inner.total() * apart;
            let out = matrix(&copied, start, element, to, Some(written.clone()));
            let problem = Problem::of_copy(device, kernel, inner.counts(), [to.rows, to.columns])?;
            let report = PaddedCopy {
                operand: operand.to_owned(),
                pitch_bytes: to.leading_dimension * bytes,
                bytes: part,
            };
            Ok(Copying { kernel, bound: Bound::of_copy([x, out], problem), report })
        };
        let copies = (0..outer.total()).map(copy).collect();
        let read = batch.as_ref().map(|given| {
            let indices = given.steps().iter().map(|along| (along.count, along.stride > 0));
            Batch::following(indices, apart)
        });
        *argument = matrix(&copied, 0, element, to, read);
        copies
    }
}

/// A matrix, or a batch, that begins at this element.
fn matrix<'a>(
    storage: &Storage<'a>,
    start: usize,
    element: Element,
    layout: MatrixLayout,
    batch: Option<Batch>,
) -> Argument<'a> {
    let storage = storage.clone().slice(start * element.bytes() as usize..storage.bytes());
    Argument(Value::Matrix { storage, element, layout, batch })
}

/// The matrices to copy, in two parts: a launch copies the second, along two indices, for each value of
/// the first.
fn at_a_time(batch: Option<&Batch>) -> [Batch; 2] {
    // Where all matrices are the same one, it is copied once.
    let distinct = batch.map(|batch| batch.distinct().merged());
    let distinct = distinct.iter().flat_map(Batch::steps).copied();
    let steps: Vec<Steps> = iter::repeat_n(Steps::ONE, 2).chain(distinct).collect();
    let (outer, inner) = steps.split_at(steps.len() - 2);
    [outer, inner].map(|of| of.iter().copied().collect())
}

/// The layout with rows that begin at multiples of [`padding::PITCH`] bytes.
fn padded(layout: MatrixLayout, element: Element) -> Result<MatrixLayout, Error> {
    let MatrixLayout { rows, columns, .. } = layout;
    let unit = padding::PITCH as usize / element.bytes() as usize;
    MatrixLayout::new(rows, columns, columns.next_multiple_of(unit))
}

/// The kernel that copies elements of this size.
fn copier(element: Element) -> &'static Kernel {
    static KERNELS: [OnceLock<Kernel>; 4] = [const { OnceLock::new() }; 4];
    KERNELS[element.bytes().ilog2() as usize].get_or_init(|| padding::pad_rows(element))
}

#[cfg(test)]
mod tests;
