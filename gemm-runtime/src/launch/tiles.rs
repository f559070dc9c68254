//! Operands with an element for several of a factor: its scales, and pairs of numbers.

use gemm_codegen::{Axis, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{Dimension, Error, Operand, TileError};
use crate::shape::Shape;

/// Proves that each operand of scales has one for each tile of a factor of this shape, and that tiles are whole along K; and
/// that a factor of pairs has one for each two of K, rounded up.
pub(super) fn check(
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
    shape: Shape,
) -> Result<(), Error> {
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let Value::Matrix { layout, .. } = &argument.0 else { continue };
        let (rows, columns, extents) = match parameter.kind {
            ParameterKind::Tiled { rows, columns, extents, .. } => (rows, columns, extents),
            ParameterKind::Matrix { element, rows, columns } if element.is_several() => {
                (rows, columns, [element.lines(), element.numbers()])
            }
            _ => continue,
        };
        let is_scale = matches!(parameter.kind, ParameterKind::Tiled { .. });
        let of_rows = (rows, extents[0] as usize, Dimension::Rows, layout.rows);
        let of_columns = (columns, extents[1] as usize, Dimension::Columns, layout.columns);
        for (axis, tile, dimension, got) in [of_rows, of_columns] {
            let extent = shape.extent(axis);
            if is_scale && axis == Axis::K && !extent.is_multiple_of(tile) {
                let operand = Operand::new(&parameter.name);
                return Err(TileError::Part { operand, k: extent, tile }.into());
            }
            check_along(&parameter.name, (axis, extent, tile), (dimension, got))?;
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
    let expected = extent.div_ceil(tile);
    match got == expected {
        true => Ok(()),
        false => {
            Err(TileError::Count { operand, dimension, axis, extent, tile, expected, got }.into())
        }
    }
}
