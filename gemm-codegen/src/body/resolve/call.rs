//! Calls of functions and methods, looked up in the table.

use crate::body::coordinate::Coordinate;
use crate::body::function::{self, Function, Syntax, is_of_language};
use crate::body::reduction::Reduction;
use crate::element::ScalarType;
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{NodeId, Output, OutputIndices};
use crate::spelling::nearest;

use super::names::{Binding, possibilities};
use super::operator::convert_integer;
use super::{Checked, ExprKind, Resolver, own};

impl<'a> Resolver<'a> {
    pub(super) fn call(&mut self, id: NodeId, name: &'a str, arguments: &'a [NodeId]) -> Checked {
        if let Some(bound) = self.lookup(name)
            && self.is_refused_value(id, name, &bound)
        {
            self.check_all(arguments);
            return Checked::wrong(None);
        }
        if let Some(number) = own::find(&self.spec.body.functions, name) {
            return self.own(id, number, arguments);
        }
        if let Some(refused) = self.of_body_alone(id, name, arguments) {
            return refused;
        }
        if name == "matmul" {
            return self.matmul(id, arguments);
        }
        if let Some(of) = Coordinate::from_name(name) {
            return self.coordinate(id, of, arguments);
        }
        if let Some(reduction) = Reduction::from_name(name) {
            // More arguments than one are a single mistake, whatever they name; `max` has a method of two.
            let is_method = function::methods(name).next().is_some();
            let judged = if is_method { arguments.len() } else { arguments.len().min(1) };
            self.check_all(&arguments[..judged]);
            self.misplaced_reduction(id, reduction, arguments);
            return Checked::wrong(None);
        }
        let checked = self.check_all(arguments);
        // Generic over floats: the first one that is passed decides.
        let of = checked.iter().find_map(|x| x.ty.filter(|ty| ty.is_float()));
        match function::free(name, of.unwrap_or(self.floats.own())) {
            Some(function) => {
                let known = of.is_some() || checked.iter().all(|x| x.ty.is_some());
                let applied = self.apply(id, function, arguments, checked);
                // An argument with a mistake may have been of another float.
                if known { applied } else { Checked::wrong(None) }
            }
            None => {
                self.unknown_function(id, name, arguments);
                Checked::wrong(None)
            }
        }
    }

    /// Reports a call of a value, unless that is the consequence of another mistake; true if no function has its
    /// name.
    fn is_refused_value(&mut self, id: NodeId, name: &str, bound: &Binding) -> bool {
        let is_function = self.is_function(name);
        let is_wrong = matches!(bound, Binding::Local(local) if self.locals[*local].ty.is_none());
        if is_function || !is_wrong {
            let message = format!("`{name}` is a value here, not a function");
            let help = match is_function {
                true => "rename the value: it hides the function".to_owned(),
                false => format!("write `{name}`: a value has no arguments"),
            };
            self.report(Rule::BodyFunctions, id, message, help);
        }
        !is_function
    }

    /// Whether a body can call a function of this name.
    pub(super) fn is_function(&self, name: &str) -> bool {
        is_of_language(name) || own::find(&self.spec.body.functions, name).is_some()
    }

    /// A reduction that is not the value of an output, or of other than one value.
    fn misplaced_reduction(&mut self, id: NodeId, reduction: Reduction, arguments: &[NodeId]) {
        let name = reduction.name();
        if arguments.len() != 1 {
            // `max` and `min` of two values are methods.
            return match function::methods(name).next() {
                Some(_) => self.unknown_function(id, name, arguments),
                None => {
                    let message = format!("`{name}` takes 1 argument, got {}", arguments.len());
                    let help = format!(
                        "write `{name}(x)`: it reduces over the index that its output lacks"
                    );
                    self.report(Rule::BodyFunctions, id, message, help);
                }
            };
        }
        let message = format!(
            "`{name}` reduces over an index of the output, but its value is used in the body"
        );
        let is_vector = |output: &Output| matches!(output.indices, OutputIndices::Reduced(_));
        let of_vectors = self.spec.outputs.iter().filter(|output| is_vector(output)).count();
        let help = match of_vectors {
            1.. if self.spec.outputs.len() > 1 => format!(
                "return `{name}(..)` itself as an output `Vector<_, M>`; a second function reads that vector and \
                 computes with it"
            ),
            1.. => format!(
                "apply the computation before the reduction and end the body with `{name}(..)`, or apply it to \
                 the vector in a second function"
            ),
            0 => format!(
                "return it as an output of its own, `(h, {name}(h))` for `-> (Mat<_, M, N>, Vector<_, M>)`, \
                 and read that in a second function"
            ),
        };
        self.report(Rule::ReductionOfOutput, id, message, help);
    }

    pub(super) fn method(
        &mut self,
        id: NodeId,
        receiver: NodeId,
        name: &str,
        arguments: &'a [NodeId],
    ) -> Checked {
        let called = receiver;
        let receiver = self.check(receiver);
        let mut checked = self.check_all(arguments);
        if arguments.is_empty() && self.is_reduction_as_method(id, called, name) {
            return Checked::wrong(None);
        }
        if let Some(function) = receiver.ty.and_then(|ty| function::method(name, ty)) {
            self.check_bounds(name, called, arguments);
            checked.insert(0, receiver);
            return self.apply(id, function, arguments, checked);
        }
        // A receiver of unknown type may have any method that there is.
        if receiver.ty.is_some() || function::methods(name).next().is_none() {
            self.unknown_method(id, (called, name, arguments), receiver.ty);
        }
        Checked::wrong(None)
    }

    /// Reports bounds of `clamp` that are literals in the wrong order: every value would be the second one.
    fn check_bounds(&mut self, name: &str, receiver: NodeId, arguments: &[NodeId]) {
        let ("clamp", &[lo, hi]) = (name, arguments) else { return };
        if self.literal(lo).zip(self.literal(hi)).is_some_and(|(lo, hi)| lo > hi) {
            let [first, second] = [lo, hi].map(|bound| self.quoted(bound));
            let message = format!(
                "`clamp` takes the lower bound first, then the upper one, got `{first}` and `{second}`"
            );
            let help = format!("write `{}`", self.quoted_method(receiver, name, &[hi, lo]));
            self.report(Rule::BodyFunctions, lo, message, help);
        }
    }

    fn unknown_function(&mut self, id: NodeId, name: &str, arguments: &[NodeId]) {
        if self.is_of_tensors(id) {
            return;
        }
        let message = format!("unknown function `{name}`");
        if function::methods(name).next().is_some() {
            let call = match arguments {
                [receiver, rest @ ..] => self.quoted_method(*receiver, name, rest),
                [] => format!("z.{name}(..)"),
            };
            let help = format!("call it as a method: `{call}`");
            return self.report(Rule::BodyFunctions, id, message, help);
        }
        let coordinates = Coordinate::ALL.into_iter().filter(|of| self.has(*of));
        let words = std::iter::once("matmul").chain(coordinates.map(Coordinate::name));
        let own = self.spec.body.functions.iter().map(|function| function.name.as_str());
        let words = words.chain(function::free_names());
        let names: Vec<&str> = words.map(|name| -> &str { name }).chain(own).collect();
        let reductions = Reduction::ALL.map(Reduction::name).join("`, `");
        let own = match self.spec.body.functions.is_empty() {
            true => "; a function of your own is a plain `fn` of a module that has `#[gemm]`, too",
            false => "",
        };
        let help = possibilities("functions", &names)
            + &format!(
                "; `{reductions}` of a value end a body, for an output that is a vector{own}"
            );
        let broken = Diagnostic::new(Rule::BodyFunctions, Field::Body(id), message, help);
        let reductions = Reduction::ALL.map(Reduction::name);
        let known: Vec<&str> = names.into_iter().chain(reductions).collect();
        self.diagnostics.push(broken.among(name, &known));
    }

    fn unknown_method(
        &mut self,
        id: NodeId,
        (receiver, name, arguments): (NodeId, &str, &[NodeId]),
        found: Option<ScalarType>,
    ) {
        if self.is_of_tensors(id) {
            return;
        }
        let ty = found.unwrap_or(ScalarType::F32);
        let names: Vec<&str> = function::method_names(ty).collect();
        let all = possibilities(&format!("methods of {ty}"), &names);
        let reduction = Reduction::from_name(name);
        let as_function = |name: &str, all: &[NodeId]| {
            format!("`{name}({})`", self.quoted_all(&[&[receiver], all].concat()))
        };
        let near = nearest(name, names.iter().copied().chain(function::free_names()));
        let near = near.filter(|near| function::frees(near).next().is_some());
        let (help, known) = if reduction.is_some() {
            let call = as_function(name, &[]);
            (format!("call it as a function at the end of the body: {call}"), &[][..])
        } else if let Some(near) = near {
            let call = as_function(near, arguments);
            match near == name {
                true => (format!("call it as a function: {call}"), &[][..]),
                false => (format!("did you mean the function {call}?"), &[][..]),
            }
        } else if let Some(other) = function::methods(name).next() {
            (format!("{} has this method; {all}", other.own()), &[][..])
        } else {
            (all, &names[..])
        };
        let message = format!("{ty} has no method `{name}` in a body");
        let broken = Diagnostic::new(Rule::BodyFunctions, Field::Body(id), message, help);
        self.diagnostics.push(broken.among(name, known));
    }

    pub(super) fn check_all(&mut self, ids: &[NodeId]) -> Vec<Checked> {
        ids.iter().map(|id| self.check(*id)).collect()
    }

    /// Checks the arguments of a call; in `checked` the receiver of a method precedes them.
    fn apply(
        &mut self,
        id: NodeId,
        function: &'static Function,
        arguments: &[NodeId],
        checked: Vec<Checked>,
    ) -> Checked {
        let expected = function.arguments();
        if arguments.len() != expected.len() {
            let names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
            let receiver = match function.syntax {
                Syntax::Free => "",
                Syntax::Method => "x.",
            };
            let call = format!("{receiver}{}({})", function.name, names.join(", "));
            self.wrong_count(id, function.name, (&call, expected.len()), arguments.len());
            return Checked::wrong(Some(function.result));
        }
        let found = checked.iter().skip(checked.len() - arguments.len());
        let mut right = true;
        for ((argument, (_, ty)), found) in arguments.iter().zip(expected).zip(found) {
            let help = self.for_integer(function, *ty, (found.ty, *argument));
            right &= self.expect_or(*ty, found.ty, *argument, help);
        }
        let values: Option<Vec<_>> = checked.into_iter().map(|value| value.expr).collect();
        let kind = values.filter(|_| right).map(|values| ExprKind::Call(function, values));
        Checked::of(kind, function.result)
    }

    /// The help for a float that is an argument in place of an i32, unless it is written as a whole number.
    fn for_integer(
        &self,
        function: &Function,
        ty: ScalarType,
        (found, argument): (Option<ScalarType>, NodeId),
    ) -> Option<String> {
        let found = found.filter(|found| found.is_float() && ty == ScalarType::I32)?;
        let argument = self.tail(argument);
        match (self.whole(argument), function.own(), function.name) {
            (Some(_), ..) => None,
            (None, ScalarType::I32, _) => Some(convert_integer(found)),
            (None, _, "powi") => Some(format!("write `powf({})`", self.quoted(argument))),
            _ => None,
        }
    }

    /// Reports a number of arguments; `call` is how the function is called, and with how many.
    pub(super) fn wrong_count(
        &mut self,
        id: NodeId,
        name: &str,
        (call, expected): (&str, usize),
        found: usize,
    ) {
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("`{name}` takes {expected} argument{plural}, got {found}");
        self.report(Rule::BodyFunctions, id, message, format!("write `{call}`"));
    }
}
