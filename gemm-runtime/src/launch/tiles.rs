//! The scales of factors: one for each tile.

use gemm_codegen::{Axis, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{Dimension, Error, Operand, TileError};
use crate::shape::Shape;

/// Proves that each operand of scales has one for each tile of a factor of this shape, and that tiles are whole along K.
pub(super) fn check(
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
    shape: Shape,
) -> Result<(), Error> {
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let ParameterKind::Tiled { rows, columns, extents, .. } = parameter.kind else { continue };
        let Value::Matrix { layout, .. } = &argument.0 else { continue };
        let of_rows = (rows, extents[0] as usize, Dimension::Rows, layout.rows);
        let of_columns = (columns, extents[1] as usize, Dimension::Columns, layout.columns);
        for (axis, tile, dimension, got) in [of_rows, of_columns] {
            check_along(&parameter.name, (axis, shape.extent(axis), tile), (dimension, got))?;
        }
    }
    Ok(())
}

/// The same along one axis of this extent.
fn check_along(
    name: &str,
    (axis, extent, tile): (Axis, usize, usize),
    (dimension, got): (Dimension, usize),
) -> Result<(), Error> {
    let operand = Operand::new(name);
    if axis == Axis::K && !extent.is_multiple_of(tile) {
        return Err(TileError::Part { operand, k: extent, tile }.into());
    }
    let expected = extent.div_ceil(tile);
    match got == expected {
        true => Ok(()),
        false => {
            Err(TileError::Count { operand, dimension, axis, extent, tile, expected, got }.into())
        }
    }
}
