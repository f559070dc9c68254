//! [`Segment`]: one of several products that are computed in turn, each with an output of its own.
//!
//! `(matmul(x, wq) + bq, matmul(x, wk) + bk)` with `wq: Mat<_, NQ, K>` and `wk: Mat<_, NK, K>` is one launch, whose
//! tiles are those of the first product, then those of the second one. All products have the tile, the main loop and
//! the body of the first one. A block takes the operands of the product that its tile is of.

use super::alone::{alone, ends};
use super::{Axes, Known, Problem, in_turn};
use crate::axis::{Axis, Multiplicands, PerSide};
use crate::field::Field;
use crate::problem::factor::Multiplied;
use crate::rule::{Diagnostic, Findings, Rule};
use crate::spec::{NodeId, Output, Planes, Spec};

/// One product of several in turn: a problem of its own.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The function of this product alone. Its operands are in the order in which the body first names them, so that
    /// those of all segments correspond.
    pub(crate) spec: Spec,
    pub(crate) problem: Problem,
    /// The number of each of its operands in the function.
    pub(crate) operands: Vec<usize>,
    /// The axis of its columns in the function; in its own problem they are N.
    pub(crate) columns: Axis,
}

impl Segment {
    /// What this product alone computes, of [`operands`](Segment::operands).
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The numbers of its operands among those of the function.
    pub fn operands(&self) -> &[usize] {
        &self.operands
    }

    /// The axis of its columns.
    pub fn columns(&self) -> Axis {
        self.columns
    }
}

/// The same products with the one of the first output first, where each has an output: `let`s may name them in any order.
pub(super) fn in_order_of_outputs<'a>(
    spec: &Spec,
    mut of: Multiplicands<Multiplied<'a>>,
) -> Multiplicands<Multiplied<'a>> {
    let has_each = spec.outputs.len() == of.products() as usize;
    let rows = of.first.a.indices;
    let stored = spec.outputs[0].indices.names().last();
    let stored = stored.filter(|index| has_each && !rows.contains(index));
    let has = |factor: &Multiplied<'_>| stored.is_some_and(|of| factor.indices.contains(of));
    if !has(&of.first.b)
        && let Some(first) = of.more.iter().position(has)
    {
        std::mem::swap(&mut of.first.b, &mut of.more[first]);
    }
    of
}

/// The index of the columns of each product that has another one than the first: N1 and so on. None where the function has
/// not an output for each: then products lie next to each other. Of a factor without K it is what an output has as its
/// columns.
pub(super) fn further<'a>(
    spec: &'a Spec,
    of: &Multiplicands<Multiplied<'a>>,
    [m, n, k]: &[String; 3],
) -> Vec<&'a String> {
    if spec.outputs.len() != of.products() as usize {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut unclaimed = in_turn::unclaimed(spec, of);
    for other in &of.more {
        let free = match other.indices {
            [free, summed] | [summed, free] if summed == k => free,
            [free, _] | [_, free] if free != n && in_turn::is_stored(spec, free) => free,
            _ => continue,
        };
        // One that has the rows of the output was meant to have columns that no other has.
        let Some(free) = (if free == m { unclaimed.next() } else { Some(free) }) else { continue };
        // A factor that has K twice is a mistake of its own.
        if free != n && free != k && !found.contains(&free) {
            found.push(free);
        }
    }
    found
}

impl<'a> Known<'a> {
    /// The products in turn of a function without mistakes, each with an output; `None` if one is wrong. There are none
    /// where the products lie next to each other: they have the same columns, and a value takes several, or they are not
    /// computed alike.
    pub(crate) fn segments(
        &self,
        asked: &Spec,
        planes: Option<Planes>,
        findings: &mut Findings,
    ) -> Option<Vec<Segment>> {
        let axes = self.axes.as_ref()?;
        if axes.is_in_turn() {
            findings.report(unfit(asked, planes));
            self.whole()?;
            return split(asked, &axes.columns, findings);
        }
        let outputs = &asked.outputs;
        let is_alike = |of: &Output| {
            !of.indices.is_reduced() && of.element == outputs[0].element && of.in_place.is_none()
        };
        let are_separate = outputs.len() > 1
            && outputs.len() == axes.products() as usize
            && outputs.iter().all(is_alike);
        if !are_separate || axes.added.is_some() || !unfit(asked, planes).is_empty() {
            return None;
        }
        self.whole()?;
        split(asked, &vec![Axis::N; outputs.len()], &mut Findings::default())
    }

    /// The same with the columns of these products in turn.
    pub(crate) fn with_columns_of(mut self, segments: &[Segment]) -> Known<'a> {
        if let Some(axes) = &mut self.axes {
            axes.columns = segments.iter().map(|segment| segment.columns).collect();
        }
        self
    }

    /// What rules can judge where products are to be computed in turn and one of them is wrong: the first one.
    pub(crate) fn without_wrong_products(mut self) -> Known<'a> {
        if self.axes.as_ref().is_some_and(Axes::is_in_turn) {
            (self.axes, self.body) = (None, None);
            self.multiplied = self.multiplied.map(|of| Multiplicands { more: Vec::new(), ..of });
        }
        self
    }

    /// What is known of one of the segments, by names of the function.
    pub(crate) fn of_segment(asked: &'a Spec, segment: &Segment) -> Option<Known<'a>> {
        let mut none = Findings::default();
        let known = Known::new(&segment.spec, &mut none)?;
        let renamed = |of: &Multiplied<'_>| {
            let declared = &asked.operands[segment.operands[of.operand]];
            Multiplied::declared((of.operand, of.applied), declared)
        };
        let of = known.multiplied.as_ref()?;
        let first = of.first.map(|of| renamed(&of));
        let first = PerSide { a: first.a?, b: first.b? };
        let multiplied = Multiplicands { first, more: Vec::new(), added: None };
        Some(Known {
            multiplied: Some(multiplied),
            axes: known.axes,
            body: known.body,
            batch: known.batch,
        })
    }
}

/// The product of each output, whose columns have these axes.
fn split(asked: &Spec, columns: &[Axis], findings: &mut Findings) -> Option<Vec<Segment>> {
    let (lets, ends) = ends(&asked.body);
    let mut segments: Vec<Segment> = Vec::new();
    for (output, (columns, end)) in columns.iter().zip(&ends).enumerate() {
        let (spec, operands) = alone(asked, output, &lets, *end);
        let mut own = Findings::default();
        let problem = Known::new(&spec, &mut own).and_then(|known| known.whole());
        if let Some(broken) = own.take() {
            findings.report(broken.into_iter().map(|one| one.renumbered(output, &operands)));
            return None;
        }
        let segment = Segment { spec, problem: problem?, operands, columns: *columns };
        let is_alone = segment.problem.products() == 1;
        if !is_alone || !segments.iter().all(|other| segment.is_like(other)) {
            findings.report([unlike(asked, output, *end)]);
            return None;
        }
        segments.push(segment);
    }
    Some(segments)
}

impl Segment {
    /// Whether it computes what another one does, of operands of its own.
    fn is_like(&self, other: &Segment) -> bool {
        let mut own = self.problem.clone();
        own.axes.indices.clone_from(&other.problem.axes.indices);
        own.body.locals.clone_from(&other.problem.body.locals);
        let batches = |of: &Segment| -> Vec<Vec<String>> {
            of.spec.operands.iter().map(|operand| operand.batch.clone()).collect()
        };
        own == other.problem && batches(self) == batches(other) && self.has_places_of(other)
    }

    /// Whether the matrices and vectors that both have are at the same places: the text promises an alignment of each
    /// place.
    fn has_places_of(&self, other: &Segment) -> bool {
        let is_tensor = |slot: usize| !self.spec.operands[slot].kind.is_scalar();
        let place = |number: &usize| other.operands.iter().position(|of| of == number);
        self.operands.iter().enumerate().all(|(slot, number)| {
            !is_tensor(slot) || place(number).is_none_or(|other| other == slot)
        })
    }
}

/// What of a schedule is not there for products in turn.
fn unfit(asked: &Spec, planes: Option<Planes>) -> Vec<Diagnostic> {
    let of_planes = planes.map(|_| {
        let message = "products of different columns read their factors as they are, not as planes";
        let help = "use `precision = tf32`, or compute them in several functions";
        Diagnostic::new(Rule::ProductsInTurn, Field::Precision, message, help)
    });
    let early = asked.schedule.pdl.as_ref().filter(|named| !named.is_empty());
    let early = early.map(|_| {
        let message = "factors are copied early only where all products have the same columns";
        let at = Field::PdlOperand(0);
        Diagnostic::new(Rule::ProductsInTurn, at, message, "write `pdl = []`")
    });
    of_planes.into_iter().chain(early).collect()
}

/// Reports an output that is computed in another way than the first one.
fn unlike(asked: &Spec, output: usize, end: NodeId) -> Diagnostic {
    let message = format!(
        "output {output} is not computed as output 0 is, of operands of its own, but their columns differ"
    );
    let columns = asked.outputs[0].indices.names().last();
    let help = format!(
        "write the same expression for each output; where one is scaled, give each a scalar, which a launch passes as 1 \
         elsewhere: `s * matmul(..)` and `one * matmul(..)`; or give all columns `{}`, or compute this one in a second \
         function",
        columns.map_or("N", String::as_str)
    );
    Diagnostic::new(Rule::ProductsInTurn, Field::Body(end), message, help)
}
