//! The terms of a sum: a product, and before it one that is added to it.

use super::{Entry, FACTORS_OF_B};
use crate::axis::{Axis, Side};
use crate::problem::{Factor, ParameterKind};
use crate::text::steps::Steps;

/// A term that the main loop sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// That which is added to the product: it is summed first.
    Added,
    /// The product, or those that lie next to each other.
    Product,
}

impl Entry<'_> {
    /// The terms in the order in which they are summed.
    pub(super) fn terms(&self) -> &'static [Term] {
        match self.plan.problem.added() {
            None => &[Term::Product],
            Some(_) => &[Term::Added, Term::Product],
        }
    }

    /// The factors of a side.
    pub(super) fn factors_of(&self, term: Term, side: Side) -> &[Factor] {
        match (term, self.plan.problem.added()) {
            (Term::Added, Some(added)) => std::slice::from_ref(added.factors.get(side)),
            _ => self.plan.problem.factors(side),
        }
    }

    /// What copies take of each side: the name of its factor, or of the struct of several.
    pub(super) fn factors(&self, term: Term) -> [&str; 2] {
        let in_turn = self.plan.form.copies_tensors() && !self.plan.segments.is_empty();
        Side::BOTH.map(|side| match self.factors_of(term, side) {
            _ if in_turn && side == Side::B => FACTORS_OF_B,
            [factor] => self.parameters.name(factor.operand),
            _ => FACTORS_OF_B,
        })
    }

    /// The name of what a term is summed over.
    pub(super) fn extent(&self, term: Term) -> &'static str {
        match (term, self.plan.problem.added()) {
            (Term::Added, Some(added)) => added.along.extent(),
            _ => Axis::K.extent(),
        }
    }

    /// The name of the part of it that the block multiplies.
    pub(super) fn part(&self, term: Term) -> Option<&'static str> {
        let name = match term {
            Term::Added => "added",
            Term::Product => "part",
        };
        self.plan.scheduler.has_part().then_some(name)
    }

    /// Where it begins, and its length.
    pub(super) fn along_k(&self, term: Term) -> [String; 2] {
        match self.part(term) {
            Some(part) => [format!("{part}.from"), format!("{part}.k")],
            None => ["0".to_owned(), self.extent(term).to_owned()],
        }
    }

    /// The parts of each term that the block multiplies, if they are not all of it.
    pub(super) fn parts(&self, steps: &mut Steps) {
        for term in self.terms() {
            let name = self.part(*term).unwrap_or_default();
            steps.add(self.plan.scheduler.cuda_part(name, self.extent(*term)));
        }
    }

    /// The scale of an added term, by which its sums are multiplied before those of the product begin.
    pub(super) fn scale_added(&self, steps: &mut Steps) {
        let body = &self.plan.problem.body;
        if !body.scales_added() {
            return;
        }
        let scalars = body.scalars_of_added(&self.plan.spec).map(|number| {
            let name = self.parameters.name(number);
            match self.parameters.list[number].kind {
                ParameterKind::DeviceScalar(_) => format!("to_value(*{name})"),
                _ => name.to_owned(),
            }
        });
        let scalars = scalars.collect::<Vec<_>>().join(", ");
        steps.add(format!("scale_sums(acc, added_scale({scalars}));"));
    }
}
