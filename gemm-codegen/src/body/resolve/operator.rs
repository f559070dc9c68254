//! Types of operators, casts and `if`, as strict as Rust's and no stricter.

use crate::element::ScalarType::{self, Bool, F32, F64, I32};
use crate::rule::Rule;
use crate::spec::{BinaryOp, Node, NodeId, UnaryOp};

use super::{Checked, ExprKind, Resolver};

impl Resolver<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, id: NodeId) -> Checked {
        if let (UnaryOp::Neg, Node::Int(value)) = (op, self.node(id)) {
            return self.negative(id, *value);
        }
        let operand = self.check(id);
        let Some(ty) = operand.ty else { return operand };
        let (refused, instead) = match op {
            UnaryOp::Neg => (ty == Bool, "`!` takes a bool"),
            UnaryOp::Not => (ty.is_float(), "`!` takes a bool or an i32"),
        };
        if refused {
            let message = format!("`{}` does not take {ty}", op.symbol());
            self.report(Rule::BodyTypes, id, message, instead);
            return Checked::wrong(None);
        }
        Checked::of(operand.expr.map(|x| ExprKind::Unary(op, Box::new(x))), ty)
    }

    /// `-value`, whose minus belongs to the literal: `-2147483648` is in range, `2147483648` not.
    fn negative(&mut self, id: NodeId, value: i64) -> Checked {
        match i32::try_from(value) {
            Ok(value) => Checked::new(ExprKind::Int(value.wrapping_neg()), I32),
            Err(_) if value == -i64::from(i32::MIN) => Checked::new(ExprKind::Int(i32::MIN), I32),
            Err(_) => self.int(id, value),
        }
    }

    pub(super) fn binary(&mut self, id: NodeId, op: BinaryOp, x: NodeId, y: NodeId) -> Checked {
        let (left, right) = (self.check(x), self.check(y));
        let right_types = match op {
            BinaryOp::And | BinaryOp::Or => {
                // Both, so that both sides are reported.
                self.expect(Bool, left.ty, x) & self.expect(Bool, right.ty, y)
            }
            _ if is_arithmetic(op) => {
                self.expect_number(op, left.ty, x) & self.expect_number(op, right.ty, y)
                    && self.expect_same(id, op, (x, left.ty), (y, right.ty))
            }
            _ => self.expect_same(id, op, (x, left.ty), (y, right.ty)),
        };
        let ty = match (is_arithmetic(op), right_types) {
            (false, _) => Some(Bool),
            (true, true) => agreed(left.ty, right.ty),
            (true, false) => meant(left.ty, right.ty),
        };
        match (left.expr, right.expr, ty) {
            (Some(left), Some(right), Some(ty)) if right_types => {
                Checked::new(self.summed(op, left, right), ty)
            }
            _ => Checked::wrong(ty),
        }
    }

    pub(super) fn cast(&mut self, id: NodeId, x: NodeId, to: ScalarType) -> Checked {
        let value = self.check(x);
        let help = match (value.ty, to) {
            (Some(F32 | F64 | I32), Bool) => "compare with zero: `x != 0.0`, `i != 0`",
            (Some(Bool), F32 | F64) => "write `if condition { 1.0 } else { 0.0 }`",
            _ => return Checked::of(value.expr.map(|x| ExprKind::Cast(Box::new(x))), to),
        };
        let from = value.ty.map_or("", ScalarType::name);
        self.report(Rule::BodyTypes, id, format!("{from} cannot be cast to {to}"), help);
        Checked::wrong(Some(to))
    }

    pub(super) fn choice(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> Checked {
        let decision = self.check(condition);
        let mut right_types = self.expect(Bool, decision.ty, condition);
        let [yes, no] = self.branches(then, otherwise);
        let ty = match (yes.ty, no.ty) {
            (Some(left), Some(right)) if left != right => {
                let (at, help) = self.reconcile((then, left), (otherwise, right));
                let message = format!("`if` and `else` have different types: {left} and {right}");
                self.report(Rule::BodyTypes, at, message, help);
                right_types = false;
                None
            }
            (yes, no) => yes.or(no),
        };
        match (decision.expr, yes.expr, no.expr, ty) {
            (Some(decision), Some(yes), Some(no), Some(ty)) if right_types => {
                Checked::new(ExprKind::If(Box::new([decision, yes, no])), ty)
            }
            _ => Checked::wrong(ty),
        }
    }

    /// Reports a value of another type than `expected`; false if it did.
    pub(super) fn expect(
        &mut self,
        expected: ScalarType,
        found: Option<ScalarType>,
        at: NodeId,
    ) -> bool {
        self.expect_or(expected, found, at, None)
    }

    /// As [`Resolver::expect`], with this help if there is one.
    pub(super) fn expect_or(
        &mut self,
        expected: ScalarType,
        found: Option<ScalarType>,
        at: NodeId,
        help: Option<String>,
    ) -> bool {
        let Some(found) = found.filter(|found| *found != expected) else { return true };
        let at = self.tail(at);
        let help = help.unwrap_or_else(|| self.conversion(expected, found, at));
        self.report(Rule::BodyTypes, at, format!("expected {expected}, found {found}"), help);
        false
    }

    fn expect_number(&mut self, op: BinaryOp, found: Option<ScalarType>, at: NodeId) -> bool {
        if found != Some(Bool) {
            return true;
        }
        let message = format!("`{}` does not take bool", op.symbol());
        let help = "choose a number: `if condition { 1.0 } else { 0.0 }`";
        self.report(Rule::BodyTypes, self.tail(at), message, help);
        false
    }

    fn expect_same(
        &mut self,
        id: NodeId,
        op: BinaryOp,
        (x, left): (NodeId, Option<ScalarType>),
        (y, right): (NodeId, Option<ScalarType>),
    ) -> bool {
        let (Some(left), Some(right)) = (left, right) else { return true };
        if left == right {
            return true;
        }
        let message =
            format!("`{}` takes two values of the same type, got {left} and {right}", op.symbol());
        let (near, help) = match (left, right) {
            // An integer quotient or product is another value than that of floats.
            (I32, F32 | F64) if is_arithmetic(op) && !self.is_int_literal(self.tail(x)) => {
                (self.tail(x), convert_integer(right))
            }
            _ => self.reconcile((x, left), (y, right)),
        };
        let at = if self.literal(near).is_some() { near } else { id };
        self.report(Rule::BodyTypes, at, message, help);
        false
    }

    /// Of two values of different types the one to point at, and how to make the types one.
    fn reconcile(
        &self,
        (x, left): (NodeId, ScalarType),
        (y, right): (NodeId, ScalarType),
    ) -> (NodeId, String) {
        let (x, y) = (self.tail(x), self.tail(y));
        // An integer literal is the easiest to change.
        if self.is_int_literal(x) && !self.is_int_literal(y) {
            return (x, self.conversion(right, left, x));
        }
        let help = match (left, right) {
            // A float that becomes an integer loses its fraction, so only whole literals should.
            (I32, F32 | F64) if self.whole(y).is_none() => return (x, convert_integer(right)),
            (F32 | F64, I32) if self.literal(y).is_none() => convert_integer(left),
            // An f64 has room for an f32.
            (F32, F64) | (F64, F32) => "convert the f32 with `as f64`".to_owned(),
            _ => self.conversion(left, right, y),
        };
        (y, help)
    }

    /// How a value of type `found` becomes one of type `expected`.
    fn conversion(&self, expected: ScalarType, found: ScalarType, id: NodeId) -> String {
        match (expected, found, self.literal(id)) {
            (F32 | F64, I32, Some(value)) => format!("write `{value:?}`"),
            (I32, F32 | F64, Some(_)) => match self.whole(id) {
                Some(value) => format!("write `{value}`"),
                None => "write a whole number".to_owned(),
            },
            (F32 | F64, Bool, _) => "write `if condition { 1.0 } else { 0.0 }`".to_owned(),
            (Bool, _, _) => "compare it: `x != 0.0`, `i != 0`".to_owned(),
            _ => format!("convert it with `as {expected}`"),
        }
    }

    /// The value of a number literal with its sign.
    pub(super) fn literal(&self, id: NodeId) -> Option<f64> {
        let unsigned = |id: NodeId| match self.node(id) {
            Node::Float(value) => Some(*value),
            // Any i32 is exact in f64; wider ones have an error of their own.
            Node::Int(value) => Some(*value as f64),
            Node::Typed(x, _) => match self.node(*x) {
                Node::Float(value) => Some(*value),
                _ => None,
            },
            _ => None,
        };
        match self.node(id) {
            Node::Unary(UnaryOp::Neg, x) => unsigned(*x).map(|value| -value),
            _ => unsigned(id),
        }
    }

    /// The value of a number literal without a fraction.
    pub(super) fn whole(&self, id: NodeId) -> Option<i32> {
        self.literal(id)
            .filter(|value| *value == f64::from(*value as i32))
            .map(|value| value as i32)
    }

    /// The node that gives a block its value.
    pub(super) fn tail(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while let Node::Block { value, .. } = self.node(id) {
            id = *value;
        }
        id
    }

    fn is_int_literal(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Int(_) => true,
            Node::Unary(UnaryOp::Neg, x) => matches!(self.node(*x), Node::Int(_)),
            _ => false,
        }
    }
}

/// The type of a result of values whose types agree as far as they are known. That of an integer beside a value with a
/// mistake is not: the value may be a float, and the integer another mistake.
fn agreed(left: Option<ScalarType>, right: Option<ScalarType>) -> Option<ScalarType> {
    match (left, right) {
        (None, Some(I32)) | (Some(I32), None) => None,
        _ => left.or(right),
    }
}

/// The type that an operator of values of two types was meant to have: of one float that float.
fn meant(left: Option<ScalarType>, right: Option<ScalarType>) -> Option<ScalarType> {
    let mut floats = [left, right].into_iter().flatten().filter(|ty| ty.is_float());
    floats.next().filter(|_| floats.next().is_none())
}

/// The help for an i32 next to a float.
pub(super) fn convert_integer(to: ScalarType) -> String {
    format!("convert the i32 with `as {to}`")
}

fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem)
}

#[cfg(test)]
mod tests;
