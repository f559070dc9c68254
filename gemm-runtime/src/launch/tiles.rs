//! Operands with an element for several of a factor: its scales, and pairs of numbers.

use gemm_codegen::{Axis, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{Dimension, Error, Operand, TileError};
use crate::launch::axis_extents::AxisExtents;

/// Proves that each operand of scales has one for each tile of a factor of this shape, and that tiles are whole along K; and
/// that a factor of pairs has one for each two of K, rounded up.
pub(super) fn check(
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
    extents: &AxisExtents,
) -> Result<(), Error> {
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let Value::Matrix { layout, .. } = &argument.0 else { continue };
        // Of a packed factor several elements in turn have the numbers of a tile.
        let (rows, columns, tile, in_turn) = match parameter.kind {
            ParameterKind::Tiled { rows, columns, extents, .. } => (rows, columns, extents, 1),
            ParameterKind::Matrix { element, rows, columns } if element.is_several() => {
                let in_turn = element.in_turn();
                (rows, columns, [element.lines(), element.numbers() * in_turn], in_turn as usize)
            }
            _ => continue,
        };
        let is_scale = matches!(parameter.kind, ParameterKind::Tiled { .. });
        let of_rows = (rows, [tile[0] as usize, 1], Dimension::Rows, layout.rows);
        let of_columns = (columns, [tile[1] as usize, in_turn], Dimension::Columns, layout.columns);
        for (axis, [tile, in_turn], dimension, got) in [of_rows, of_columns] {
            let extent = extents.along(axis);
            if is_scale && axis == Axis::K && !extent.is_multiple_of(tile) {
                let operand = Operand::new(&parameter.name);
                return Err(TileError::Part { operand, k: extent, tile }.into());
            }
            check_along(&parameter.name, (axis, extent, [tile, in_turn]), (dimension, got))?;
        }
    }
    Ok(())
}

/// The same along one axis of this extent, for tiles that have as many elements in turn.
fn check_along(
    name: &str,
    (axis, extent, [tile, in_turn]): (Axis, usize, [usize; 2]),
    (dimension, got): (Dimension, usize),
) -> Result<(), Error> {
    let operand = Operand::new(name);
    let expected = extent.div_ceil(tile) * in_turn;
    match got == expected {
        true => Ok(()),
        false => {
            Err(TileError::Count { operand, dimension, axis, extent, tile, expected, got }.into())
        }
    }
}
