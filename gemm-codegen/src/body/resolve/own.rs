//! Functions of the user's own: their values and their calls.

use crate::body::coordinate::Coordinate;
use crate::body::evaluate::may_panic;
use crate::body::function::is_of_language;
use crate::body::reduction::Reduction;
use crate::body::tree;
use crate::body::typed::Defined;
use crate::element::{Element, ScalarType};
use crate::field::Field;
use crate::rule::{Diagnostic, Diagnostics, Rule};
use crate::spec::{Body, Node, NodeId, Output, OutputIndices, Schedule, Spec, UserFunction};

use super::names::possibilities;
use super::{Checked, ExprKind, Local, Resolver, plain};

/// The number of the function of a body that has this name.
pub fn find_function(body: &Body, name: &str) -> Option<usize> {
    find(&body.functions, name)
}

/// The number of the function of this name.
pub(super) fn find(functions: &[UserFunction], name: &str) -> Option<usize> {
    functions.iter().position(|function| plain(&function.name) == plain(name))
}

/// Checks the functions of a body, whatever kernels call them: whether each computes with `i32` in a way that may
/// overflow or divide by zero, where the operators of Rust panic.
///
/// # Errors
/// Every mistake in them.
pub fn check_functions(body: &Body) -> Result<Vec<bool>, Diagnostics> {
    // Its own root does not matter, and may be anything.
    let mut body = body.clone();
    body.root = body.push(Node::Bool(true));
    tree::check(&body).map_err(Diagnostics)?;
    // They see neither operands nor outputs.
    let indices = OutputIndices::Matrix(["M", "N"].map(str::to_owned));
    let output = Output { in_place: None, batch: Vec::new(), element: Element::F32, indices };
    let spec = Spec {
        name: String::new(),
        operands: Vec::new(),
        outputs: vec![output],
        body,
        schedule: Schedule::default(),
    };
    let mut resolver = Resolver::new(&spec);
    let functions = resolver.functions();
    match functions.filter(|_| resolver.diagnostics.is_empty()) {
        Some(functions) => Ok(functions.iter().map(|of| may_panic(&of.value)).collect()),
        None => Err(Diagnostics(resolver.diagnostics)),
    }
}

impl<'a> Resolver<'a> {
    /// Resolves each of them, if all are right.
    pub(super) fn functions(&mut self) -> Option<Vec<Defined>> {
        let functions = self.spec.body.functions.iter().enumerate();
        let defined = functions.map(|(number, function)| {
            self.check_name(number, function);
            self.defined(function)
        });
        // Collected first, so that each mistake is reported.
        let defined: Vec<_> = defined.collect();
        self.inside = None;
        defined.into_iter().collect()
    }

    /// Resolves one of them. Only its own parameters are in scope.
    fn defined(&mut self, function: &'a UserFunction) -> Option<Defined> {
        self.inside = Some(function);
        let parameters: Vec<_> = function
            .parameters
            .iter()
            .map(|(name, ty)| {
                self.locals.push(Local::new(name, Some(*ty)));
                let local = self.locals.len() - 1;
                self.scope.push(local);
                (*ty, local)
            })
            .collect();
        let value = self.check(function.root);
        self.scope.clear();
        let right = self.expect(function.result, value.ty, function.root);
        let value = value.expr.filter(|_| right)?;
        Some(Defined { name: function.name.clone(), parameters, value })
    }

    /// Reports a name that is taken, also by one of its parameters.
    fn check_name(&mut self, number: usize, UserFunction { name, parameters, .. }: &UserFunction) {
        let broken = if is_of_language(plain(name)) {
            let message = format!("`{name}` is a function of the language");
            (message, "rename the function: a body would call the other one".to_owned())
        } else if find(&self.spec.body.functions, name) != Some(number) {
            (format!("two functions are named `{name}`"), "rename one of them".to_owned())
        } else {
            let is_second = |at: usize| {
                parameters[..at].iter().any(|(other, _)| plain(other) == plain(&parameters[at].0))
            };
            let Some(at) = (0..parameters.len()).find(|at| is_second(*at)) else { return };
            let message = format!("two parameters of `{name}` are named `{}`", parameters[at].0);
            (message, "rename one of them".to_owned())
        };
        let at = Field::UserFunction(number);
        self.diagnostics.push(Diagnostic::new(Rule::BodyFunctions, at, broken.0, broken.1));
    }

    /// A call of one of them, by its number.
    pub(super) fn own(&mut self, id: NodeId, number: usize, arguments: &'a [NodeId]) -> Checked {
        let UserFunction { name, parameters, result, .. } = &self.spec.body.functions[number];
        let checked = self.check_all(arguments);
        if arguments.len() != parameters.len() {
            let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
            self.wrong_count(
                id,
                name,
                (&format!("{name}({})", names.join(", ")), parameters.len()),
                arguments.len(),
            );
            return Checked::wrong(Some(*result));
        }
        let mut right = true;
        for ((argument, (_, ty)), found) in arguments.iter().zip(parameters).zip(&checked) {
            right &= self.expect(*ty, found.ty, *argument);
        }
        let values: Option<Vec<_>> = checked.into_iter().map(|value| value.expr).collect();
        let kind = values.filter(|_| right).map(|values| ExprKind::Own(number, values));
        Checked::of(kind, *result)
    }

    /// What a body alone can call, inside of a function: reports it.
    pub(super) fn of_body_alone(
        &mut self,
        id: NodeId,
        name: &str,
        arguments: &'a [NodeId],
    ) -> Option<Checked> {
        let UserFunction { name: function, .. } = self.inside?;
        let (ty, help) = if name == "matmul" {
            let help = format!("pass the product as an argument: `{function}(matmul(..))`");
            (None, help)
        } else if Coordinate::from_name(name).is_some() {
            (Some(ScalarType::I32), format!("pass it as an argument: `{function}({name}())`"))
        } else if Reduction::from_name(name).is_some() && arguments.len() == 1 {
            (None, format!("reduce what `{function}` returns, at the end of the body of a kernel"))
        } else {
            return None;
        };
        if name != "matmul" {
            self.check_all(arguments);
        }
        let message =
            format!("`{name}` is in the body of a kernel alone, and `{function}` is a function");
        self.report(Rule::BodyFunctions, id, message, help);
        Some(Checked::wrong(ty))
    }

    /// Reports a name that is not in scope inside of a function, if this is inside of one.
    pub(super) fn unknown_in_function(&mut self, id: NodeId, name: &str) -> bool {
        let Some(UserFunction { name: function, .. }) = self.inside else { return false };
        let names: Vec<&str> = self.scope.iter().map(|local| self.locals[*local].name).collect();
        let help = format!(
            "{}; operands, constants and `let`s of elsewhere are passed as arguments",
            possibilities(&format!("names in `{function}`"), &names)
        );
        let broken = Diagnostic::new(
            Rule::BodyNames,
            Field::Body(id),
            format!("unknown name `{name}`"),
            help,
        );
        self.diagnostics.push(broken.among(name, &names));
        true
    }
}
