//! Several outputs: how many there can be, and what they share.

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::{batch_indices, tensor};
use crate::spec::{Output, OutputIndices, Spec};

/// The most outputs of a kernel; what a thread holds of each is in registers until it is stored.
pub const MAX_OUTPUTS: usize = 4;

/// At most [`MAX_OUTPUTS`], one of them in place, and all of one order, unless products are computed in turn, and one
/// batch.
pub(super) fn check(spec: &Spec, in_turn: bool) -> Result<(), Vec<Diagnostic>> {
    let mut broken: Vec<Diagnostic> = count(spec).into_iter().collect();
    let leading = spec.leading();
    for (number, other) in spec.outputs.iter().enumerate() {
        if number != leading && !in_turn {
            broken.extend(indices((spec, leading), other, number));
        }
        if number > 0 {
            broken.extend(batches(spec.output(), other, number));
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// At least one output: what all other rules look at.
pub(super) fn any(spec: &Spec) -> Result<(), Vec<Diagnostic>> {
    if !spec.outputs.is_empty() {
        return Ok(());
    }
    Err(vec![Diagnostic::new(
        Rule::OutputCount,
        Field::Output(0),
        "the function has no output",
        "return a `Mat`, or write to a `&mut Mat` parameter",
    )])
}

fn count(spec: &Spec) -> Option<Diagnostic> {
    let count = spec.outputs.len();
    if let Some(name) = spec.outputs.iter().find_map(|output| output.in_place.as_ref())
        && count > 1
    {
        return Some(Diagnostic::new(
            Rule::OutputCount,
            Field::Output(1),
            format!("{count} outputs, but `{name}` is written in place, which allows one"),
            "return all of them, or write one in place and return none",
        ));
    }
    (count > MAX_OUTPUTS).then(|| {
        Diagnostic::new(
            Rule::OutputCount,
            Field::Output(MAX_OUTPUTS),
            format!("{count} outputs, but a kernel writes at most {MAX_OUTPUTS}"),
            format!("return {MAX_OUTPUTS}, and the others from a second function"),
        )
    })
}

/// An index that the leading output, the first that is a matrix, has not at this place.
fn indices((spec, leading): (&Spec, usize), other: &Output, number: usize) -> Option<Diagnostic> {
    let first = &spec.outputs[leading];
    let (OutputIndices::Matrix(order), OutputIndices::Matrix(found)) =
        (&first.indices, &other.indices)
    else {
        return reduced(spec.order(), other, number);
    };
    let at = order.iter().zip(found).position(|(wanted, index)| wanted != index)?;
    let ([row, column], index) = (order, &found[at]);
    let place = ["row", "column"][at];
    Some(Diagnostic::new(
        Rule::OutputsAlike,
        Field::OutputIndex(number, at),
        format!(
            "the {place} index of output {number} is `{index}`, but output {leading} has the indices \
             `{row}` and `{column}`"
        ),
        format!(
            "write `{}`: all outputs have the same indices in the same order",
            form(first, other)
        ),
    ))
}

/// A vector whose index is none of the order's.
fn reduced(order: Option<&[String; 2]>, other: &Output, number: usize) -> Option<Diagnostic> {
    let ([row, column], [index]) = (order?, other.indices.names()) else { return None };
    if [row, column].contains(&index) {
        return None;
    }
    Some(Diagnostic::new(
        Rule::OutputsAlike,
        Field::OutputIndex(number, 0),
        format!(
            "output {number} has the index `{index}`, but the matrix has `{row}` and `{column}`"
        ),
        format!("write `{row}` to reduce over `{column}`, or `{column}` to reduce over `{row}`"),
    ))
}

/// A batch index that the first output has not, or one that it has.
fn batches(first: &Output, other: &Output, number: usize) -> Option<Diagnostic> {
    let [wanted, batch] = [first, other].map(|output| batch_indices(&output.batch));
    let (at, message) = match (first.batch.is_empty(), other.batch.is_empty()) {
        _ if first.batch == other.batch => return None,
        (_, true) => (
            Field::Output(number),
            format!("output {number} is one matrix, but output 0 is batched over `{wanted}`"),
        ),
        (true, false) => (
            Field::OutputBatch(number),
            format!("output {number} is batched over `{batch}`, but output 0 is one matrix"),
        ),
        (false, false) => (
            Field::OutputBatch(number),
            format!("output {number} is batched over `{batch}`, but output 0 over `{wanted}`"),
        ),
    };
    let help = format!("write `{}`: all outputs are batched alike", form(first, other));
    Some(Diagnostic::new(Rule::OutputsAlike, at, message, help))
}

/// The type that an output should have beside the first: a vector, or a matrix of the first one's indices.
fn form(first: &Output, other: &Output) -> String {
    let indices = match (&first.indices, &other.indices) {
        (OutputIndices::Matrix(_), OutputIndices::Matrix(_)) => &first.indices,
        (_, own) => own,
    };
    tensor(other.element, &first.batch, indices.names())
}
