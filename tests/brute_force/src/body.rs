//! Bodies, walked with types as values.

mod factors;
mod operators;
mod terms;
mod types;
mod walk;

use gemm_codegen::ScalarType::Bool;
use gemm_codegen::body::BinaryOp;
use gemm_codegen::{OperandKind, Rule, Spec};

use super::limits::Capability;
use super::{atoms, outputs};
use types::Type;
use walk::Walk;

/// The rules that a body breaks.
pub(super) fn broken(spec: &Spec) -> Vec<Rule> {
    let mut walk = Walk::new(spec);
    let (is_tuple, results) = walk.results();
    let outputs = &spec.outputs;
    // Where a tuple is misplaced, nothing is said of what is stored.
    let misplaced = walk.broken.contains(&Rule::OutputsOfBody);
    let counted = results.len() == outputs.len() && is_tuple == (outputs.len() > 1);
    walk.check(misplaced || counted, Rule::OutputsOfBody);
    if counted && !misplaced {
        for (ty, output) in results.into_iter().zip(outputs) {
            let fits = |ty: Type| outputs::storable(output).iter().any(|s| ty.meets(Type::Is(*s)));
            walk.check(ty.is_none_or(fits), Rule::BodyTypes);
        }
    }
    if walk.products.is_empty() {
        walk.broken.push(Rule::Matmul);
    }
    walk.check(!walk.placed.is_added_in_part(), Rule::AddedTerm);
    if walk.placed.is_left_over() {
        walk.broken.push(Rule::SharedFactor);
    }
    let bools = spec.operands.iter().any(|o| o.kind == OperandKind::Scalar(Bool));
    if bools {
        walk.broken.push(Rule::BodyTypes);
    }
    // The multiplied operands have no values.
    if walk.values.iter().any(|operand| walk.factors.contains(operand)) {
        walk.broken.push(Rule::BodyNames);
    }
    walk.broken
}

/// The operands that the first product multiplies, if each call of `matmul` has two of them, and all share
/// the first one or are added to the first product.
pub(super) fn multiplied(spec: &Spec) -> Option<[usize; 2]> {
    products(spec)?.first().copied()
}

/// The scales of the factors of the first product, where they have any, and whether there is an offset too.
pub(super) fn scales(spec: &Spec) -> Vec<(usize, bool)> {
    let Some(factors) = multiplied(spec) else { return Vec::new() };
    factors.into_iter().filter_map(|factor| scale(spec, factor)).collect()
}

/// The scales of a factor, if it has any, and whether it has an offset too.
pub(super) fn scale(spec: &Spec, factor: usize) -> Option<(usize, bool)> {
    let mut walk = Walk::new(spec);
    walk.results();
    let (_, steps) = walk.steps.iter().find(|(of, _)| *of == factor)?;
    let (_, scale) = steps.iter().find(|(op, _)| *op == BinaryOp::Mul)?;
    Some((*scale, steps.len() > 1))
}

/// The offset of a factor with scales, if it has one.
pub(super) fn offset(spec: &Spec, factor: usize) -> Option<usize> {
    let mut walk = Walk::new(spec);
    walk.results();
    let (_, steps) = walk.steps.iter().find(|(of, _)| *of == factor)?;
    steps.iter().find(|(op, _)| *op != BinaryOp::Mul).map(|(_, offset)| *offset)
}

/// The different products of such a body that share the first factor of the first one.
pub(super) fn products(spec: &Spec) -> Option<Vec<[usize; 2]>> {
    let walk = clear(spec)?;
    let first @ [shared, _] = walk.placed.first?;
    let others = walk.placed.others.iter().map(|other| [shared, *other]);
    Some([first].into_iter().chain(others).collect())
}

/// The factors of the product that is added to the first one, and whether it is multiplied by something.
pub(super) fn term(spec: &Spec) -> Option<([usize; 2], bool)> {
    clear(spec)?.placed.term()
}

/// The operands that are multiplied, if the body says clearly which they are.
pub(super) fn factors(spec: &Spec) -> Option<Vec<usize>> {
    let of_term = term(spec).map(|(factors, _)| factors);
    Some([products(spec)?, of_term.into_iter().collect()].concat().concat())
}

/// The walk over a body whose calls of `matmul` all have their place in its kernel.
fn clear(spec: &Spec) -> Option<Walk<'_>> {
    let mut walk = Walk::new(spec);
    walk.results();
    let is_clear = walk.placed.is_clear && !walk.placed.is_left_over();
    (is_clear && !walk.are_scaled_otherwise).then_some(walk)
}

/// The architectures that the conversions came with of what a body reads, or could read, and of what it
/// writes.
pub(super) fn converted(spec: &Spec) -> Vec<Capability> {
    let factors = factors(spec).unwrap_or_default();
    let numbers = (0..spec.operands.len()).filter(|number| !factors.contains(number));
    let read = numbers.filter_map(|number| super::element_of(&spec.operands[number].kind));
    let stored = spec.outputs.iter().map(|o| atoms::first_to_store(o.element));
    read.map(atoms::first_to_read).chain(stored).collect()
}

/// A name without the mark of a raw identifier.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}
