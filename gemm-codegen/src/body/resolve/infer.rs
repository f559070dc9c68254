//! The types of float literals, as Rust infers them: a literal is of the type of what it meets,
//! whatever comes first, and an f64 where it meets nothing.
//!
//! Only that is decided here. What does not fit together is left to the resolver, which then knows
//! the type of every node.

use crate::body::coordinate::Coordinate;
use crate::body::function::{self, Function};
use crate::body::name::plain;
use crate::body::reduction::Reduction;
use crate::element::ScalarType::{self, Bool, F32, F64, I32};
use crate::spec::{BinaryOp, Node, NodeId, OperandKind, Output, Spec, UserFunction};

use super::classes::{Classes, Type};
use super::own;
use super::results::storable;

/// The types of the float literals of a body.
pub(super) struct Floats {
    /// By node; those of other nodes mean nothing.
    types: Vec<ScalarType>,
    own: ScalarType,
}

impl Floats {
    /// Infers them; the body is a tree.
    pub(super) fn infer(spec: &Spec) -> Floats {
        let own = float_of(spec.output());
        let mut inference = Inference {
            spec,
            inside: false,
            scope: Vec::new(),
            classes: Classes::of(own),
            literals: Vec::new(),
        };
        inference.functions();
        let results = inference.results(spec.body.root);
        for (result, output) in results.into_iter().zip(spec.outputs.iter()) {
            inference.classes.unify(result, Some(Type::Is(float_of(output))));
        }
        let mut types = vec![own; spec.body.nodes.len()];
        for (literal, ty) in &inference.literals {
            types[literal.0] = match inference.classes.shallow(*ty) {
                Type::Is(ty) => ty,
                Type::Float(_) => F64,
            };
        }
        Floats { types, own }
    }

    /// The type of a float literal.
    pub(super) fn ty(&self, literal: NodeId) -> ScalarType {
        self.types.get(literal.0).copied().unwrap_or(self.own)
    }

    /// The float that the first output is made of, which a mistake is assumed to have meant.
    pub(super) fn own(&self) -> ScalarType {
        self.own
    }
}

/// The float that an output is made of, as far as that is one.
fn float_of(output: &Output) -> ScalarType {
    storable(output).into_iter().find(|ty| ty.is_float()).unwrap_or(F32)
}

struct Inference<'a> {
    spec: &'a Spec,
    /// Whether it is inside of a function of the user's own, which sees no operands.
    inside: bool,
    /// The `let`s and parameters in scope, innermost last.
    scope: Vec<(&'a str, Option<Type>)>,
    classes: Classes,
    literals: Vec<(NodeId, Type)>,
}

impl<'a> Inference<'a> {
    /// The types within each function of the user's own.
    fn functions(&mut self) {
        self.inside = true;
        for function in &self.spec.body.functions {
            let parameters = function.parameters.iter();
            self.scope =
                parameters.map(|(name, ty)| (name.as_str(), Some(Type::Is(*ty)))).collect();
            let found = self.of(function.root, None);
            self.classes.unify(found, Some(Type::Is(function.result)));
        }
        self.scope.clear();
        self.inside = false;
    }

    /// The types of what a body ends in.
    fn results(&mut self, id: NodeId) -> Vec<Option<Type>> {
        match &self.spec.body.nodes[id.0] {
            Node::Block { bindings, value } => self.after(bindings, |this| this.results(*value)),
            Node::Tuple(values) => values.iter().map(|value| self.result(*value)).collect(),
            _ => vec![self.result(id)],
        }
    }

    /// The type of what is stored or, where that is reduced, of what is reduced.
    fn result(&mut self, id: NodeId) -> Option<Type> {
        let reduced = Reduction::called(&self.spec.body.nodes[id.0]);
        self.of(reduced.map_or(id, |(_, value)| value), None)
    }

    /// What is found with these `let`s in scope.
    fn after<T>(
        &mut self,
        bindings: &'a [(String, NodeId)],
        find: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.scope.len();
        for (name, value) in bindings {
            let ty = self.of(*value, None);
            self.scope.push((name, ty));
        }
        let found = find(self);
        self.scope.truncate(outer);
        found
    }

    fn all(&mut self, values: &[NodeId]) -> Vec<Option<Type>> {
        values.iter().map(|value| self.of(*value, None)).collect()
    }

    /// The type of a node; none where it is unclear. `cast` is what it is directly cast to: a
    /// literal takes that type, and nothing is converted.
    fn of(&mut self, id: NodeId, cast: Option<ScalarType>) -> Option<Type> {
        let spec = self.spec;
        match &spec.body.nodes[id.0] {
            Node::Float(_) => {
                let cast = cast.filter(|to| to.is_float()).map(Type::Is);
                let ty = cast.unwrap_or_else(|| self.classes.open());
                self.literals.push((id, ty));
                Some(ty)
            }
            Node::Int(_) => Some(Type::Is(I32)),
            Node::Bool(_) => Some(Type::Is(Bool)),
            Node::Name(name) | Node::Deref(name) => self.name(name),
            Node::Call { function, arguments } => self.call(function, arguments),
            Node::Method { receiver, method, arguments } => {
                self.method(*receiver, method, arguments)
            }
            Node::Unary(_, x) => self.of(*x, cast),
            Node::Binary(op, x, y) => self.binary(*op, *x, *y),
            Node::Cast(x, to) => {
                self.of(*x, Some(*to));
                Some(Type::Is(*to))
            }
            Node::Typed(x, ty) => {
                let found = self.of(*x, None);
                self.classes.unify(found, Some(Type::Is(*ty)));
                Some(Type::Is(*ty))
            }
            Node::If { condition, then, otherwise } => {
                self.of(*condition, None);
                let (then, otherwise) = (self.of(*then, None), self.of(*otherwise, None));
                self.classes.unify(then, otherwise)
            }
            Node::Block { bindings, value } => self.after(bindings, |this| this.of(*value, cast)),
            Node::Tuple(values) => {
                self.all(values);
                None
            }
        }
    }

    fn call(&mut self, function: &str, arguments: &[NodeId]) -> Option<Type> {
        let own = own::find(&self.spec.body.functions, function);
        if function == "matmul" && own.is_none() {
            return self.product(arguments);
        }
        let found = self.all(arguments);
        if let Some(UserFunction { parameters, result, .. }) =
            own.map(|own| &self.spec.body.functions[own])
        {
            for ((_, ty), found) in parameters.iter().zip(found) {
                self.classes.unify(Some(Type::Is(*ty)), found);
            }
            return Some(Type::Is(*result));
        }
        if Coordinate::from_name(function).is_some() {
            return Some(Type::Is(I32));
        }
        let function = function::frees(function).next()?;
        let own = self.classes.open();
        self.apply(function, own, &found)
    }

    fn method(&mut self, receiver: NodeId, name: &str, arguments: &[NodeId]) -> Option<Type> {
        let receiver = self.of(receiver, None);
        let found = [vec![receiver], self.all(arguments)].concat();
        let own = self.classes.shallow(receiver?);
        let function = match own {
            Type::Is(ty) => function::method(name, ty),
            Type::Float(_) => function::method(name, F32),
        };
        self.apply(function?, own, &found)
    }

    fn binary(&mut self, op: BinaryOp, x: NodeId, y: NodeId) -> Option<Type> {
        let (x, y) = (self.of(x, None), self.of(y, None));
        match op {
            BinaryOp::And | BinaryOp::Or => Some(Type::Is(Bool)),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.classes.unify(x, y)
            }
            _ => {
                self.classes.unify(x, y);
                Some(Type::Is(Bool))
            }
        }
    }

    /// A call whose own type, that of its result, is `own`.
    fn apply(
        &mut self,
        function: &Function,
        own: Type,
        arguments: &[Option<Type>],
    ) -> Option<Type> {
        for ((_, ty), found) in function.parameters.iter().zip(arguments) {
            let expected = if *ty == function.own() { own } else { Type::Is(*ty) };
            self.classes.unify(Some(expected), *found);
        }
        Some(own)
    }

    fn name(&self, name: &str) -> Option<Type> {
        let name = plain(name);
        if let Some((_, ty)) = self.scope.iter().rev().find(|(local, _)| plain(local) == name) {
            return *ty;
        }
        if self.inside {
            return None;
        }
        let operand = self.spec.operands.iter().find(|operand| plain(&operand.name) == name);
        let output = &self.spec.output();
        let is_output = || output.in_place.as_deref().map(plain) == Some(name);
        match operand {
            Some(operand) => Some(Type::Is(operand.kind.value())),
            None => is_output().then(|| Type::Is(output.element.value())),
        }
    }

    fn product(&self, arguments: &[NodeId]) -> Option<Type> {
        let values = arguments.iter().filter_map(|argument| self.factor(*argument));
        values.reduce(ScalarType::times).map(Type::Is)
    }

    /// The type of the elements of an argument of `matmul`.
    fn factor(&self, argument: NodeId) -> Option<ScalarType> {
        let name = match &self.spec.body.nodes[argument.0] {
            Node::Name(name) => name,
            // Of a matrix and its scales, whose type does not matter, the matrix.
            Node::Binary(_, x, y) => return self.factor(*x).or_else(|| self.factor(*y)),
            _ => return None,
        };
        if self.scope.iter().any(|(local, _)| plain(local) == plain(name)) {
            return None;
        }
        let factor = self.spec.operands.iter().position(|o| plain(&o.name) == plain(name))?;
        let kind = &self.spec.operands[factor].kind;
        matches!(kind, OperandKind::Matrix { .. }).then(|| kind.value())
    }
}

#[cfg(test)]
mod tests;
