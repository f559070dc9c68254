//! The batch index: which operands have a matrix for each number of it.

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{OperandKind, Spec};

/// The index of the batch, or `None` where one matrix is multiplied by one. `a` and `b` are the
/// operands that `matmul` multiplies.
pub(crate) fn solve(spec: &Spec, a: usize, b: usize) -> Result<Option<String>, Vec<Diagnostic>> {
    let of_factors = [a, b].into_iter().find_map(|factor| {
        let operand = &spec.operands[factor];
        Some((operand.name.as_str(), operand.batch.as_deref()?))
    });
    let mut broken = Vec::new();
    broken.extend(of_output(spec, [a, b], of_factors));
    let written = spec.output().batch.as_deref().map(|batch| ("the output".to_owned(), batch));
    let known = written.or(of_factors.map(|(name, batch)| (format!("`{name}`"), batch)));
    for number in 0..spec.operands.len() {
        broken.extend(of_operand(spec, number, known.as_ref()));
    }
    broken.extend(known.and_then(|(_, batch)| within_a_matrix(spec, [a, b], batch)));
    if broken.is_empty() { Ok(spec.output().batch.clone()) } else { Err(broken) }
}

/// The output is a batch if, and only if, an operand that is multiplied is one.
fn of_output(
    spec: &Spec,
    factors: [usize; 2],
    of_factors: Option<(&str, &str)>,
) -> Option<Diagnostic> {
    let [row, column] = &spec.output().indices;
    match (of_factors, &spec.output().batch) {
        (Some((name, batch)), None) => Some(Diagnostic::new(
            Rule::BatchIndices,
            Field::Output(0),
            format!("`{name}` is batched over `{batch}`, but the output is one matrix"),
            format!("write `Batched<{}, {batch}, {row}, {column}>`", spec.output().element),
        )),
        (None, Some(batch)) => {
            let [a, b] = factors.map(|factor| &spec.operands[factor].name);
            Some(Diagnostic::new(
                Rule::BatchIndices,
                Field::OutputBatch(0),
                format!("the output is batched over `{batch}`, but neither `{a}` nor `{b}` is"),
                format!(
                    "write `Mat<{}, {row}, {column}>`, or batch one of the two over \
                     `{batch}`",
                    spec.output().element
                ),
            ))
        }
        _ => None,
    }
}

/// An operand is a batch over the index that is `known`, or none.
fn of_operand(spec: &Spec, number: usize, known: Option<&(String, &str)>) -> Option<Diagnostic> {
    let operand = &spec.operands[number];
    let (name, batch) = (&operand.name, operand.batch.as_deref()?);
    let at = Field::OperandBatch(number);
    if let OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) = operand.kind {
        let message = format!("`{name}` is a scalar and cannot be batched over `{batch}`");
        let help = "remove the index: a scalar is broadcast over the batch";
        return Some(Diagnostic::new(Rule::BatchIndices, at, message, help));
    }
    let (message, help) = match known {
        Some((_, same)) if *same == batch => return None,
        Some((whose, other)) => (
            format!("`{name}` is batched over `{batch}`, but {whose} over `{other}`"),
            format!(
                "write `{other}`, or remove the index: unbatched operands are broadcast over the \
                 batch"
            ),
        ),
        None => (
            format!("`{name}` is batched over `{batch}`, but the output is not batched"),
            "remove the index, or batch a factor of `matmul`".to_owned(),
        ),
    };
    Some(Diagnostic::new(Rule::BatchIndices, at, message, help))
}

/// The index of the batch is none of the product's.
fn within_a_matrix(spec: &Spec, factors: [usize; 2], batch: &str) -> Option<Diagnostic> {
    let of_factors = factors.map(|factor| {
        let operand = &spec.operands[factor];
        let indices = match &operand.kind {
            OperandKind::Matrix { indices, .. } => indices.as_slice(),
            _ => &[],
        };
        (format!("`{}`", operand.name), indices)
    });
    let mut all =
        of_factors.into_iter().chain([("the output".to_owned(), &spec.output().indices[..])]);
    let (whose, _) = all.find(|(_, indices)| indices.iter().any(|index| index == batch))?;
    let first = spec.operands.iter().position(|operand| operand.batch.is_some());
    let at = match (&spec.output().batch, first) {
        (None, Some(first)) => Field::OperandBatch(first),
        _ => Field::OutputBatch(0),
    };
    Some(Diagnostic::new(
        Rule::BatchIndices,
        at,
        format!("`{batch}` is the batch index and also an index of {whose}"),
        "use a different index for the batch",
    ))
}
