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
    let unlike = of.more.iter().filter_map(|other| unlike(spec, [of.first.b, *other], k));
    let rows = of.more.iter().filter(|other| other.indices.contains(m)).zip(unclaimed(spec, of));
    let rows = rows.map(|(other, columns)| with_rows(spec, *other, m, columns));
    let mut broken: Vec<Diagnostic> = unlike
        .chain(rows)
        .map(|(at, message, help)| {
            let help = format!("{help}, or compute its product in a second function");
            Diagnostic::new(Rule::ProductsInTurn, at, message, help)
        })
        .collect();
    broken.extend(outputs(spec, of, [m, k]));
    broken
}

/// What a second factor has not as the first one has it: where, what is wrong, and what to do.
fn unlike(
    spec: &Spec,
    [first, other]: [Multiplied<'_>; 2],
    k: &String,
) -> Option<(Field, String, String)> {
    let (name, first_name) = (other.name, first.name);
    let k_at = |of: Multiplied<'_>| of.indices.iter().position(|index| index == k);
    let batch = |of: Multiplied<'_>| &spec.operands[of.operand].batch;
    if other.element != first.element {
        let message = format!(
            "`{name}` has elements of {}, but `{first_name}`, whose tiles it takes in turn, elements of {}",
            other.element, first.element
        );
        let help = format!("give it elements of {}", first.element);
        return Some((Field::OperandElement(other.operand), message, help));
    }
    let Some(at) = k_at(other) else { return Some(without_k(spec, [first, other], k)) };
    if k_at(first) != Some(at) {
        let of = ["rows", "columns"][1 - at];
        let message = format!(
            "`{name}` has not `{k}` as the index of its {of}, as `{first_name}` has, whose tiles it takes in turn"
        );
        let help = format!("make `{k}` the index of its {of}");
        return Some((Field::OperandIndex(other.operand, 0), message, help));
    }
    (batch(other) != batch(first)).then(|| {
        let message =
            format!("`{name}` is not batched as `{first_name}` is, whose tiles it takes in turn");
        (Field::OperandBatch(other.operand), message, "batch both alike, or neither".to_owned())
    })
}

/// A second factor that has not the index that is summed over: in the place of the one that no output has.
fn without_k(
    spec: &Spec,
    [first, other]: [Multiplied<'_>; 2],
    k: &String,
) -> (Field, String, String) {
    let at = other.indices.iter().position(|index| !is_stored(spec, index)).unwrap_or(0);
    let mut indices = other.indices.clone();
    indices[at].clone_from(k);
    let message = format!(
        "`{}` has the indices `{}`, but not `{k}`, which `{}` has and all products sum over",
        other.name,
        other.indices.join(", "),
        first.name
    );
    let form = tensor(other.element, &spec.operands[other.operand].batch, &indices);
    (Field::OperandIndex(other.operand, at), message, format!("write `{form}`"))
}

/// A second factor that has the rows of the output in the place of its columns.
fn with_rows(
    spec: &Spec,
    other: Multiplied<'_>,
    m: &String,
    columns: &String,
) -> (Field, String, String) {
    let at = other.indices.iter().position(|index| index == m).unwrap_or(0);
    let mut indices = other.indices.clone();
    indices[at].clone_from(columns);
    let message = format!(
        "`{}` has the index `{m}`, which is that of the rows of all products, and no factor has `{columns}`",
        other.name
    );
    let form = tensor(other.element, &spec.operands[other.operand].batch, &indices);
    (Field::OperandIndex(other.operand, at), message, format!("write `{form}`"))
}

/// The columns of outputs that no second factor has.
pub(super) fn unclaimed<'a>(
    spec: &'a Spec,
    of: &Multiplicands<Multiplied<'_>>,
) -> impl Iterator<Item = &'a String> {
    let columns = spec.outputs.iter().filter_map(|output| output.indices.names().last());
    let is_new = |column: &&String| !of.all().any(|factor| factor.indices.contains(column));
    columns.filter(is_new).collect::<Vec<_>>().into_iter()
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
    let free = of.of_b().flat_map(|of| of.indices).filter(|of| *of != k);
    // Of factors that have rows in the place of columns.
    let meant =
        unclaimed(spec, of).take(of.more.iter().filter(|of| of.indices.contains(m)).count());
    let free: Vec<&String> = free.chain(meant).collect();
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
