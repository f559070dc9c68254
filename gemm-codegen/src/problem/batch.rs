//! The batch indices: which operands have a matrix for each of their values.

use std::borrow::Cow;

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::form::batch_indices;
use crate::spec::{OperandKind, OutputIndices, Spec};

/// For each batch index of the output, the outermost first, whether a parameter has a matrix or a vector
/// for each of its values. The parameter is broadcast over the other indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batching(pub Cow<'static, [bool]>);

impl Batching {
    /// That of a function without a batch.
    pub const NONE: Batching = Batching(Cow::Borrowed(&[]));

    /// That of a parameter with these indices, for an output with these.
    pub(crate) fn of(indices: &[String], output: &[String]) -> Batching {
        Batching(output.iter().map(|index| indices.contains(index)).collect())
    }

    /// Whether it has several matrices or vectors.
    pub const fn is_batched(&self) -> bool {
        let indices = match &self.0 {
            Cow::Borrowed(indices) => *indices,
            Cow::Owned(indices) => indices.as_slice(),
        };
        let mut number = 0;
        while number < indices.len() && !indices[number] {
            number += 1;
        }
        number < indices.len()
    }

    /// How many batch indices the output has.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The numbers of the indices along which the parameter has several, the outermost of the output
    /// being 0.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.rank()).filter(|number| self.0[*number])
    }
}

/// The indices of the batch, none where one matrix is multiplied by one. `factors` are the operands
/// that `matmul` multiplies.
pub(super) fn solve(spec: &Spec, factors: [usize; 2]) -> Result<Vec<String>, Vec<Diagnostic>> {
    let of_factors = factors.into_iter().find_map(|factor| {
        let operand = &spec.operands[factor];
        let batch = Some(&operand.batch[..]).filter(|batch| !batch.is_empty())?;
        Some((operand.name.as_str(), batch))
    });
    let mut broken = Vec::new();
    broken.extend(distinct(spec));
    broken.extend(of_output(spec, factors, of_factors));
    let written = Some(("the output".to_owned(), &spec.output().batch[..]));
    let written = written.filter(|(_, batch)| !batch.is_empty());
    let known = written.or(of_factors.map(|(name, batch)| (format!("`{name}`"), batch)));
    for number in 0..spec.operands.len() {
        // A batch index of the output is that of a factor.
        let may_widen = factors.contains(&number) && !spec.output().batch.is_empty();
        broken.extend(of_operand(spec, number, known.as_ref(), may_widen));
    }
    if broken.is_empty() {
        broken.extend(of_no_factor(spec, factors));
    }
    broken.extend(known.and_then(|(_, batch)| within_a_matrix(spec, factors, batch)));
    if broken.is_empty() { Ok(spec.output().batch.clone()) } else { Err(broken) }
}

/// Proves that no output is reduced over the batch, which would be several mistakes in its indices.
pub(super) fn is_kept(spec: &Spec, factors: [usize; 2]) -> Result<(), Vec<Diagnostic>> {
    let reduced = spec.outputs.iter().enumerate().find_map(|(number, output)| {
        let OutputIndices::Reduced(index) = &output.indices else { return None };
        let factor = factors.into_iter().find(|of| spec.operands[*of].batch.contains(index))?;
        output.batch.is_empty().then_some((number, index, factor))
    });
    let Some((number, index, factor)) = reduced else { return Ok(()) };
    let [factor, other] = match factors {
        [a, b] if a == factor => [a, b],
        [a, b] => [b, a],
    };
    let indices = |of: usize| spec.operands[of].kind.indices();
    let free = indices(factor).iter().find(|of| !indices(other).contains(of));
    let free = free.map_or("M", String::as_str);
    let (declared, output) = (&spec.operands[factor], &spec.outputs[number]);
    let batch = batch_indices(&declared.batch);
    Err(vec![Diagnostic::new(
        Rule::BatchIndices,
        Field::OutputIndex(number, 0),
        format!(
            "`{}` is batched over `{index}`, and a kernel reduces nothing over a batch",
            declared.name
        ),
        format!(
            "write `Batched<{}, {batch}, {free}>`, and reduce over `{index}` after the launch",
            output.element
        ),
    )])
}

/// The output has each index once.
fn distinct(spec: &Spec) -> Option<Diagnostic> {
    let batch = &spec.output().batch;
    let twice = |(number, index): &(usize, &String)| batch[..*number].contains(index);
    let (_, index) = batch.iter().enumerate().find(twice)?;
    Some(Diagnostic::new(
        Rule::BatchIndices,
        Field::OutputBatch(0),
        format!("the output is batched over `{index}` twice"),
        "use two different indices",
    ))
}

/// The output is a batch if, and only if, an operand that is multiplied is one.
fn of_output(
    spec: &Spec,
    factors: [usize; 2],
    of_factors: Option<(&str, &[String])>,
) -> Option<Diagnostic> {
    let (indices, element) = (spec.output().indices.names().join(", "), spec.output().element);
    let plain = if spec.output().indices.is_reduced() { "Vector" } else { "Mat" };
    match (of_factors, &spec.output().batch[..]) {
        (Some((name, batch)), []) => {
            let batch = batch_indices(batch);
            Some(Diagnostic::new(
                Rule::BatchIndices,
                Field::Output(0),
                format!("`{name}` is batched over `{batch}`, but the output is one matrix"),
                format!("write `Batched<{element}, {batch}, {indices}>`"),
            ))
        }
        (None, batch @ [_, ..]) => {
            let [a, b] = factors.map(|factor| &spec.operands[factor].name);
            let batch = batch_indices(batch);
            Some(Diagnostic::new(
                Rule::BatchIndices,
                Field::OutputBatch(0),
                format!("the output is batched over `{batch}`, but neither `{a}` nor `{b}` is"),
                format!(
                    "write `{plain}<{element}, {indices}>`, or batch one of the two over `{batch}`"
                ),
            ))
        }
        _ => None,
    }
}

/// Each index is that of a factor.
fn of_no_factor(spec: &Spec, factors: [usize; 2]) -> Option<Diagnostic> {
    let has = |index: &String| factors.iter().any(|of| spec.operands[*of].batch.contains(index));
    let index = spec.output().batch.iter().find(|index| !has(index))?;
    let [a, b] = factors.map(|factor| &spec.operands[factor].name);
    Some(Diagnostic::new(
        Rule::BatchIndices,
        Field::OutputBatch(0),
        format!("the output is batched over `{index}`, but neither `{a}` nor `{b}` is"),
        format!("remove `{index}`, or batch one of the two over it"),
    ))
}

/// An operand is a batch over indices that are `known`, in their order, or over none.
fn of_operand(
    spec: &Spec,
    number: usize,
    known: Option<&(String, &[String])>,
    may_widen: bool,
) -> Option<Diagnostic> {
    let operand = &spec.operands[number];
    if operand.batch.is_empty() {
        return None;
    }
    let (name, batch) = (&operand.name, batch_indices(&operand.batch));
    let at = Field::OperandBatch(number);
    if let OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) = operand.kind {
        let message = format!("`{name}` is a scalar and cannot be batched over `{batch}`");
        let help = "remove the index: a scalar is broadcast over the batch";
        return Some(Diagnostic::new(Rule::BatchIndices, at, message, help));
    }
    let (message, help) = match known {
        Some((_, all)) if is_part(&operand.batch, all) => return None,
        Some((whose, all)) => {
            let other = batch_indices(all);
            let rest = match all.len() {
                1 => "remove the index: unbatched operands are broadcast over the batch",
                _ => "leave indices out: operands are broadcast over those that they lack",
            };
            let wider = match may_widen && is_part(all, &operand.batch) {
                true => format!("; or batch {whose} over `{batch}`, too"),
                false => String::new(),
            };
            (
                format!("`{name}` is batched over `{batch}`, but {whose} over `{other}`"),
                format!("write `{other}`, or {rest}{wider}"),
            )
        }
        None => (
            format!("`{name}` is batched over `{batch}`, but the output is not batched"),
            "remove the index, or batch a factor of `matmul`".to_owned(),
        ),
    };
    Some(Diagnostic::new(Rule::BatchIndices, at, message, help))
}

/// Whether all these indices are among others, in their order.
fn is_part(indices: &[String], of: &[String]) -> bool {
    let mut rest = of.iter();
    indices.iter().all(|index| rest.any(|other| other == index))
}

/// The indices of the batch are none of the product's.
fn within_a_matrix(spec: &Spec, factors: [usize; 2], batch: &[String]) -> Option<Diagnostic> {
    let of_factors = factors.map(|factor| {
        let operand = &spec.operands[factor];
        let indices = match &operand.kind {
            OperandKind::Matrix { indices, .. } => indices.as_slice(),
            _ => &[],
        };
        (format!("`{}`", operand.name), indices)
    });
    let all = || {
        let of_output = ("the output".to_owned(), spec.output().indices.names());
        of_factors.iter().cloned().chain([of_output])
    };
    let (index, (whose, _)) = batch
        .iter()
        .find_map(|index| Some((index, all().find(|(_, indices)| indices.contains(index))?)))?;
    let first = spec.operands.iter().position(|operand| !operand.batch.is_empty());
    let at = match (spec.output().batch.is_empty(), first) {
        (true, Some(first)) => Field::OperandBatch(first),
        _ => Field::OutputBatch(0),
    };
    let the = if batch.len() == 1 { "the" } else { "a" };
    Some(Diagnostic::new(
        Rule::BatchIndices,
        at,
        format!("`{index}` is {the} batch index and also an index of {whose}"),
        "use a different index for the batch",
    ))
}
