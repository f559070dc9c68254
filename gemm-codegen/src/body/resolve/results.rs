//! What a body ends in: a value, or a tuple of one for each output.

use crate::body::function;
use crate::body::reduction::Reduction;
use crate::element::ScalarType;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Node, NodeId, Output, OutputIndices};

use super::{Checked, Expr, Resolver};

/// What a body ends in.
pub(super) struct Stored {
    /// The `let`s before the values.
    pub(super) bindings: Vec<(usize, Expr)>,
    /// The values that are stored, or reduced.
    pub(super) results: Vec<Expr>,
    /// How each is reduced, if it is.
    pub(super) reductions: Vec<Option<Reduction>>,
}

impl<'a> Resolver<'a> {
    /// Resolves the root: what is stored, if it is right.
    pub(super) fn results(&mut self, root: NodeId) -> Option<Stored> {
        let outputs: Vec<&Output> = self.spec.outputs.iter().collect();
        let outer = self.scope.len();
        let (mut bindings, mut end) = (Some(Vec::new()), root);
        while let Node::Block { bindings: lets, value } = self.node(end) {
            let bound = self.bind(lets);
            bindings = bindings.zip(bound).map(|(bindings, bound)| [bindings, bound].concat());
            end = *value;
        }
        let ends = match self.node(end) {
            Node::Tuple(values) => values.clone(),
            _ => vec![end],
        };
        let (reductions, ends): (Vec<_>, Vec<_>) =
            ends.into_iter().enumerate().map(|(number, end)| self.reduced(number, end)).unzip();
        let checked: Vec<Checked> = ends.iter().map(|value| self.check(*value)).collect();
        self.scope.truncate(outer);
        self.expect_reduced(&reductions, &ends);
        // A tuple elsewhere has been reported, and the count would follow from it.
        let misplaced = self.diagnostics.iter().any(|d| d.rule == Rule::OutputsOfBody);
        if !misplaced && self.expect_count(end, outputs.len()) {
            for ((output, value), at) in outputs.into_iter().zip(&checked).zip(&ends) {
                self.expect_storable(output, value.ty, *at);
            }
            self.expect_one_type(&reductions, &checked, &ends);
        }
        let values = checked.into_iter().map(|value| value.expr).collect::<Option<_>>();
        let bindings = bindings.map(|bindings| self.left(bindings));
        bindings.zip(values).map(|(bindings, results)| Stored { bindings, results, reductions })
    }

    /// How the value of an output is reduced, and what is reduced; or that it is not, and the value. Reports
    /// a reduction of what is stored as a matrix.
    fn reduced(&mut self, number: usize, end: NodeId) -> (Option<Reduction>, NodeId) {
        let called = Reduction::called(self.node(end));
        let Some(output) = self.spec.outputs.get(number) else {
            return called.map_or((None, end), |(reduction, value)| (Some(reduction), value));
        };
        match (called, &output.indices) {
            (Some((reduction, value)), OutputIndices::Reduced(_)) => (Some(reduction), value),
            (Some((reduction, value)), OutputIndices::Matrix([row, column])) => {
                let (name, element) = (reduction.name(), output.element);
                let message =
                    format!("`{name}` reduces to a vector, but output {number} is a matrix");
                let help = format!(
                    "return `Vector<{element}, {row}>` to reduce over `{column}`, \
                     `Vector<{element}, {column}>` over `{row}`"
                );
                self.report(Rule::ReductionOfOutput, end, message, help);
                (Some(reduction), value)
            }
            (None, OutputIndices::Reduced(_) | OutputIndices::Matrix(_)) => (None, end),
        }
    }

    /// Reports each vector that nothing is reduced to, in a body without another mistake: a wrong reduction is one.
    fn expect_reduced(&mut self, reductions: &[Option<Reduction>], ends: &[NodeId]) {
        if !self.diagnostics.is_empty() {
            return;
        }
        let outputs = self.spec.outputs.iter().zip(reductions).zip(ends).enumerate();
        for (number, ((output, reduction), end)) in outputs {
            if let (None, OutputIndices::Reduced(index)) = (reduction, &output.indices) {
                let message = format!(
                    "output {number} is a vector over `{index}`, but its value is not reduced"
                );
                let help = "write `sum(z)`, `max(z)`, `min(z)` or `abs_max(z)` of the value `z`";
                self.report(Rule::ReductionOfOutput, *end, message, help);
            }
        }
    }

    /// Reports reductions of values of several types: a thread has them in one array.
    fn expect_one_type(
        &mut self,
        reductions: &[Option<Reduction>],
        checked: &[Checked],
        at: &[NodeId],
    ) {
        let types = reductions.iter().zip(checked).zip(at);
        let mut types = types
            .filter_map(|((reduction, value), at)| reduction.and(value.ty).map(|ty| (ty, *at)));
        let Some((first, _)) = types.next() else { return };
        let others: Vec<_> = types.filter(|(ty, _)| *ty != first).collect();
        for (ty, at) in others {
            let message = format!("a value of {ty} is reduced, but one of {first} before it");
            self.report(Rule::ReductionOfOutput, at, message, format!("write `(..) as {first}`"));
        }
    }

    /// Reports a body that has not a value for each output.
    fn expect_count(&mut self, end: NodeId, outputs: usize) -> bool {
        let (found, values) = match self.node(end) {
            Node::Tuple(values) if values.len() == outputs && outputs > 1 => return true,
            Node::Tuple(values) if values.len() == 1 => ("a tuple of 1 value".to_owned(), 1),
            Node::Tuple(values) => (format!("a tuple of {} values", values.len()), values.len()),
            _ if outputs == 1 => return true,
            _ => ("one value".to_owned(), 1),
        };
        let in_place = self.spec.output().in_place.is_some();
        let help = match (values, outputs) {
            (1, 1) => "remove the comma".to_owned(),
            (_, 1) if in_place => "assign one value: several outputs must be returned".to_owned(),
            (_, 1) => {
                let of = self.outputs_for(end);
                format!("end the body with one value, or return a tuple of {values} {of}")
            }
            (1, _) => {
                format!("end the body with a tuple of {outputs} values, such as `(z, gelu(z))`")
            }
            _ if values < outputs => {
                format!("add {} more, or return {values} matrices", outputs - values)
            }
            _ => format!("remove {}, or return {values} matrices", values - outputs),
        };
        let plural = if outputs == 1 { "" } else { "s" };
        let message =
            format!("the body ends in {found}, but the function has {outputs} output{plural}");
        self.report(Rule::OutputsOfBody, end, message, help);
        false
    }

    /// What the values of a tuple are stored to.
    fn outputs_for(&self, tuple: NodeId) -> &'static str {
        let Node::Tuple(values) = self.node(tuple) else { return "matrices" };
        let reduced = |value: &&NodeId| Reduction::called(self.node(**value)).is_some();
        match values.iter().filter(reduced).count() {
            0 => "matrices",
            all if all == values.len() => "vectors",
            _ => "outputs",
        }
    }

    /// Reports a value that cannot be stored as an element of the output.
    fn expect_storable(&mut self, output: &Output, found: Option<ScalarType>, at: NodeId) {
        let possible = storable(output);
        // The type of a wrong operator is assumed.
        let tail = Field::Body(self.tail(at));
        let is_wrong = self.diagnostics.iter().any(|broken| broken.at == tail);
        if !is_wrong && found.is_none_or(|found| !possible.contains(&found)) {
            self.expect(possible[0], found, at);
        }
    }

    /// Whether `x.max()` is meant as the reduction to an output, which is then reported.
    pub(super) fn is_reduction_as_method(
        &mut self,
        id: NodeId,
        receiver: NodeId,
        name: &str,
    ) -> bool {
        let is_reduced = self.spec.outputs.iter().any(|output| output.indices.is_reduced());
        let is_both =
            Reduction::from_name(name).is_some() && function::methods(name).next().is_some();
        if !is_reduced || !is_both {
            return false;
        }
        let message = format!("`{name}` takes 1 argument, got 0");
        let value = self.quoted(receiver);
        let help = format!(
            "call it as a function at the end of the body to reduce: `{name}({value})`; of two values it is \
             `x.{name}(y)`"
        );
        self.report(Rule::BodyFunctions, id, message, help);
        true
    }

    /// Resolves both branches of an `if`. Tuples in both are one mistake.
    pub(super) fn branches(&mut self, then: NodeId, otherwise: NodeId) -> [Checked; 2] {
        let is_tuple = |broken: &Diagnostic| broken.rule == Rule::OutputsOfBody;
        let before = self.diagnostics.len();
        let yes = self.check(then);
        let between = self.diagnostics.len();
        let no = self.check(otherwise);
        if self.diagnostics[before..between].iter().any(is_tuple) {
            let of_else = self.diagnostics.split_off(between);
            self.diagnostics.extend(of_else.into_iter().filter(|broken| !is_tuple(broken)));
        }
        [yes, no]
    }

    /// Reports a tuple that does not end the body.
    pub(super) fn misplaced_tuple(&mut self, id: NodeId, values: &'a [NodeId]) -> Checked {
        for value in values {
            self.check(*value);
        }
        let help =
            "move the tuple to the end of the body, after any `let`s: `(if c { x } else { y }, z)`";
        self.report(Rule::OutputsOfBody, id, "a tuple inside an expression", help);
        Checked::wrong(None)
    }
}

/// The types of a body's value that can be stored, the most exact one first. In place it is assigned
/// to the old element, so both are of one type.
pub(super) fn storable(output: &Output) -> Vec<ScalarType> {
    match output.in_place {
        Some(_) => vec![output.element.value()],
        None => output.element.stored_from().to_vec(),
    }
}

#[cfg(test)]
mod tests;
