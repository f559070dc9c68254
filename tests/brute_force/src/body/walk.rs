//! [`Walk`]: the types of a body's nodes, and the rules that they break.

use std::collections::HashMap;

use gemm_codegen::ScalarType::{self, Bool, I32};
use gemm_codegen::body::{BinaryOp, Node, NodeId};
use gemm_codegen::{OperandKind, Rule, Spec};

use super::super::{atoms, element_of};
use super::plain;
use super::terms::{Form, Placed};
use super::types::{FUNCTIONS, INTEGER_METHODS, METHODS, Type, common};

/// The type of the output's old elements inside a body.
fn old(spec: &Spec) -> ScalarType {
    atoms::value(spec.outputs[0].element)
}

/// The operators that apply tiles to a factor, the innermost first.
pub(super) type Steps = Vec<(BinaryOp, usize)>;

/// A walk over a body, with what it has found.
pub(super) struct Walk<'a> {
    pub(super) spec: &'a Spec,
    pub(super) broken: Vec<Rule>,
    /// What each `matmul` multiplies, if that is two matrices.
    pub(super) products: Vec<Option<[usize; 2]>>,
    /// The matrices that any `matmul` names, whatever else it names.
    pub(super) factors: Vec<usize>,
    /// What is applied to each of them.
    pub(super) steps: Vec<(usize, Steps)>,
    /// Where the kernel has these products.
    pub(super) placed: Placed,
    /// The types of the nodes and what is known of their sums, by number.
    pub(super) forms: HashMap<usize, (Option<Type>, Form)>,
    /// Whether second factors have other kinds of scales.
    pub(super) are_scaled_otherwise: bool,
    /// Operands whose value is read.
    pub(super) values: Vec<usize>,
}

/// The `let`s in scope.
pub(super) type Scope = Vec<(String, Option<Type>)>;

impl Walk<'_> {
    pub(super) fn new(spec: &Spec) -> Walk<'_> {
        let (broken, products) = (Vec::new(), Vec::new());
        Walk {
            spec,
            broken,
            products,
            factors: vec![],
            steps: vec![],
            placed: Placed::new(),
            forms: HashMap::new(),
            are_scaled_otherwise: false,
            values: vec![],
        }
    }

    /// Whether the body ends in a tuple, and the types of what it ends in.
    pub(super) fn results(&mut self) -> (bool, Vec<Option<Type>>) {
        let (mut end, mut scope) = (self.spec.body.root, Vec::new());
        while let Node::Block { bindings, value } = &self.spec.body.nodes[end.0] {
            self.bind(bindings, &mut scope);
            end = *value;
        }
        match &self.spec.body.nodes[end.0] {
            Node::Tuple(values) => {
                (true, values.iter().map(|value| self.value(*value, &mut scope)).collect())
            }
            _ => (false, vec![self.value(end, &mut scope)]),
        }
    }

    fn bind(&mut self, bindings: &[(String, NodeId)], scope: &mut Scope) {
        for (name, bound) in bindings {
            let ty = self.value(*bound, scope);
            scope.push((name.clone(), ty));
        }
    }

    /// The type of a node, if it has one.
    pub(super) fn value(&mut self, id: NodeId, scope: &mut Scope) -> Option<Type> {
        let mistakes = self.broken.len();
        let ty = self.value_of(id, scope);
        let form = match self.forms.remove(&id.0) {
            Some((_, form)) => form,
            None => self.form(id, self.broken.len() == mistakes, scope),
        };
        self.forms.insert(id.0, (ty, form));
        ty
    }

    fn value_of(&mut self, id: NodeId, scope: &mut Scope) -> Option<Type> {
        match &self.spec.body.nodes[id.0] {
            Node::Float(_) => Some(Type::Float),
            Node::Int(_) => Some(Type::Is(I32)),
            Node::Bool(_) => Some(Type::Is(Bool)),
            Node::Name(name) => self.name(name, scope),
            Node::Deref(name) => self.deref(name, scope),
            Node::Call { function, arguments } => self.function((id, function), arguments, scope),
            Node::Method { receiver, method, arguments } => {
                self.method(*receiver, method, arguments, scope)
            }
            Node::Unary(op, x) => self.unary(*op, *x, scope),
            Node::Binary(op, x, y) => {
                let (x, y) = (self.value(*x, scope), self.value(*y, scope));
                self.operator(*op, x, y)
            }
            Node::Cast(x, to) => self.cast(*x, *to, scope),
            Node::Typed(x, ty) => self.typed(*x, Type::Is(*ty), scope),
            Node::If { condition, then, otherwise } => {
                self.branch([*condition, *then, *otherwise], scope)
            }
            Node::Tuple(values) => {
                for value in values {
                    self.value(*value, scope);
                }
                self.broken.push(Rule::OutputsOfBody);
                None
            }
            Node::Block { bindings, value } => {
                let outer = scope.len();
                self.bind(bindings, scope);
                let ty = self.value(*value, scope);
                scope.truncate(outer);
                ty
            }
        }
    }

    /// Whether an output or an operand has several matrices.
    fn has_batch(&self) -> bool {
        let operands = self.spec.operands.iter().map(|operand| operand.batch.len());
        operands.chain(self.spec.outputs.iter().map(|output| output.batch.len())).any(|n| n > 0)
    }

    fn function(
        &mut self,
        (id, name): (NodeId, &str),
        arguments: &[NodeId],
        scope: &mut Scope,
    ) -> Option<Type> {
        match name {
            "matmul" => self.product(id, arguments, scope),
            "batch" if arguments.is_empty() => {
                self.check(self.has_batch(), Rule::BodyFunctions);
                Some(Type::Is(I32))
            }
            _ => self.call(&FUNCTIONS, Type::Float, name, arguments, scope),
        }
    }

    fn typed(&mut self, x: NodeId, ty: Type, scope: &mut Scope) -> Option<Type> {
        let found = self.value(x, scope);
        self.expect(found, ty);
        Some(ty)
    }

    fn branch(
        &mut self,
        [condition, then, otherwise]: [NodeId; 3],
        scope: &mut Scope,
    ) -> Option<Type> {
        let condition = self.value(condition, scope);
        self.expect(condition, Type::Is(Bool));
        let (then, otherwise) = (self.value(then, scope), self.value(otherwise, scope));
        self.same(then, otherwise);
        common(then, otherwise)
    }

    fn method(
        &mut self,
        receiver: NodeId,
        method: &str,
        arguments: &[NodeId],
        scope: &mut Scope,
    ) -> Option<Type> {
        match self.value(receiver, scope) {
            Some(Type::Is(I32)) => {
                self.call(&INTEGER_METHODS, Type::Is(I32), method, arguments, scope)
            }
            Some(float) if float.is_float() => self.call(&METHODS, float, method, arguments, scope),
            _ => self.call(&METHODS, Type::Float, method, arguments, scope),
        }
    }

    pub(super) fn check(&mut self, holds: bool, rule: Rule) {
        if !holds {
            self.broken.push(rule);
        }
    }

    pub(super) fn expect(&mut self, found: Option<Type>, expected: Type) {
        self.check(found.is_none_or(|found| found.meets(expected)), Rule::BodyTypes);
    }

    pub(super) fn same(&mut self, x: Option<Type>, y: Option<Type>) {
        self.check(x.zip(y).is_none_or(|(x, y)| x.meets(y)), Rule::BodyTypes);
    }

    fn name(&mut self, name: &str, scope: &Scope) -> Option<Type> {
        let name = plain(name);
        if let Some((_, ty)) = scope.iter().rev().find(|(local, _)| plain(local) == name) {
            return *ty;
        }
        let operand = self.operand(name);
        if operand.is_none() && self.is_output(name) {
            // A reference is not a value.
            self.broken.push(Rule::BodyTypes);
            return Some(Type::Is(old(self.spec)));
        }
        self.check(operand.is_some(), Rule::BodyNames);
        if operand.is_some_and(|operand| self.has_tiles(operand)) {
            self.broken.push(Rule::ScaledFactor);
            return None;
        }
        self.values.extend(operand);
        self.type_of(operand?)
    }

    /// `*name`: of all that has a name only the output is a reference.
    fn deref(&mut self, name: &str, scope: &Scope) -> Option<Type> {
        let name = plain(name);
        let local = scope.iter().rev().find(|(local, _)| plain(local) == name);
        let operand = self.operand(name);
        match (local, operand) {
            (None, None) => {
                let output = self.is_output(name);
                self.check(output, Rule::BodyNames);
                output.then(|| Type::Is(old(self.spec)))
            }
            (Some((_, ty)), _) => {
                self.broken.push(Rule::BodyTypes);
                *ty
            }
            (None, Some(operand)) => {
                self.broken.push(Rule::BodyTypes);
                self.type_of(operand)
            }
        }
    }

    pub(super) fn operand(&self, name: &str) -> Option<usize> {
        self.spec.operands.iter().position(|o| plain(&o.name) == name)
    }

    pub(super) fn is_output(&self, name: &str) -> bool {
        self.spec.outputs[0].in_place.as_deref().map(plain) == Some(name)
    }

    fn call(
        &mut self,
        table: &[(&str, usize)],
        mut of: Type,
        function: &str,
        arguments: &[NodeId],
        scope: &mut Scope,
    ) -> Option<Type> {
        let known = table.iter().find(|(name, _)| *name == function);
        let fits = known.is_some_and(|(_, count)| *count == arguments.len());
        self.check(fits, Rule::BodyFunctions);
        for argument in arguments {
            let ty = self.value(*argument, scope);
            if fits {
                self.expect(ty, of);
            }
            // A generic function is of the first float that is passed.
            of = ty.filter(|ty| ty.meets(of)).map_or(of, |ty| of.narrower(ty));
        }
        known.map(|_| of)
    }

    /// The type of an operand inside a body, and of its products.
    pub(super) fn type_of(&self, operand: usize) -> Option<Type> {
        match &self.spec.operands[operand].kind {
            OperandKind::Scalar(ty) => Some(Type::Is(*ty)),
            kind => element_of(kind).map(|element| Type::Is(atoms::value(element))),
        }
    }
}
