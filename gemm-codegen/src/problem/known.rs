//! What is known of a problem while it is resolved.

use super::axes::{self, Axes};
use super::factor::{Multiplied, Read};
use super::{Problem, batch, outputs, pairs, segments};
use crate::axis::Multiplicands;
use crate::body::{self, Resolved};
use crate::element::Element;
use crate::field::Field;
use crate::hardware::Availability;
use crate::rule::{Diagnostic, Findings, Rule};
use crate::spec::{OperandKind, Spec};

/// The parts of a problem that are right: a rule of a schedule can judge each by itself.
pub(crate) struct Known<'a> {
    /// The arguments of `matmul`, if the body says clearly which they are.
    pub(super) multiplied: Option<Multiplicands<Multiplied<'a>>>,
    pub(crate) axes: Option<Axes>,
    pub(crate) body: Option<Resolved>,
    pub(super) batch: Option<Vec<String>>,
}

/// Whether it says that tiles have other indices than the output.
fn is_of_tiles(spec: &Spec, broken: &Diagnostic) -> bool {
    let Field::OperandIndex(operand, _) = broken.at else { return false };
    let is_tiled = matches!(spec.operands[operand].kind, OperandKind::Tiled { .. });
    broken.rule == Rule::OperandIndices && is_tiled
}

impl<'a> Known<'a> {
    /// Resolves a spec and reports every rule of its problem that is broken; `None` if it has no output,
    /// which all other rules look at.
    pub(crate) fn new(spec: &'a Spec, findings: &mut Findings) -> Option<Known<'a>> {
        findings.keep(outputs::any(spec))?;
        let body::Resolution { multiplied, scales, body } = body::resolve(spec);
        let body = findings.keep(body);
        let multiplied = multiplied.and_then(|numbers| Multiplied::of(spec, &numbers, &scales));
        let multiplied = multiplied.map(|of| segments::in_order_of_outputs(spec, of));
        let factors = multiplied.as_ref().map(|of| [of.first.a.operand, of.first.b.operand]);
        let factors = factors.filter(|of| findings.keep(batch::is_kept(spec, *of)).is_some());
        // Scales that are misused are no values of the epilogue, whose indices they lack.
        let misused = findings.has(Rule::ScaledFactor);
        let is_other = |broken: &Diagnostic| !(misused && is_of_tiles(spec, broken));
        let others = |broken: Vec<Diagnostic>| broken.into_iter().filter(is_other).collect();
        let axes = multiplied.as_ref().filter(|_| factors.is_some());
        let axes = axes.map(|of| axes::solve(spec, of).map_err(others));
        let axes = axes.and_then(|axes| findings.keep(axes));
        let batch = factors.and_then(|of| findings.keep(batch::solve(spec, of)));
        let in_turn = multiplied.as_ref().is_some_and(|of| axes::are_in_turn(spec, of));
        // Products whose term is wrong may be meant to be in turn.
        let may_differ = in_turn || findings.has(Rule::AddedTerm);
        findings.keep(outputs::check(spec, may_differ));
        findings.keep(pairs::check(spec, multiplied.as_ref()));
        Some(Known { multiplied, axes, body, batch })
    }

    /// The elements of the arguments of `matmul`.
    pub(crate) fn elements(&self) -> Option<[Element; 2]> {
        self.multiplied.as_ref().map(|of| [of.first.a.element, of.first.b.element])
    }

    /// The numbers of the arguments of `matmul`.
    pub(crate) fn operands(&self) -> Option<Multiplicands<usize>> {
        Some(self.multiplied.as_ref()?.map(|factor| factor.operand))
    }

    /// What is read of the arguments of `matmul`.
    pub(crate) fn read(&self) -> Option<Multiplicands<Read>> {
        Some(self.multiplied.as_ref()?.map(Multiplied::read))
    }

    /// The elements that the body reads or writes, those of what is not multiplied, and the targets that
    /// convert them.
    pub(crate) fn converted(&self, spec: &Spec) -> Vec<(Element, Availability)> {
        let read = spec.operands.iter().enumerate();
        let is_factor = |number: usize| {
            let all = self.multiplied.iter().flat_map(Multiplicands::all);
            all.into_iter().any(|factor| factor.operand == number)
        };
        let read = read.filter(|(number, _)| !is_factor(*number));
        let read = read.filter_map(|(_, operand)| operand.kind.element());
        let stored = spec.outputs.iter().map(|output| output.element);
        read.map(|element| (element, element.read_on()))
            .chain(stored.map(|element| (element, element.stored_on())))
            .collect()
    }

    /// The problem, if all of it is right.
    pub(crate) fn whole(&self) -> Option<Problem> {
        let (axes, body) = (self.axes.clone()?, self.body.clone()?);
        Some(Problem { axes, body, batch: self.batch.clone()? })
    }
}
