//! M, N, K and the number of matrices from the extents of the arguments.

use gemm_codegen::{Axis, Kernel, MAX_EXTENT, Parameter, ParameterKind};

use crate::argument::Argument;
use crate::error::{Dimension, Error, KernelFault};
use crate::shape::Shape;

use super::axis_extents::AxisExtents;
use super::claims::Claims;

/// The extents of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) extents: AxisExtents,
    /// The values of each batch index of an output, the outermost first.
    pub(super) batches: Vec<usize>,
}

impl Bounds {
    /// Those of a kernel that computes the transposed product: M and N are exchanged.
    pub(super) fn swapped(self) -> Bounds {
        let Bounds { extents, batches } = self;
        let [m, n] = [Axis::M, Axis::N].map(|axis| extents.along(axis));
        Bounds { extents: extents.with(Axis::M, n).with(Axis::N, m), batches }
    }
}

/// The extents that arguments have: the operands, and then all outputs or none.
pub(super) fn bind(kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<Bounds, Error> {
    let bounds = agreed(kernel, arguments)?;
    check_limits(kernel, &bounds.extents)?;
    Ok(bounds)
}

/// The same without a limit.
fn agreed(kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<Bounds, Error> {
    split(kernel)?;
    let mut claims = Claims::new(&kernel.name, &kernel.parameters, kernel.outputs);
    for (number, argument) in arguments.iter().enumerate() {
        claims.note(number, argument)?;
    }
    let batches = claims.batches()?;
    let extents = claims.extents(&kernel.launch.columns)?;
    Ok(Bounds { extents, batches })
}

/// Proves that a kernel can count these columns and this extent of K.
pub(super) fn check_limits(kernel: &Kernel, extents: &AxisExtents) -> Result<(), Error> {
    let [n, k] = [Axis::N, Axis::K].map(|axis| extents.along(axis));
    let limit = MAX_EXTENT as usize / kernel.launch.products.max(1) as usize;
    if n > limit {
        return Err(too_large(&kernel.name, (Axis::N, n), limit));
    }
    let columns = kernel.planes().map_or(1, |planes| planes.count() as usize);
    let limit = MAX_EXTENT as usize / columns;
    if k > limit {
        return Err(too_large(&kernel.name, (Axis::K, k), limit));
    }
    let columns = extents.tiled(&kernel.launch).n;
    if columns > MAX_EXTENT as usize && !kernel.launch.columns.is_empty() {
        return Err(too_large(&kernel.name, (Axis::N, columns), MAX_EXTENT as usize));
    }
    Ok(())
}

/// M, N and K from the extents of matrices and vectors that are not batches, for a function of this
/// name: `given` has rows and columns for each of `parameters`, the operands and then `outputs`
/// outputs, or for the operands alone. The columns of a vector are its elements.
pub(crate) fn agree(
    name: &str,
    parameters: &[Parameter],
    outputs: usize,
    given: &[[usize; 2]],
) -> Result<Shape, Error> {
    let mut claims = Claims::new(name, parameters, outputs);
    for (number, (parameter, [rows, columns])) in parameters.iter().zip(given).enumerate() {
        match parameter.kind {
            ParameterKind::Matrix { rows: along_rows, columns: along_columns, .. } => {
                claims.note_axis(number, along_rows, (Dimension::Rows, *rows));
                claims.note_axis(number, along_columns, (Dimension::Columns, *columns));
            }
            ParameterKind::Vector { length, .. } => {
                claims.note_axis(number, length, (Dimension::Elements, *columns));
            }
            ParameterKind::Tiled { .. }
            | ParameterKind::DeviceScalar(_)
            | ParameterKind::Scalar(_) => {}
        }
    }
    let extents = claims.extents(&[])?;
    let [m, n, k] = Axis::ALL.map(|axis| extents.along(axis));
    Ok(Shape { m, n, k })
}

pub(super) fn too_large(kernel: &str, (axis, extent): (Axis, usize), limit: usize) -> Error {
    let (kernel, index) = (kernel.to_owned(), axis.letter().into());
    Error::DimensionTooLarge { kernel, axis, index, extent, limit }
}

pub(super) fn broken(kernel: &Kernel, what: KernelFault) -> Error {
    Error::Kernel { kernel: kernel.name.to_string(), what }
}

/// How many matrices there are of these values of the batch indices.
pub(super) fn matrices(kernel: &Kernel, batches: &[usize]) -> Result<usize, Error> {
    let product = batches.iter().try_fold(1usize, |all, values| all.checked_mul(*values));
    product.ok_or_else(|| Error::GridTooLarge {
        kernel: kernel.name.to_string(),
        blocks: u64::MAX,
        limit: gemm_codegen::hardware::MAX_GRID_X,
    })
}

/// The parameters of the operands and those of the outputs.
pub(super) fn split(kernel: &Kernel) -> Result<(&[Parameter], &[Parameter]), Error> {
    let is_output = |output: &Parameter| match output.kind {
        ParameterKind::Matrix { .. } | ParameterKind::Vector { .. } => true,
        ParameterKind::Tiled { .. } | ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
            false
        }
    };
    let operands = kernel.parameters.len().checked_sub(kernel.outputs);
    let parts = operands.map(|operands| kernel.parameters.split_at(operands));
    parts
        .filter(|(_, outputs)| !outputs.is_empty() && outputs.iter().all(is_output))
        .ok_or_else(|| broken(kernel, KernelFault::NoOutput))
}
