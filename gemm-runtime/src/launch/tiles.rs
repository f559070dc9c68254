//! Operands with an element for several of a factor: its scales, and pairs of numbers.

use gemm_codegen::{Axis, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{Dimension, Error, Operand, PackedRows, TileError};
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
        let is_wrong = |(axis, [tile, in_turn], _, got): &(Axis, [usize; 2], Dimension, usize)| {
            *got != count(extents.along(*axis), *tile, *in_turn)
        };
        let wrong = [of_rows, of_columns].iter().filter(|of| is_wrong(of)).count();
        for (axis, [tile, in_turn], dimension, got) in [of_rows, of_columns] {
            let extent = extents.along(axis);
            if is_scale && axis == Axis::K && !extent.is_multiple_of(tile) {
                let operand = Operand::new(&parameter.name);
                let index = axis.letter().into();
                return Err(TileError::Part { operand, index, k: extent, tile }.into());
            }
            // What is transposed has both wrong.
            let packed = || padded_by(parameters, arguments, axis).filter(|_| wrong == 1);
            check_along(
                &parameter.name,
                (axis, extent, [tile, in_turn]),
                (dimension, got),
                packed,
            )?;
        }
    }
    Ok(())
}

/// The same along one axis of this extent, for tiles that have as many elements in turn.
fn check_along(
    name: &str,
    (axis, extent, [tile, in_turn]): (Axis, usize, [usize; 2]),
    (dimension, got): (Dimension, usize),
    packed: impl FnOnce() -> Option<PackedRows>,
) -> Result<(), Error> {
    let operand = Operand::new(name);
    let expected = count(extent, tile, in_turn);
    if got == expected {
        return Ok(());
    }
    let index = axis.letter().into();
    let is_padding =
        |by: &PackedRows| (extent.saturating_sub(by.lines) + 1..extent).contains(&(got * tile));
    let padded_by = packed().filter(is_padding).map(Box::new);
    Err(TileError::Count {
        operand,
        dimension,
        axis,
        index,
        extent,
        tile,
        expected,
        got,
        padded_by,
    }
    .into())
}

/// How many elements an operand has for this extent.
fn count(extent: usize, tile: usize, in_turn: usize) -> usize {
    extent.div_ceil(tile) * in_turn
}

/// The packed factor from which alone the extent along an axis is known.
fn padded_by(
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
    axis: Axis,
) -> Option<PackedRows> {
    let mut packed = None;
    for (parameter, argument) in parameters.iter().zip(arguments) {
        match (parameter.kind, &argument.0) {
            (ParameterKind::Matrix { element, rows, .. }, Value::Matrix { layout, .. })
                if rows == axis && element.lines() > 1 =>
            {
                let (factor, lines) = (parameter.name.to_string(), element.lines() as usize);
                packed = Some(PackedRows { factor, rows: layout.rows, lines });
            }
            (ParameterKind::Matrix { rows, columns, .. }, _) if [rows, columns].contains(&axis) => {
                return None;
            }
            (ParameterKind::Vector { length, .. }, _) if length == axis => return None,
            _ => {}
        }
    }
    packed
}
