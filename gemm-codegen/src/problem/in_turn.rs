//! Several second factors of different columns, whose products are computed in turn.

use super::factor::Multiplied;
use crate::axis::Multiplicands;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::tensor;
use crate::spec::{OutputIndices, Spec};

/// Second factors have the first one's elements, order and batch, and each output is a matrix with the rows of the first
/// factor and the columns of one of the others.
pub(super) fn check(
    spec: &Spec,
    of: &Multiplicands<Multiplied<'_>>,
    [m, _, k]: &[String; 3],
) -> Vec<Diagnostic> {
    let (first, mut broken) = (of.first.b, Vec::new());
    let k_at = |of: Multiplied<'_>| of.indices.iter().position(|index| index == k);
    let batch = |of: Multiplied<'_>| spec.operands[of.operand].batch.clone();
    for other in of.more.iter().copied() {
        let (name, first_name) = (other.name, first.name);
        let (at, message, help) = if other.element != first.element {
            (
                Field::OperandElement(other.operand),
                format!(
                    "`{name}` has elements of {}, but `{first_name}`, whose tiles it takes in turn, elements of {}",
                    other.element, first.element
                ),
                format!("give it elements of {}", first.element),
            )
        } else if k_at(other).is_none() {
            let stray = other.indices.iter().position(|index| !is_stored(spec, index));
            let at = stray.unwrap_or(0);
            let mut indices = other.indices.clone();
            indices[at].clone_from(k);
            (
                Field::OperandIndex(other.operand, at),
                format!(
                    "`{name}` has the indices `{}`, but not `{k}`, which `{first_name}` has and all products sum over",
                    other.indices.join(", ")
                ),
                format!("write `{}`", tensor(other.element, &batch(other), &indices)),
            )
        } else if k_at(other) != k_at(first) {
            let of = ["rows", "columns"][k_at(first).unwrap_or(0)];
            (
                Field::OperandIndex(other.operand, 0),
                format!(
                    "`{name}` has not `{k}` as the index of its {of}, as `{first_name}` has, whose tiles it takes in turn"
                ),
                format!("make `{k}` the index of its {of}"),
            )
        } else if batch(other) != batch(first) {
            (
                Field::OperandBatch(other.operand),
                format!(
                    "`{name}` is not batched as `{first_name}` is, whose tiles it takes in turn"
                ),
                "batch both alike, or neither".to_owned(),
            )
        } else {
            continue;
        };
        let help = format!("{help}, or compute its product in a second function");
        broken.push(Diagnostic::new(Rule::ProductsInTurn, at, message, help));
    }
    broken.extend(outputs(spec, of, [m, k]));
    broken
}

/// Whether an output has it as its columns.
pub(super) fn is_stored(spec: &Spec, index: &String) -> bool {
    spec.outputs.iter().any(|of| of.indices.names().last() == Some(index))
}

/// Each product has an output: a matrix of its own columns.
fn outputs(
    spec: &Spec,
    of: &Multiplicands<Multiplied<'_>>,
    [m, k]: [&String; 2],
) -> Vec<Diagnostic> {
    let free: Vec<&String> = of.of_b().flat_map(|of| of.indices).filter(|of| *of != k).collect();
    let mut broken = Vec::new();
    for (number, output) in spec.outputs.iter().enumerate() {
        let message = match &output.indices {
            OutputIndices::Reduced(_) => {
                format!("output {number} is reduced, but products in turn are stored as matrices")
            }
            OutputIndices::Matrix([row, column]) if row != m || !free.contains(&column) => format!(
                "output {number} has the indices `{row}` and `{column}`, which are not those of a product"
            ),
            OutputIndices::Matrix(_) => continue,
        };
        let columns = free.get(number).map_or("N", |free| free.as_str());
        let help = format!("write `Mat<{}, {m}, {columns}>`", output.element);
        broken.push(Diagnostic::new(Rule::ProductsInTurn, Field::Output(number), message, help));
    }
    let first = &spec.outputs[0];
    for (number, other) in spec.outputs.iter().enumerate().skip(1) {
        if !other.indices.is_reduced() && other.element != first.element {
            let message = format!(
                "output {number} has elements of {}, but output 0, whose tiles it takes in turn, elements of {}",
                other.element, first.element
            );
            let help = format!("give it elements of {}", first.element);
            let at = Field::OutputElement(number);
            broken.push(Diagnostic::new(Rule::ProductsInTurn, at, message, help));
        }
    }
    broken
}
