//! Operands that a kernel cannot read as they are, copied: to rows that tensor copies can read, or to planes.

use std::iter;
use std::sync::{Arc, OnceLock};

use gemm_codegen::{
    Axis, Element, Kernel, MAX_EXTENT, Parameter, ParameterKind, Planes, padding, splitting,
};

use crate::argument::{Argument, Region, Value};
use crate::device::Device;
use crate::error::{ArgumentKind, Error, Operand};
use crate::launch::bound::Bound;
use crate::launch::extents::too_large;
use crate::launch::prepared::Work;
use crate::launch::problem::{Problem, check_place};
use crate::launch::tensor::Tensor;
use crate::memory::{Batch, BatchedLayout, MatrixLayout, SharedBytes, SplitMatrix, Steps, Storage};
use crate::report::OperandCopy;
use crate::split_by::SplitBy;

/// A launch that copies an operand.
pub(super) struct Copying<'a> {
    pub(super) kernel: &'static Kernel,
    pub(super) bound: Bound<'a>,
    pub(super) report: OperandCopy,
}

/// What an operand is copied to.
struct CopyTarget {
    kernel: &'static Kernel,
    element: Element,
    layout: MatrixLayout,
    /// m and n of a launch of the kernel.
    extents: [usize; 2],
    /// Whether the kernel also writes an exponent for each of its rows.
    planes: Option<Planes>,
}

/// The copy of an operand: the launches that make it, in place of the operand what they make, and the
/// exponents of planes.
struct Copied<'a> {
    launches: Vec<Copying<'a>>,
    argument: Argument<'a>,
    exponents: Option<Argument<'a>>,
}

/// Replaces each operand that the kernel cannot read as it is with a copy. Returns the launches that fill
/// the copies, which precede that of the kernel in the stream.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
pub(super) fn copy<'a>(
    device: &Device,
    kernel: &Kernel,
    bound: &mut Bound<'a>,
) -> Result<Vec<Copying<'a>>, Error> {
    let mut copies = Vec::new();
    for (number, parameter) in kernel.parameters.iter().enumerate() {
        let Some(argument) = bound.arguments.get_mut(number) else { break };
        if let Value::Split(split) = &argument.0 {
            let of_rows = |bytes| matrix_of(bytes, Element::I32, row(split.of_planes.rows));
            let exponents = split.exponents.as_ref().map(of_rows);
            bound.exponents.extend(exponents.map(|exponents| (number, exponents)));
            *argument = matrix_of(&split.elements, split.planes.element(), split.of_planes);
            continue;
        }
        let Some(target) = CopyTarget::of(parameter, argument)? else { continue };
        let Some(copied) = target.copied(device, &parameter.name, argument)? else { continue };
        *argument = copied.argument;
        copies.extend(copied.launches);
        bound.exponents.extend(copied.exponents.map(|exponents| (number, exponents)));
    }
    Ok(copies)
}

impl CopyTarget {
    /// That of an argument, if the kernel cannot read it.
    fn of(parameter: &Parameter, argument: &Argument<'_>) -> Result<Option<CopyTarget>, Error> {
        let Some(region) = argument.region() else { return Ok(None) };
        if let (Some(planes), ParameterKind::Matrix { columns, .. }) =
            (parameter.planes, parameter.kind)
        {
            return CopyTarget::of_planes(planes, columns == Axis::K, region.layout).map(Some);
        }
        let unreadable = Tensor::of(parameter, argument).filter(|tensor| !tensor.is_readable());
        unreadable.map(|_| CopyTarget::padded(region.layout, region.element)).transpose()
    }

    /// Rows that begin at multiples of [`padding::PITCH`] bytes.
    fn padded(layout: MatrixLayout, element: Element) -> Result<CopyTarget, Error> {
        let MatrixLayout { rows, columns, .. } = layout;
        let unit = padding::PITCH as usize / element.bytes() as usize;
        Ok(CopyTarget {
            kernel: padder(element),
            element,
            layout: MatrixLayout::new(rows, columns, columns.next_multiple_of(unit))?,
            extents: [rows, columns],
            planes: None,
        })
    }

    /// The planes of a factor, whose rows run along K or across it.
    fn of_planes(
        planes: Planes,
        k_contiguous: bool,
        layout: MatrixLayout,
    ) -> Result<CopyTarget, Error> {
        let MatrixLayout { rows, columns, .. } = layout;
        let [rows, k] = if k_contiguous { [rows, columns] } else { [columns, rows] };
        let columns = planes.columns(k);
        Ok(CopyTarget {
            kernel: splitter(planes, k_contiguous),
            element: planes.element(),
            layout: MatrixLayout::new(rows, columns, columns)?,
            extents: [rows, k],
            planes: Some(planes),
        })
    }

    /// Allocates the copy of an operand. A launch copies matrices along two indices: there are several
    /// where no stride steps through the others.
    fn copied<'a>(
        &self,
        device: &Device,
        operand: &str,
        argument: &Argument<'a>,
    ) -> Result<Option<Copied<'a>>, Error> {
        let Value::Matrix { storage: from, element, layout, batch } = &argument.0 else {
            return Ok(None);
        };
        let CopyTarget { kernel, element: of_copy, layout: to, planes, .. } = *self;
        let (bytes, apart) = (of_copy.bytes() as usize, to.rows * to.leading_dimension);
        let [outer, inner] = at_a_time(batch.as_ref());
        let written = Batch::dense(&inner.counts(), apart);
        let part = BatchedLayout::new(written.clone(), to)?.elements() * bytes;
        let all = Batch::dense(&[outer.total(), inner.total()], apart);
        let copied = allocate(device, BatchedLayout::new(all, to)?.elements() * bytes)?;
        let rows = outer.total() * inner.total() * to.rows * Element::I32.bytes() as usize;
        let exponents = planes.filter(|planes| planes.is_scaled());
        let exponents = exponents.map(|_| allocate(device, rows)).transpose()?;
        let copy = |number: usize| {
            let x = matrix(from, outer.offset(number), *element, *layout, Some(inner.clone()));
            let first = number * inner.total();
            let out = matrix(&copied, first * apart, of_copy, to, Some(written.clone()));
            let of_rows = exponents.as_ref().map(|exponents| {
                let each = Batch::dense(&inner.counts(), to.rows);
                matrix(exponents, first * to.rows, Element::I32, row(to.rows), Some(each))
            });
            let problem = Problem::of_copy(device, kernel, inner.counts(), self.extents)?;
            let report = OperandCopy {
                operand: operand.to_owned(),
                pitch_bytes: to.leading_dimension * bytes,
                bytes: part,
                planes,
            };
            let bound = Bound::of_copy([x, out].into_iter().chain(of_rows).collect(), problem);
            Ok(Copying { kernel, bound, report })
        };
        let launches = (0..outer.total()).map(copy).collect::<Result<_, Error>>()?;
        let read = batch.as_ref().map(|given| {
            let indices = given.steps().iter().map(|along| (along.count, along.stride > 0));
            Batch::following(indices, apart)
        });
        let all = row(outer.total() * inner.total() * to.rows);
        let exponents = exponents.map(|storage| matrix(&storage, 0, Element::I32, all, None));
        let argument = matrix(&copied, 0, of_copy, to, read);
        Ok(Some(Copied { launches, argument, exponents }))
    }
}

/// The planes of a matrix. The launch that makes them is enqueued.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`], a refusal of the compiler's.
pub(crate) fn split(
    device: &Device,
    argument: &Argument<'_>,
    by: SplitBy,
    planes: Planes,
) -> Result<SplitMatrix, Error> {
    let kernel = splitter(planes, by.k_contiguous());
    let Some(Region { layout, .. }) = argument.region() else { return Err(kind_of(argument)) };
    let read = Parameter { name: "the matrix".into(), ..kernel.parameters[0].clone() };
    check_place(device, (&read, argument))?;
    let MatrixLayout { rows, columns, .. } = layout;
    let target = CopyTarget::of_planes(planes, by.k_contiguous(), layout)?;
    let [m, k] = target.extents;
    let limits = [(Axis::M, m, 1), (Axis::K, k, planes.count() as usize)];
    for (axis, extent, columns) in limits {
        let limit = MAX_EXTENT as usize / columns;
        if extent > limit {
            return Err(too_large(&kernel.name, (axis, extent), limit));
        }
    }
    let Some(copied) = target.copied(device, "the matrix", argument)? else {
        return Err(kind_of(argument));
    };
    let Copied { launches, argument, exponents } = copied;
    for Copying { kernel, bound, .. } in launches {
        if m > 0 {
            Work::new(device, kernel, bound)?.launch()?;
        }
    }
    let layout = MatrixLayout::new(rows, columns, columns)?;
    let of_planes = target.layout;
    let exponents = exponents.as_ref().and_then(Argument::shared).cloned();
    // Copies are in memory that launches share.
    let elements = argument.shared().cloned().ok_or_else(|| kind_of(&argument))?;
    Ok(SplitMatrix { planes, by, layout, of_planes, elements, exponents })
}

/// That an argument is not a matrix.
pub(super) fn kind_of(argument: &Argument<'_>) -> Error {
    let (expected, got) = (ArgumentKind::Matrix, argument.kind());
    Error::KindMismatch { operand: Operand::new("the matrix"), expected, got }
}

/// Device memory that the launches share which copy to it and read it.
fn allocate<'a>(device: &Device, bytes: usize) -> Result<Storage<'a>, Error> {
    Ok(Storage::Shared(SharedBytes::new(Arc::new(device.allocate(bytes)?))))
}

/// The layout of one row.
const fn row(columns: usize) -> MatrixLayout {
    MatrixLayout { rows: 1, columns, leading_dimension: columns }
}

/// All of a matrix that launches share.
fn matrix_of<'a>(bytes: &SharedBytes, element: Element, layout: MatrixLayout) -> Argument<'a> {
    matrix(&Storage::Shared(bytes.clone()), 0, element, layout, None)
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

/// The kernel that copies elements of this size to other rows.
fn padder(element: Element) -> &'static Kernel {
    static KERNELS: [OnceLock<Kernel>; 5] = [const { OnceLock::new() }; 5];
    KERNELS[element.bytes().ilog2() as usize].get_or_init(|| padding::pad_rows(element))
}

/// The kernel that copies a matrix, whose rows run along K or across it, to planes.
fn splitter(planes: Planes, k_contiguous: bool) -> &'static Kernel {
    static KERNELS: [[OnceLock<Kernel>; 2]; Planes::ALL.len()] =
        [const { [const { OnceLock::new() }; 2] }; Planes::ALL.len()];
    KERNELS[planes as usize][usize::from(k_contiguous)]
        .get_or_init(|| splitting::split(planes, k_contiguous))
}

#[cfg(test)]
mod tests;
