//! What the kernel takes for each operand.

use super::factor::Multiplied;
use super::kind::ParameterKind;
use crate::axis::{Axis, Multiplicands};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{OperandKind, Spec};

/// That of each, by the axis of an index, where `k` is summed over. One with an index that it cannot have is reported and
/// left out.
pub(super) fn kinds(
    spec: &Spec,
    of: &Multiplicands<Multiplied<'_>>,
    (axis, k): (impl Fn(&String) -> Option<Axis>, &str),
    broken: &mut Vec<Diagnostic>,
) -> Vec<ParameterKind> {
    let mut kinds = Vec::new();
    for number in 0..spec.operands.len() {
        let multiplied = of.all().any(|factor| factor.operand == number);
        match kind(spec, number, multiplied, &axis).map_err(|stray| stray.report(spec, number, k)) {
            Ok(kind) => kinds.push(kind),
            // One that is unlike the others is reported as that.
            Err(_) if of.more.iter().any(|factor| factor.operand == number) => {}
            Err(diagnostic) => broken.push(diagnostic),
        }
    }
    kinds
}

/// What the kernel takes for an operand, or which of its indices it cannot have. A bool is left to the
/// rules of the body.
fn kind(
    spec: &Spec,
    number: usize,
    multiplied: bool,
    axis: &impl Fn(&String) -> Option<Axis>,
) -> Result<ParameterKind, Stray> {
    match &spec.operands[number].kind {
        OperandKind::Scalar(ty) => Ok(ParameterKind::Scalar(*ty)),
        OperandKind::DeviceScalar(element) => Ok(ParameterKind::DeviceScalar(*element)),
        OperandKind::Vector { element, index } => match axis(index) {
            Some(Axis::K | Axis::R) | None => Err(Stray(0)),
            Some(length) => Ok(ParameterKind::Vector { element: *element, length }),
        },
        OperandKind::Tiled { element, indices: [row, column], extents } => {
            match (axis(row), axis(column)) {
                (None, _) => Err(Stray(0)),
                (Some(rows), Some(columns)) if (rows == Axis::K) != (columns == Axis::K) => {
                    Ok(ParameterKind::Tiled { element: *element, rows, columns, extents: *extents })
                }
                (Some(_), _) => Err(Stray(1)),
            }
        }
        OperandKind::Matrix { element, indices: [row, column] } => {
            let (rows, columns) = match (axis(row), axis(column)) {
                (None, _) => return Err(Stray(0)),
                (Some(rows), Some(columns)) if rows != columns => (rows, columns),
                (Some(_), _) => return Err(Stray(1)),
            };
            match [rows, columns].iter().position(|axis| [Axis::K, Axis::R].contains(axis)) {
                Some(at) if !multiplied => Err(Stray(at)),
                _ => Ok(ParameterKind::Matrix { element: *element, rows, columns }),
            }
        }
    }
}

/// The place of an index of a value operand that is not one the output has.
struct Stray(usize);

impl Stray {
    /// Reports it of this operand, where `k` is summed over.
    fn report(self, spec: &Spec, operand: usize, k: &str) -> Diagnostic {
        let has = spec.outputs[spec.leading()].indices.names().join("` and `");
        let name = &spec.operands[operand].name;
        let (index, law) = match &spec.operands[operand].kind {
            OperandKind::Matrix { indices, .. } => {
                (&indices[self.0], "a matrix of the epilogue has the output's two indices")
            }
            OperandKind::Tiled { indices, .. } => (&indices[self.0], "tiles are those of a factor"),
            OperandKind::Vector { index, .. } => {
                (index, "a vector has one of the output's indices")
            }
            OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => {
                (name, "a scalar has no index")
            }
        };
        let at = Field::OperandIndex(operand, self.0);
        let stored = spec.outputs[spec.leading()].indices.names();
        if stored.contains(index) {
            let other = stored.iter().find(|of| *of != index);
            let help = other.map(|other| format!("name its other index `{other}`"));
            let help = help.unwrap_or_else(|| format!("declare `{name}: Vector<..>`"));
            let message = format!("`{name}` has the index `{index}` for its rows and its columns");
            return Diagnostic::new(Rule::OperandIndices, at, message, help);
        }
        if let Some(help) = of_each_matrix(spec, operand, index) {
            let message = format!("`{name}` is a vector along `{index}`, an index of the batch");
            return Diagnostic::new(Rule::OperandIndices, at, message, help);
        }
        let meant = stored.iter().find(|of| of.eq_ignore_ascii_case(index));
        let help = meant.map(|meant| format!("write `{meant}`: indices are told apart by case"));
        let help = help.unwrap_or_else(|| format!(
            "{law}, as a body is applied after the sum over `{k}`; scales along `{k}` are those of a factor: \
             `matmul(x, w * s)` with `s: Tiled<..>`"
        ));
        Diagnostic::new(
            Rule::OperandIndices,
            at,
            format!("`{name}` has the index `{index}`, but the output has `{has}`"),
            help,
        )
    }
}

/// What to declare in place of a vector with a value for each matrix of a batch.
fn of_each_matrix(spec: &Spec, operand: usize, index: &str) -> Option<String> {
    let output = &spec.outputs[spec.leading()];
    let OperandKind::Vector { element, .. } = &spec.operands[operand].kind else { return None };
    output.batch.iter().find(|of| *of == index)?;
    let own = output.indices.names().first()?;
    Some(format!(
        "a body reads an element of a row or a column: write `Batched<{element}, {index}, {own}>`, a vector for each \
         `{index}`, with the value repeated along `{own}`"
    ))
}
