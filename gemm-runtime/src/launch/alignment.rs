//! The alignments of arguments.

use gemm_codegen::{MAX_ALIGN, Parameter, ParameterKind};

use crate::argument::{Argument, Region, Value};
use crate::launch::tensor;

/// The alignment of an argument's pointer, rows and matrices, in bytes: a power of two, at most
/// [`MAX_ALIGN`]. `None` for a value.
pub(super) fn of(parameter: &Parameter, argument: &Argument<'_>) -> Option<u32> {
    let Region { address, element, layout, batch, .. } = argument.region()?;
    let rows = match &argument.0 {
        // Copies of factors are never cut at the end of a row.
        Value::Matrix { .. } if parameter.kind.is_multiplied() => {
            layout.leading_dimension | layout.columns
        }
        // One row.
        Value::Vector { .. } | Value::Scalar { .. } => 0,
        _ => layout.leading_dimension,
    };
    let stride = batch.filter(|batch| batch.count > 1).map_or(0, |batch| batch.stride);
    let bytes = common(address, (rows | stride) as u64 * u64::from(element.bytes()));
    // The copy unit stores what is aligned best; of what it cannot reach less is promised.
    Some(if tensor::is_out_of_reach(parameter, argument) {
        bytes.min(MAX_ALIGN / 2)
    } else {
        bytes
    })
}

/// The same for a matrix that will be allocated, without gaps, for M, N and K.
pub(super) fn of_new(parameter: &Parameter, shape: [usize; 3]) -> Option<u32> {
    match parameter.kind {
        ParameterKind::Matrix { element, columns, .. } => {
            Some(common(0, shape[columns as usize] as u64 * u64::from(element.bytes())))
        }
        _ => None,
    }
}

/// The largest power of two that divides both: the lowest bit that is set.
fn common(address: u64, distances: u64) -> u32 {
    1 << (address | distances | u64::from(MAX_ALIGN)).trailing_zeros()
}
