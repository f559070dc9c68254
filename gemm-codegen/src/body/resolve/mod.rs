//! Names, functions and types of a body: AST → typed tree, or everything that is wrong with it.

mod added;
mod call;
mod calls;
mod classes;
mod coordinates;
mod infer;
mod matmul;
mod named_terms;
mod names;
mod operator;
mod own;
mod refused_terms;
mod results;
mod rows;
mod scales;
mod scales_of_products;
mod source;
mod tensors;
#[cfg(test)]
mod tests;
mod undeclared_scales;
mod unshared;
mod untiled;

use std::collections::{BTreeMap, BTreeSet};

use crate::axis::{Multiplicands, PerSide};
use crate::element::ScalarType::{self, Bool, F32, F64, I32};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Node, NodeId, OperandKind, Spec, UserFunction};

use super::coordinate::Coordinate;
use super::name::plain;
use super::tree;
use super::typed::{Defined, Expr, ExprKind, Resolved};
use infer::Floats;
use names::Local;
pub use own::{check_functions, find_function};
pub(crate) use scales::Applied;
pub use scales::Offset;
pub(crate) use scales::scaled;

/// What resolving a body gives.
pub(crate) struct Resolution {
    /// The operands that `matmul` multiplies, where that is clear whatever else is wrong with the body.
    pub(crate) multiplied: Option<Multiplicands<usize>>,
    /// What is applied to each operand that is multiplied with scales.
    pub(crate) scales: BTreeMap<usize, Applied>,
    /// The body, or every mistake that is not a mere consequence of another one.
    pub(crate) body: Result<Resolved, Vec<Diagnostic>>,
}

/// Binds the names and functions of a body and types its values.
pub(crate) fn resolve(spec: &Spec) -> Resolution {
    #[cfg(test)]
    super::samples::count_resolution();
    if let Err(broken) = tree::check(&spec.body) {
        return Resolution { multiplied: None, scales: BTreeMap::new(), body: Err(broken) };
    }
    let mut resolver = Resolver::new(spec);
    resolver.check_scalars();
    let functions = resolver.functions();
    let stored = resolver.results(spec.body.root);
    resolver.check_multiplies();
    resolver.check_apart(stored.as_ref());
    resolver.check_uses();
    let multiplied = resolver.product.clone().filter(|_| resolver.is_clear);
    let scales = resolver.scales.iter().filter_map(|(factor, of)| Some((*factor, (*of)?)));
    let scales = scales.collect();
    Resolution { multiplied, scales, body: resolver.finish(functions, stored) }
}

/// What is known of a node. A mistake below leaves no expression, but the type may still be clear.
struct Checked {
    expr: Option<Expr>,
    ty: Option<ScalarType>,
}

impl Checked {
    fn new(kind: ExprKind, ty: ScalarType) -> Checked {
        Checked { expr: Some(Expr { kind, ty }), ty: Some(ty) }
    }

    /// A node with a mistake, of a type that is clear or not.
    fn wrong(ty: Option<ScalarType>) -> Checked {
        Checked { expr: None, ty }
    }

    /// A node of type `ty` if all below it is right.
    fn of(kind: Option<ExprKind>, ty: ScalarType) -> Checked {
        Checked { expr: kind.map(|kind| Expr { kind, ty }), ty: Some(ty) }
    }
}

struct Resolver<'a> {
    spec: &'a Spec,
    /// The types of the float literals.
    floats: Floats,
    /// Every `let` so far.
    locals: Vec<Local<'a>>,
    /// The function that is resolved; none in the body.
    inside: Option<&'a UserFunction>,
    /// The `let`s and parameters in scope, innermost last.
    scope: Vec<usize>,
    /// The coordinates that are read.
    coordinates: BTreeSet<Coordinate>,
    /// Operands used as values, and where.
    uses: Vec<(usize, NodeId)>,
    /// Whether the old elements of the output are read.
    reads_old: bool,
    /// Whether there is a `matmul`.
    multiplies: bool,
    /// Whether each `matmul` is well formed and a product of its own, or the same as another.
    is_clear: bool,
    /// Operands named by any `matmul`.
    factors: Vec<usize>,
    /// What is applied to each of them, or nothing.
    scales: BTreeMap<usize, Option<Applied>>,
    /// What each `matmul` multiplies that is well formed.
    product: Option<Multiplicands<usize>>,
    /// How many calls there are of the first product.
    calls_of_first: usize,
    /// The product of other factors, if there is one.
    apart: Option<added::Apart>,
    /// The `let`s whose names are replaced by what they are bound to: the first product, its term or a scale.
    replaced: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn new(spec: &'a Spec) -> Resolver<'a> {
        Resolver {
            spec,
            floats: Floats::infer(spec),
            locals: Vec::new(),
            inside: None,
            scope: Vec::new(),
            coordinates: BTreeSet::new(),
            uses: Vec::new(),
            scales: BTreeMap::new(),
            reads_old: false,
            multiplies: false,
            is_clear: true,
            factors: Vec::new(),
            product: None,
            calls_of_first: 0,
            apart: None,
            replaced: Vec::new(),
            diagnostics: calls::check(&spec.body),
        }
    }

    /// The body, if nothing is wrong with it.
    fn finish(
        self,
        functions: Option<Vec<Defined>>,
        stored: Option<results::Stored>,
    ) -> Result<Resolved, Vec<Diagnostic>> {
        let Resolver { spec, diagnostics, product, apart, uses, .. } = self;
        match (functions, stored, product) {
            (Some(functions), Some(stored), Some(multiplied)) if diagnostics.is_empty() => {
                let results::Stored { bindings, results, reductions } = stored;
                let added = apart.and_then(|apart| apart.added);
                let stored = || bindings.iter().map(|(_, value)| value).chain(&results);
                let values = (0..spec.operands.len())
                    .filter(|i| uses.iter().any(|(used, _)| used == i))
                    // What only the scale of a term has is not read for each element.
                    .filter(|i| added.is_none() || stored().any(|value| value.reads(*i)))
                    .collect();
                let value = |operand: usize| spec.operands[operand].kind.value();
                let PerSide { a, b } = multiplied.first;
                let sum = value(a).times(value(b));
                let products = multiplied.products() as usize;
                let locals = self.locals.into_iter().map(|local| local.name.to_owned()).collect();
                let old = spec.output().in_place.clone().filter(|_| self.reads_old);
                Ok(Resolved {
                    coordinates: self.coordinates.into_iter().collect(),
                    values,
                    old,
                    locals,
                    functions,
                    products,
                    added,
                    sum,
                    bindings,
                    results,
                    reductions,
                })
            }
            _ => Err(diagnostics),
        }
    }

    fn report(
        &mut self,
        rule: Rule,
        at: NodeId,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::new(rule, Field::Body(at), message, help));
    }

    fn node(&self, id: NodeId) -> &'a Node {
        // In range: `tree::check` has seen every node under the root.
        &self.spec.body.nodes[id.0]
    }

    /// Resolves a node and all below it.
    fn check(&mut self, id: NodeId) -> Checked {
        match self.node(id) {
            Node::Float(value) => self.float(id, *value),
            Node::Int(value) => self.int(id, *value),
            Node::Bool(value) => Checked::new(ExprKind::Bool(*value), Bool),
            Node::Name(name) => self.name(id, name),
            Node::Deref(name) => self.deref(id, name),
            Node::Call { function, arguments } => self.call(id, function, arguments),
            Node::Method { receiver, method, arguments } => {
                self.method(id, *receiver, method, arguments)
            }
            Node::Unary(op, x) => self.unary(*op, *x),
            Node::Binary(op, x, y) => self.binary(id, *op, *x, *y),
            Node::Cast(x, to) => self.cast(id, *x, *to),
            Node::Typed(x, ty) => self.typed(*x, *ty),
            Node::If { condition, then, otherwise } => self.choice(*condition, *then, *otherwise),
            Node::Block { bindings, value } => self.block(bindings, *value),
            Node::Tuple(values) => self.misplaced_tuple(id, values),
        }
    }

    fn float(&mut self, id: NodeId, value: f64) -> Checked {
        let ty = self.floats.ty(id);
        let rounded = if ty == F64 { value } else { f64::from(value as f32) };
        if value.is_finite() && rounded.is_infinite() {
            let message = format!("`{value:e}` is out of range for f32");
            self.report(Rule::BodyTypes, id, message, format!("the largest is {:e}", f32::MAX));
            return Checked::wrong(Some(F32));
        }
        Checked::new(ExprKind::Float(rounded), ty)
    }

    /// A value that says its type.
    fn typed(&mut self, x: NodeId, ty: ScalarType) -> Checked {
        let Checked { expr, ty: found } = self.check(x);
        let right = self.expect(ty, found, x);
        Checked { expr: expr.filter(|_| right), ty: Some(ty) }
    }

    fn int(&mut self, id: NodeId, value: i64) -> Checked {
        match i32::try_from(value) {
            Ok(value) => Checked::new(ExprKind::Int(value), I32),
            Err(_) => {
                let help = format!("i32 holds {} to {}", i32::MIN, i32::MAX);
                let message = format!("`{value}` is out of range for i32");
                self.report(Rule::BodyTypes, id, message, help);
                Checked::wrong(Some(I32))
            }
        }
    }

    /// Multiplied operands have no value of their own.
    fn check_uses(&mut self) {
        for (operand, id) in self.uses.clone() {
            if self.factors.contains(&operand) {
                let name = &self.spec.operands[operand].name;
                self.report(
                    Rule::BodyNames,
                    id,
                    format!("`{name}` is a factor of `matmul`, not an operand of the epilogue"),
                    "use the result of `matmul`, or add a parameter",
                );
            }
        }
    }

    fn check_scalars(&mut self) {
        for (i, operand) in self.spec.operands.iter().enumerate() {
            if operand.kind == OperandKind::Scalar(Bool) {
                self.diagnostics.push(Diagnostic::new(
                    Rule::BodyTypes,
                    Field::Operand(i),
                    format!("`{}` cannot be a bool", operand.name),
                    "use f32, f64 or i32 for a scalar parameter",
                ));
            }
        }
    }
}
