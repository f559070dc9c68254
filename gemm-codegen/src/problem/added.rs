//! The term that is added to a product: factors like the product's, and what they are summed over.

use super::factor::{Factor, Multiplied};
use crate::axis::{Axis, PerSide, Side};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Spec;
use crate::spec::form::{batch_indices, tensor};

/// A term of the sums of the first product.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// What is multiplied.
    pub factors: PerSide<Factor>,
    /// What is summed over: K, or R where that is another index.
    pub along: Axis,
    /// The name of that index.
    pub index: String,
}

/// Proves that a term can be summed where the product is, whose index names are these.
pub(super) fn solve(
    spec: &Spec,
    of: PerSide<Multiplied<'_>>,
    first: PerSide<Multiplied<'_>>,
    indices: &[String; 3],
) -> Result<Added, Vec<Diagnostic>> {
    let index = summed_over(spec, of, indices)?;
    let broken: Vec<Diagnostic> = Side::BOTH
        .into_iter()
        .filter_map(|side| unlike(spec, (*of.get(side), *first.get(side)), (&index, &indices[2])))
        .collect();
    if !broken.is_empty() {
        return Err(broken);
    }
    let along = if index == indices[2] { Axis::K } else { Axis::R };
    let factors = of.map(|factor| factor.summed_over(&index, spec));
    Ok(Added { factors, along, index })
}

/// The index that both factors share, where the others are those of the output.
fn summed_over(
    spec: &Spec,
    PerSide { a, b }: PerSide<Multiplied<'_>>,
    [m, n, _]: &[String; 3],
) -> Result<String, Vec<Diagnostic>> {
    let mut broken = Vec::new();
    for (factor, own) in [(a, m), (b, n)] {
        if !factor.indices.contains(own) {
            let message =
                format!("`{}` is added to an output along `{own}`, which it lacks", factor.name);
            let help = format!("one of its indices is `{own}`, the other one is summed over");
            let at = Field::OperandIndex(factor.operand, 0);
            broken.push(Diagnostic::new(Rule::AddedTerm, at, message, help));
        }
    }
    if !broken.is_empty() {
        return Err(broken);
    }
    let other = |factor: Multiplied<'_>, own: &String| usize::from(factor.indices[0] == *own);
    let (of_a, of_b) = (other(a, m), other(b, n));
    let index = &a.indices[of_a];
    let at = Field::OperandIndex(b.operand, of_b);
    if *index != b.indices[of_b] {
        let message = format!("`{}` and `{}` share no index to sum over", a.name, b.name);
        let help = format!("`{}` has to have the index `{index}`", b.name);
        return Err(vec![Diagnostic::new(Rule::AddedTerm, at, message, help)]);
    }
    if [m, n].contains(&index) || spec.output().batch.contains(index) {
        let message = format!("`{index}` is an index of the output, so it is not summed over");
        let help = "name what is summed over by an index of its own";
        return Err(vec![Diagnostic::new(Rule::AddedTerm, at, message, help)]);
    }
    Ok(index.clone())
}

/// What a factor of the term has that the product's on its side, whose tiles it shares, has not.
fn unlike(
    spec: &Spec,
    (other, first): (Multiplied<'_>, Multiplied<'_>),
    (of_other, of_first): (&String, &String),
) -> Option<Diagnostic> {
    let batch = |of: Multiplied<'_>| &spec.operands[of.operand].batch;
    let along = |of: Multiplied<'_>, index: &String| of.indices[1] == *index;
    let (at, has) = if first.element != other.element {
        let elements = [other, first].map(|of| format!("elements of {}", of.element));
        (Field::OperandElement(other.operand), elements)
    } else if along(other, of_other) != along(first, of_first) {
        let rows = [(other, of_other), (first, of_first)].map(|(of, index)| {
            let (rows, columns) = match along(of, index) {
                true => (&of.indices[0], index),
                false => (index, &of.indices[1]),
            };
            format!("rows of `{columns}` for each `{rows}`")
        });
        (Field::OperandIndex(other.operand, 0), rows)
    } else if batch(first) != batch(other) {
        let batches = [other, first].map(|of| match &batch(of)[..] {
            [] => "one matrix".to_owned(),
            indices => format!("matrices along `{}`", batch_indices(indices)),
        });
        (Field::OperandBatch(other.operand), batches)
    } else {
        return None;
    };
    let own = other.indices.iter().find(|index| *index != of_other)?.clone();
    let indices = match along(first, of_first) {
        true => [own, of_other.clone()],
        false => [of_other.clone(), own],
    };
    let form = tensor(first.element, batch(first), &indices);
    let [of_other, of_first] = has;
    Some(Diagnostic::new(
        Rule::AddedTerm,
        at,
        format!(
            "`{}` has {of_other}, but `{}`, whose tiles it shares, {of_first}",
            other.name, first.name
        ),
        format!("write `{form}`, or compute its product in a second function"),
    ))
}
