//! The alignments of arguments.

use gemm_codegen::{Element, MAX_ALIGN, Parameter, ParameterKind};

use crate::argument::{Argument, Region, Value};
use crate::error::Error;
use crate::launch::axis_extents::AxisExtents;
use crate::launch::tensor;
use crate::memory::{Batch, BatchedLayout, MatrixLayout};

/// The alignment of an argument's pointer, rows and matrices, in bytes: a power of two, at most
/// [`MAX_ALIGN`]. `None` for a value.
pub(super) fn of(parameter: &Parameter, argument: &Argument<'_>) -> Option<u32> {
    let Region { address, element, layout, batch, .. } = argument.region()?;
    let rows = match &argument.0 {
        // Copies of factors, and of their scales, are never cut at the end of a row.
        Value::Matrix { .. } if parameter.kind.is_of_factor() => {
            layout.leading_dimension | layout.columns
        }
        // One row.
        Value::Vector { .. } | Value::Scalar { .. } => 0,
        _ => layout.leading_dimension,
    };
    let stride = batch.map_or(0, |batch| batch.distances());
    let bytes = common(address, (rows | stride) as u64 * u64::from(element.bytes()));
    // The copy unit moves what is aligned best; of what it cannot reach less is promised.
    Some(if tensor::is_out_of_reach(parameter, argument) {
        bytes.min(MAX_ALIGN / 2)
    } else {
        bytes
    })
}

/// The same for an output that will be allocated, of these values of each index if it is a batch.
pub(super) fn of_new(parameter: &Parameter, extents: &AxisExtents, batch: &[usize]) -> Option<u32> {
    let ParameterKind::Matrix { element, rows, columns } = parameter.kind else { return None };
    let extents = [rows, columns].map(|axis| extents.along(axis));
    let (layout, batch) =
        new_output(element, extents, parameter.batch.is_batched().then_some(batch)).ok()?;
    let stride = batch.map_or(0, |batch| batch.distances());
    let distances = layout.leading_dimension | stride;
    Some(common(0, distances as u64 * u64::from(element.bytes())))
}

/// How an output is allocated.
///
/// # Errors
/// [`Error::SizeOverflow`], [`BatchError::SizeOverflow`](crate::BatchError::SizeOverflow).
pub(super) fn new_output(
    element: Element,
    [rows, columns]: [usize; 2],
    batch: Option<&[usize]>,
) -> Result<(MatrixLayout, Option<Batch>), Error> {
    let Some(counts) = batch else {
        return Ok((MatrixLayout::allocated(rows, columns, element.bytes())?, None));
    };
    let (layout, batch) = BatchedLayout::dense(counts, [rows, columns])?.into();
    Ok((layout, Some(batch)))
}

/// The largest power of two that divides both: the lowest bit that is set.
fn common(address: u64, distances: u64) -> u32 {
    1 << (address | distances | u64::from(MAX_ALIGN)).trailing_zeros()
}
