//! The body once resolved: every name bound, every value typed.

use crate::element::ScalarType;

use super::coordinate::Coordinate;
use super::function::Function;
use super::reduction::Reduction;
use crate::spec::{BinaryOp, Spec, UnaryOp};

/// A body whose names, functions and types are right. Only [`resolve`](super::resolve) makes one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resolved {
    /// The coordinates of the element that it reads.
    pub(crate) coordinates: Vec<Coordinate>,
    /// The operands used as values, in their order of declaration.
    pub(crate) values: Vec<usize>,
    /// Name of the output, as written, if its old elements are read.
    pub(crate) old: Option<String>,
    /// Name of each `let` and of each parameter of [`Resolved::functions`], as written.
    pub(crate) locals: Vec<String>,
    /// The functions of the user's own, in the order of the spec.
    pub(crate) functions: Vec<Defined>,
    /// How many products it takes.
    pub(crate) products: usize,
    /// The term that the sum of the first product has, if one is added to it.
    pub(crate) added: Option<AddedTerm>,
    /// The type of the accumulator of each.
    pub(crate) sum: ScalarType,
    /// The `let`s before the values that are stored.
    pub(crate) bindings: Vec<(usize, Expr)>,
    /// What is stored, a value for each output: of a type that its elements are made of.
    pub(crate) results: Vec<Expr>,
    /// How each of them is reduced, if it is. All that are have one type.
    pub(crate) reductions: Vec<Option<Reduction>>,
}

impl Resolved {
    /// Whether an added term is multiplied by something.
    pub(crate) fn scales_added(&self) -> bool {
        self.added.as_ref().is_some_and(|added| added.scale.is_some())
    }

    /// The scalars in the scale of an added term, by their numbers in the spec.
    pub(crate) fn scalars_of_added(&self, spec: &Spec) -> impl Iterator<Item = usize> {
        let scale = self.added.as_ref().and_then(|added| added.scale.as_ref());
        let operands = 0..spec.operands.len();
        operands.filter(move |number| scale.is_some_and(|scale| scale.reads(*number)))
    }

    /// The type of the values that are reduced, if any are.
    pub(crate) fn reduced_type(&self) -> Option<ScalarType> {
        let mut reduced = self.results.iter().zip(&self.reductions).filter(|(_, by)| by.is_some());
        reduced.next().map(|(value, _)| value.ty)
    }

    /// The values that it computes: bound by `let`s, then stored.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Expr> {
        self.bindings.iter().map(|(_, value)| value).chain(&self.results)
    }

    /// The functions of the user's own that it calls and that these call, callees first.
    pub(crate) fn reachable(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.values().for_each(|value| self.reach(value, &mut found));
        found
    }

    fn reach(&self, from: &Expr, found: &mut Vec<usize>) {
        from.parts().into_iter().for_each(|part| self.reach(part, found));
        if let ExprKind::Own(number, _) = from.kind
            && !found.contains(&number)
        {
            self.reach(&self.functions[number].value, found);
            found.push(number);
        }
    }

    /// Whether a value of the body depends on a function.
    pub(crate) fn calls(&self, value: &Expr) -> bool {
        let bound = |local: usize| self.bindings.iter().find(|(number, _)| *number == local);
        match value.kind {
            ExprKind::Call(..) | ExprKind::Own(..) => true,
            // One that is bound inside of the value is a part of it.
            ExprKind::Local(local) => bound(local).is_some_and(|(_, value)| self.calls(value)),
            _ => value.parts().into_iter().any(|part| self.calls(part)),
        }
    }
}

/// A product whose sum is added to another one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AddedTerm {
    /// What it is multiplied by: a value that is the same for all elements, of the type of the sum.
    pub(crate) scale: Option<Expr>,
}

/// A function of the user's own whose names and types are right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Defined {
    /// Its name, as written.
    pub(crate) name: String,
    /// The types of its parameters and their numbers in [`Resolved::locals`].
    pub(crate) parameters: Vec<(ScalarType, usize)>,
    /// Its value.
    pub(crate) value: Expr,
}

/// A typed expression. Its depth is bounded, so it can be walked recursively.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    /// What it is.
    pub(crate) kind: ExprKind,
    /// The type of its value.
    pub(crate) ty: ScalarType,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprKind {
    /// A literal, rounded to its type.
    Float(f64),
    /// A literal, with its sign.
    Int(i32),
    /// A literal.
    Bool(bool),
    /// A call of `matmul`, by the number of its product.
    Accumulator(usize),
    /// A call of `matmul` that is not added to the first product: no resolved body has it.
    Apart,
    /// An index of the element.
    Coordinate(Coordinate),
    /// The element of an operand, or a scalar, by its index in the spec.
    Operand(usize),
    /// The old element of the output, by its name in [`Resolved::old`].
    Old(String),
    /// A `let` or a parameter, by its index in [`Resolved::locals`].
    Local(usize),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator on two values of one type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A conversion to the type of the expression.
    Cast(Box<Expr>),
    /// A call; a method's receiver is its first argument.
    Call(&'static Function, Vec<Expr>),
    /// A call of a function of the user's own, by its index in [`Resolved::functions`].
    Own(usize, Vec<Expr>),
    /// Condition, value if true, value if false.
    If(Box<[Expr; 3]>),
    /// Bindings in order, then the value.
    Block(Vec<(usize, Expr)>, Box<Expr>),
}

impl Expr {
    /// Whether an operand is a part of it.
    pub(crate) fn reads(&self, operand: usize) -> bool {
        self.kind == ExprKind::Operand(operand)
            || self.parts().into_iter().any(|part| part.reads(operand))
    }

    /// Whether it has a `let` inside, which C++ has no expression for.
    pub(crate) fn binds(&self) -> bool {
        matches!(self.kind, ExprKind::Block(..)) || self.parts().into_iter().any(Expr::binds)
    }

    /// The expressions that it is made of, to be changed.
    pub(super) fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Float(_)
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Accumulator(_)
            | ExprKind::Apart
            | ExprKind::Coordinate(_)
            | ExprKind::Operand(_)
            | ExprKind::Old(_)
            | ExprKind::Local(_) => Vec::new(),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) => vec![x],
            ExprKind::Binary(_, x, y) => vec![x, y],
            ExprKind::Call(_, arguments) | ExprKind::Own(_, arguments) => {
                arguments.iter_mut().collect()
            }
            ExprKind::If(parts) => parts.iter_mut().collect(),
            ExprKind::Block(bindings, value) => {
                bindings.iter_mut().map(|(_, bound)| bound).chain([&mut **value]).collect()
            }
        }
    }

    /// The expressions that it is made of.
    pub(crate) fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Float(_)
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Accumulator(_)
            | ExprKind::Apart
            | ExprKind::Coordinate(_)
            | ExprKind::Operand(_)
            | ExprKind::Old(_)
            | ExprKind::Local(_) => Vec::new(),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) => vec![x],
            ExprKind::Binary(_, x, y) => vec![x, y],
            ExprKind::Call(_, arguments) | ExprKind::Own(_, arguments) => {
                arguments.iter().collect()
            }
            ExprKind::If(parts) => parts.iter().collect(),
            ExprKind::Block(bindings, value) => {
                bindings.iter().map(|(_, bound)| bound).chain([&**value]).collect()
            }
        }
    }
}
