//! Which operands a body reads under a condition that is the same for every element of a launch.
//!
//! `if beta == 0.0 { z } else { z + beta * *c }` reads `c` only where `beta` is not 0. A kernel loads
//! what the body reads before it applies the body, so the condition has to guard the load: otherwise
//! the kernel would access a `c` that the function says it does not read. BLAS promises the same of
//! `beta`.

use std::collections::BTreeMap;

use super::typed::{Expr, ExprKind, Resolved};
use crate::element::ScalarType::Bool;
use crate::spec::{BinaryOp, UnaryOp};

/// Alternatives of a guard; what has more is read always.
const MAX_ALTERNATIVES: usize = 4;

/// Conditions of an alternative; further ones are left out, so that more is read.
const MAX_CONDITIONS: usize = 8;

/// Expressions that a condition is made of, with those of its `let`s.
const MAX_PARTS: usize = 32;

/// What a body reads for each element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Read {
    /// An operand, by its index in the spec.
    Operand(usize),
    /// The old element of the output.
    Old,
}

/// The condition under which something is read: of scalars and literals alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guard {
    /// Of type bool, without a `let`.
    pub(crate) condition: Expr,
    /// The scalars in it, as indices into the operands of the spec, in their order.
    pub(crate) scalars: Vec<usize>,
}

/// The guards of what a body reads; what is read always has none. `is_scalar` says which operands of
/// the spec have one value for all elements.
pub(crate) fn guards(body: &Resolved, is_scalar: impl Fn(usize) -> bool) -> BTreeMap<Read, Guard> {
    let mut bound = vec![None; body.locals.len()];
    let roots = body.results.iter().chain(body.bindings.iter().map(|(_, value)| value));
    roots.for_each(|root| note_bindings(root, &mut bound));
    body.bindings.iter().for_each(|(local, value)| bound[*local] = Some(value));
    let mut walk = Walk {
        bound,
        is_scalar: &is_scalar,
        conditions: Vec::new(),
        reads: BTreeMap::new(),
        locals: vec![Paths::default(); body.locals.len()],
    };
    body.results.iter().for_each(|result| walk.value(result, &Paths::always()));
    walk.bindings(&body.bindings);
    let Walk { conditions, reads, .. } = walk;
    reads
        .into_iter()
        .filter_map(|(read, paths)| Some((read, guard(&paths, &conditions)?)))
        .collect()
}

/// Notes the value of each `let` inside of an expression.
fn note_bindings<'a>(expr: &'a Expr, bound: &mut [Option<&'a Expr>]) {
    if let ExprKind::Block(bindings, _) = &expr.kind {
        bindings.iter().for_each(|(local, value)| bound[*local] = Some(value));
    }
    expr.parts().into_iter().for_each(|part| note_bindings(part, bound));
}

/// The ways to an expression: alternatives, each of conditions by number that hold or do not.
#[derive(Clone, Debug, Default, PartialEq)]
struct Paths(Vec<BTreeMap<usize, bool>>);

impl Paths {
    fn always() -> Paths {
        Paths(vec![BTreeMap::new()])
    }

    /// These ways, where a condition holds or does not.
    fn and(&self, condition: usize, holds: bool) -> Paths {
        let extended = |path: &BTreeMap<usize, bool>| match path.get(&condition) {
            Some(earlier) if *earlier != holds => None,
            None if path.len() < MAX_CONDITIONS => {
                let mut path = path.clone();
                path.insert(condition, holds);
                Some(path)
            }
            _ => Some(path.clone()),
        };
        Paths(self.0.iter().filter_map(extended).collect())
    }

    /// Adds these ways.
    fn or(&mut self, other: &Paths) {
        other.0.iter().for_each(|path| self.add(path.clone()));
        if self.0.len() > MAX_ALTERNATIVES {
            *self = Paths::always();
        }
    }

    fn add(&mut self, mut path: BTreeMap<usize, bool>) {
        let implies = |path: &BTreeMap<usize, bool>, other: &BTreeMap<usize, bool>| {
            other.iter().all(|(condition, holds)| path.get(condition) == Some(holds))
        };
        if self.0.iter().any(|earlier| implies(&path, earlier)) {
            return;
        }
        self.0.retain(|earlier| !implies(earlier, &path));
        // Two that differ in whether one condition holds are one without it.
        let differing = self.0.iter().enumerate().find_map(|(at, earlier)| {
            let same = earlier.len() == path.len() && earlier.keys().eq(path.keys());
            let mut other = earlier.iter().filter(|(condition, holds)| path[*condition] != **holds);
            let condition = if same { other.next() } else { None }?;
            other.next().is_none().then_some((at, *condition.0))
        });
        match differing {
            Some((at, condition)) => {
                self.0.remove(at);
                path.remove(&condition);
                self.add(path);
            }
            None => self.0.push(path),
        }
    }
}

struct Walk<'a, F> {
    /// The value of each `let`.
    bound: Vec<Option<&'a Expr>>,
    is_scalar: &'a F,
    /// The conditions that are the same for every element.
    conditions: Vec<Expr>,
    /// The ways to what is read.
    reads: BTreeMap<Read, Paths>,
    /// The ways to the uses of each `let`.
    locals: Vec<Paths>,
}

impl<'a, F: Fn(usize) -> bool> Walk<'a, F> {
    fn value(&mut self, expr: &'a Expr, paths: &Paths) {
        match &expr.kind {
            ExprKind::Operand(operand) => self.read(Read::Operand(*operand), paths),
            ExprKind::Old(_) => self.read(Read::Old, paths),
            ExprKind::Local(local) => self.locals[*local].or(paths),
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.value(condition, paths);
                match self.condition(condition) {
                    Some(number) => {
                        self.value(then, &paths.and(number, true));
                        self.value(otherwise, &paths.and(number, false));
                    }
                    None => [then, otherwise].into_iter().for_each(|x| self.value(x, paths)),
                }
            }
            ExprKind::Block(bindings, value) => {
                self.value(value, paths);
                self.bindings(bindings);
            }
            _ => expr.parts().into_iter().for_each(|part| self.value(part, paths)),
        }
    }

    fn read(&mut self, read: Read, paths: &Paths) {
        self.reads.entry(read).or_default().or(paths);
    }

    /// The values of `let`s, the last first: all uses of one are then known.
    fn bindings(&mut self, bindings: &'a [(usize, Expr)]) {
        for (local, value) in bindings.iter().rev() {
            let paths = std::mem::take(&mut self.locals[*local]);
            self.value(value, &paths);
        }
    }

    /// The number of a condition that is the same for every element.
    fn condition(&mut self, condition: &Expr) -> Option<usize> {
        let condition = self.uniform(condition, &mut MAX_PARTS.clone())?;
        let known = self.conditions.iter().position(|earlier| *earlier == condition);
        Some(known.unwrap_or_else(|| {
            self.conditions.push(condition);
            self.conditions.len() - 1
        }))
    }

    /// An expression with its `let`s in place, if it is the same for every element and has at most
    /// `left` parts.
    fn uniform(&self, expr: &Expr, left: &mut usize) -> Option<Expr> {
        *left = left.checked_sub(1)?;
        let kind = match &expr.kind {
            ExprKind::Float(_) | ExprKind::Int(_) | ExprKind::Bool(_) => expr.kind.clone(),
            ExprKind::Operand(operand) if (self.is_scalar)(*operand) => expr.kind.clone(),
            ExprKind::Local(local) => return self.uniform(self.bound[*local]?, left),
            ExprKind::Block(_, value) => return self.uniform(value, left),
            ExprKind::Unary(op, x) => ExprKind::Unary(*op, Box::new(self.uniform(x, left)?)),
            ExprKind::Cast(x) => ExprKind::Cast(Box::new(self.uniform(x, left)?)),
            ExprKind::Binary(op, x, y) => {
                let x = Box::new(self.uniform(x, left)?);
                ExprKind::Binary(*op, x, Box::new(self.uniform(y, left)?))
            }
            ExprKind::Call(function, arguments) => {
                let arguments = arguments.iter().map(|x| self.uniform(x, left));
                ExprKind::Call(function, arguments.collect::<Option<Vec<Expr>>>()?)
            }
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.uniform(condition, left)?;
                let then = self.uniform(then, left)?;
                ExprKind::If(Box::new([condition, then, self.uniform(otherwise, left)?]))
            }
            // The guard is written without the functions of the user's own.
            ExprKind::Own(..)
            | ExprKind::Accumulator(_)
            | ExprKind::Apart
            | ExprKind::Coordinate(_)
            | ExprKind::Operand(_)
            | ExprKind::Old(_) => return None,
        };
        Some(Expr { kind, ty: expr.ty })
    }
}

/// The guard of what is read on these ways, if some launches do not take any of them.
fn guard(paths: &Paths, conditions: &[Expr]) -> Option<Guard> {
    let alternative = |path: &BTreeMap<usize, bool>| {
        let parts = path.iter().map(|(number, holds)| {
            let condition = conditions[*number].clone();
            if *holds { condition } else { not(condition) }
        });
        parts.reduce(|x, y| both(BinaryOp::And, x, y))
    };
    let alternatives: Option<Vec<Expr>> = paths.0.iter().map(alternative).collect();
    let condition = alternatives?.into_iter().reduce(|x, y| both(BinaryOp::Or, x, y))?;
    let mut scalars = Vec::new();
    note_scalars(&condition, &mut scalars);
    scalars.sort_unstable();
    scalars.dedup();
    Some(Guard { condition, scalars })
}

fn note_scalars(expr: &Expr, scalars: &mut Vec<usize>) {
    if let ExprKind::Operand(operand) = expr.kind {
        scalars.push(operand);
    }
    expr.parts().into_iter().for_each(|part| note_scalars(part, scalars));
}

/// That a condition does not hold.
fn not(condition: Expr) -> Expr {
    let kind = match condition.kind {
        ExprKind::Binary(BinaryOp::Eq, x, y) => ExprKind::Binary(BinaryOp::Ne, x, y),
        ExprKind::Binary(BinaryOp::Ne, x, y) => ExprKind::Binary(BinaryOp::Eq, x, y),
        ExprKind::Unary(UnaryOp::Not, x) => return *x,
        kind => ExprKind::Unary(UnaryOp::Not, Box::new(Expr { kind, ty: Bool })),
    };
    Expr { kind, ty: Bool }
}

fn both(op: BinaryOp, x: Expr, y: Expr) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(x), Box::new(y)), ty: Bool }
}

#[cfg(test)]
mod tests;
