//! A term of factors of its own that is added to the product.

use fastrand::Rng;
use gemm_codegen::body::{BinaryOp, Node, NodeId, UnaryOp};
use gemm_codegen::{
    Accumulator, Element, Operand, OperandKind, Precision, Promotion, Schedule, Spec,
};

use super::body::{Product, Term, Writer};
use super::pick::pick;
use super::{Drawn, flaw, products};

/// The index that the factors of a term are summed over.
const INDEX: &str = "Rank";

/// Draws a term now and then, where there are no `further` products.
pub(super) fn draw<'a>(rng: &mut Rng, names: &[&'a str], further: usize) -> Option<Term<'a>> {
    let &[b, a] = &products::names(names, 2)[..] else { return None };
    if further > 0 || rng.u8(0..6) > 0 {
        return None;
    }
    let weight = pick(rng, &[-1, 1, 1, 2, -3]);
    let is_first = weight != -1 && rng.u8(0..3) == 0;
    let (weight_is_first, is_anywhere) = (rng.bool(), rng.u8(0..10) == 0);
    Some(Term { factors: [a, b], weight, is_first, weight_is_first, is_anywhere })
}

impl Term<'_> {
    /// Makes the schedule of a spec one that allows a term, mostly, and gives the operands of the term: see
    /// [`operands`].
    pub(super) fn suited(
        self,
        rng: &mut Rng,
        spec: &mut Spec,
        names: [&str; 2],
        k: &str,
    ) -> Option<[Operand; 2]> {
        if !self.is_anywhere {
            suit(&mut spec.schedule, self.weight);
        }
        operands(rng, (self, spec), names, k)
    }
}

/// Removes what a schedule cannot have next to a term of this weight.
fn suit(schedule: &mut Schedule, weight: i8) {
    if let Some(named) = &mut schedule.pdl {
        named.clear();
    }
    if schedule.acc == Some(Accumulator::F16) && weight != 1 {
        schedule.acc = None;
    }
    if schedule.mma.is_some_and(|mma| mma.warps() > 1) {
        schedule.promote = Some(Promotion::Never);
    }
    if matches!(schedule.precision, Some(Precision::F16x3 | Precision::Bf16x6)) {
        // Its instructions and swizzles are those of halves.
        let Schedule { tile, warps, stages, .. } = *schedule;
        let precision = Some(Precision::Tf32);
        *schedule = Schedule { tile, warps, stages, precision, ..Schedule::default() };
    }
}

impl Writer<'_> {
    /// A product with its term.
    pub(super) fn with_term(&mut self, product: NodeId, term: Term<'_>) -> NodeId {
        let arguments = term.factors.map(|name| self.name(name)).to_vec();
        let call = self.node(Node::Call { function: "matmul".to_owned(), arguments });
        let weighted = match term.weight {
            -1 => return self.binary(BinaryOp::Sub, product, call),
            1 => call,
            weight => {
                let weight = self.weight(weight);
                let [x, y] = if term.weight_is_first { [weight, call] } else { [call, weight] };
                self.mul(x, y)
            }
        };
        let [x, y] = if term.is_first { [weighted, product] } else { [product, weighted] };
        self.add(x, y)
    }

    /// A number of the type of the sums.
    fn weight(&mut self, weight: i8) -> NodeId {
        if !matches!(self.product, Product::Integer | Product::Scaled(_)) {
            return self.float(weight.into());
        }
        let number = self.node(Node::Int(i64::from(weight).abs()));
        match weight < 0 {
            true => self.node(Node::Unary(UnaryOp::Neg, number)),
            false => number,
        }
    }
}

/// The operands of a term, which are like the factors of the product with these names; now and then one of them is
/// not. They are summed over an index of their own, or over that of the product.
fn operands(
    rng: &mut Rng,
    (term, spec): (Term<'_>, &Spec),
    names: [&str; 2],
    k: &str,
) -> Option<[Operand; 2]> {
    let along = if rng.u8(0..5) == 0 { k } else { INDEX };
    let like = |side: usize| {
        let factor = spec.operands.iter().find(|operand| operand.name == names[side])?;
        let mut operand = Operand { name: term.factors[side].to_owned(), ..factor.clone() };
        if let OperandKind::Matrix { indices, .. } = &mut operand.kind {
            for index in indices.iter_mut().filter(|index| *index == k) {
                along.clone_into(index);
            }
        }
        Some(operand)
    };
    let mut operands = [like(0)?, like(1)?];
    let other = pick(rng, &[Element::F16, Element::Bf16, Element::F32, Element::E4m3, Element::I8]);
    let side = rng.usize(0..2);
    if let OperandKind::Matrix { element, indices } = &mut operands[side].kind {
        match rng.u8(0..48) {
            0 => indices.swap(0, 1),
            1 => *element = other,
            2 => indices[rng.usize(0..2)] = "Other".to_owned(),
            3 => operands[side].batch.clear(),
            _ => {}
        }
    }
    Some(operands)
}

/// Adds the operands of a term to a spec, as its first parameters or as its last ones, and breaks it now and then.
pub(super) fn insert(
    rng: &mut Rng,
    drawn: &mut Drawn,
    operands: Option<[Operand; 2]>,
    indices: [&str; 3],
) {
    let Some(operands) = operands else { return };
    let all = &mut drawn.spec.operands;
    if rng.u8(0..3) == 0 {
        drawn.values.iter_mut().for_each(|number| *number += operands.len());
        all.splice(0..0, operands);
    } else {
        all.extend(operands);
    }
    if rng.u8(0..16) == 0 {
        flaw::inflict(rng, &mut drawn.spec, indices);
    }
}
