//! Several second factors, whose tiles lie next to each other.

use super::factor::Multiplied;
use crate::axis::Multiplicands;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Spec;
use crate::spec::form::{batch_indices, tensor};

/// Several second factors are alike, and the output has rows along N as their parts lie.
pub(super) fn check(
    spec: &Spec,
    of: &Multiplicands<Multiplied<'_>>,
    [m, n, _]: &[String; 3],
) -> Vec<Diagnostic> {
    let first = of.first.b;
    let mut broken: Vec<Diagnostic> =
        of.more.iter().filter_map(|other| unlike(spec, first, *other)).collect();
    if !of.more.is_empty() && spec.order() == Some(&[n.clone(), m.clone()]) {
        let message = format!(
            "rows of the output run along `{m}`, but columns `{n}` of {} products lie next to each other",
            of.products()
        );
        let at = Field::OutputIndex(spec.leading(), 0);
        let help = format!("store `Mat<_, {m}, {n}>`");
        broken.push(Diagnostic::new(Rule::SharedFactor, at, message, help));
    }
    broken
}

/// What a second factor has that the first one has not.
fn unlike(spec: &Spec, first: Multiplied<'_>, other: Multiplied<'_>) -> Option<Diagnostic> {
    let batch = |of: Multiplied<'_>| &spec.operands[of.operand].batch;
    let other_index = || (0..2).find(|at| first.indices[*at] != other.indices[*at]);
    let (at, has) = if first.element != other.element {
        let elements = [other, first].map(|of| format!("elements of {}", of.element));
        (Field::OperandElement(other.operand), elements)
    } else if let Some(at) = other_index() {
        let indices = [other, first].map(|of| format!("the indices `{}`", of.indices.join(", ")));
        (Field::OperandIndex(other.operand, at), indices)
    } else if batch(first) != batch(other) {
        let batches = [other, first].map(|of| match &batch(of)[..] {
            [] => "one matrix".to_owned(),
            indices => format!("matrices along `{}`", batch_indices(indices)),
        });
        (Field::OperandBatch(other.operand), batches)
    } else {
        return None;
    };
    let form = tensor(first.element, batch(first), first.indices);
    let [of_other, of_first] = has;
    Some(Diagnostic::new(
        Rule::SharedFactor,
        at,
        format!(
            "`{}` has {of_other}, but `{}`, which lies next to it, {of_first}",
            other.name, first.name
        ),
        format!("write `{form}`, or compute its product in a second function"),
    ))
}
