//! The values of a body on the host: the third reading of a resolved body, beside its CUDA text and
//! the Rust that the user wrote.

use std::ops::{Add, Div, Mul, Rem, Sub};

use super::Resolved;
use super::coordinate::Coordinate;
use super::typed::{AddedTerm, Defined, Expr, ExprKind};
use crate::element::ScalarType;
use crate::spec::{BinaryOp, UnaryOp};

/// A value of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of type `f32`.
    F32(f32),
    /// Of type `f64`.
    F64(f64),
    /// Of type `i32`.
    I32(i32),
    /// Of type `bool`.
    Bool(bool),
}

/// What a body reads for one element of the output, and what computes its functions.
pub trait Inputs {
    /// The sum of a product, by its number: those of a body are numbered by their first calls. A product that is
    /// added to the first one has the number after all others.
    fn accumulator(&self, product: usize) -> Value;

    /// An index of the element, of type `i32`.
    fn coordinate(&self, of: Coordinate) -> Value;

    /// The element of an operand, or a scalar, by the number of the operand in the spec.
    fn operand(&self, number: usize) -> Value;

    /// The old element of the output, of a function in place.
    fn old(&self) -> Value;

    /// A function of [`function_table`](super::function_table) of these arguments; the receiver of
    /// a method is the first.
    fn call(&self, function: &str, arguments: &[Value]) -> Value;

    /// What an operator, a cast or a function has computed. A device may round it otherwise; what tells how far
    /// that carries returns another value here.
    fn rounded(&self, value: Value) -> Value {
        value
    }
}

impl Resolved {
    /// The value of the body for each output, in the type that the body gives it.
    ///
    /// Integers wrap, and division by zero gives 0, as on the device.
    pub(crate) fn evaluate(&self, inputs: &impl Inputs) -> Vec<Value> {
        let locals = vec![None; self.locals.len()];
        let mut evaluation = Evaluation { inputs, body: self, locals };
        evaluation.bind(&self.bindings);
        self.results.iter().map(|result| evaluation.value(result)).collect()
    }

    /// Whether Rust may panic where a kernel computes a value: an `i32` may overflow or be divided by zero,
    /// bounds of `clamp` may be in the wrong order. What the functions of the user's own compute does not
    /// count.
    pub(crate) fn may_panic(&self) -> bool {
        self.values().any(may_panic)
    }
}

pub(super) fn may_panic(expr: &Expr) -> bool {
    if matches!(&expr.kind, ExprKind::Call(function, _) if function.name == "clamp") {
        return true;
    }
    let is_arithmetic = match &expr.kind {
        ExprKind::Unary(op, _) => *op == UnaryOp::Neg,
        // Those of comparisons are of type `bool`.
        ExprKind::Binary(..) => true,
        ExprKind::Call(function, _) => function.name == "abs",
        _ => false,
    };
    is_arithmetic && expr.ty == ScalarType::I32 || expr.parts().into_iter().any(may_panic)
}

struct Evaluation<'a, I> {
    inputs: &'a I,
    body: &'a Resolved,
    /// Of each `let` or parameter that was met. No function is called while it runs, so that none is in use twice.
    locals: Vec<Option<Value>>,
}

impl<I: Inputs> Evaluation<'_, I> {
    fn bind(&mut self, bindings: &[(usize, Expr)]) {
        for (local, value) in bindings {
            self.locals[*local] = Some(self.value(value));
        }
    }

    /// The sum of a product, with the term that is added to it.
    fn sum(&mut self, product: usize) -> Value {
        let sum = self.inputs.accumulator(product);
        let Some(AddedTerm { scale }) = self.body.added.as_ref().filter(|_| product == 0) else {
            return sum;
        };
        let term = self.inputs.accumulator(self.body.products);
        let scaled = scale.as_ref().map(|scale| binary(BinaryOp::Mul, self.value(scale), term));
        binary(BinaryOp::Add, sum, scaled.unwrap_or(term))
    }

    fn value(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Float(value) => cast(Value::F64(*value), expr.ty),
            ExprKind::Int(value) => Value::I32(*value),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Accumulator(product) => self.sum(*product),
            ExprKind::Apart => unresolved(),
            ExprKind::Coordinate(of) => self.inputs.coordinate(*of),
            ExprKind::Operand(number) => self.inputs.operand(*number),
            ExprKind::Old(_) => self.inputs.old(),
            ExprKind::Local(local) => self.locals[*local].unwrap_or_else(|| unresolved()),
            ExprKind::Unary(op, x) => unary(*op, self.value(x)),
            ExprKind::Binary(op, x, y) => {
                let x = self.value(x);
                self.inputs.rounded(binary(*op, x, self.value(y)))
            }
            ExprKind::Cast(x) => self.inputs.rounded(cast(self.value(x), expr.ty)),
            ExprKind::Call(function, arguments) => {
                let arguments: Vec<Value> = arguments.iter().map(|x| self.value(x)).collect();
                self.inputs.rounded(self.inputs.call(function.name, &arguments))
            }
            ExprKind::Own(number, arguments) => {
                let Defined { parameters, value, .. } = &self.body.functions[*number];
                // All of them first: one may call the same function.
                let arguments: Vec<Value> = arguments.iter().map(|x| self.value(x)).collect();
                for ((_, parameter), argument) in parameters.iter().zip(arguments) {
                    self.locals[*parameter] = Some(argument);
                }
                self.value(value)
            }
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                match self.value(condition) {
                    Value::Bool(true) => self.value(then),
                    _ => self.value(otherwise),
                }
            }
            ExprKind::Block(bindings, value) => {
                self.bind(bindings);
                self.value(value)
            }
        }
    }
}

/// The answer to what a resolved body does not have: an operator on values of the wrong types, a
/// name before its `let`.
fn unresolved() -> ! {
    unreachable!("only `resolve` makes bodies, and it has checked names and types")
}

fn unary(op: UnaryOp, x: Value) -> Value {
    match (op, x) {
        (UnaryOp::Neg, Value::F32(x)) => Value::F32(-x),
        (UnaryOp::Neg, Value::F64(x)) => Value::F64(-x),
        (UnaryOp::Neg, Value::I32(x)) => Value::I32(x.wrapping_neg()),
        (UnaryOp::Not, Value::I32(x)) => Value::I32(!x),
        (UnaryOp::Not, Value::Bool(x)) => Value::Bool(!x),
        _ => unresolved(),
    }
}

fn binary(op: BinaryOp, x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::F32(x), Value::F32(y)) => {
            compared(op, &x, &y).unwrap_or_else(|| Value::F32(of_floats(op, x, y)))
        }
        (Value::F64(x), Value::F64(y)) => {
            compared(op, &x, &y).unwrap_or_else(|| Value::F64(of_floats(op, x, y)))
        }
        (Value::I32(x), Value::I32(y)) => {
            compared(op, &x, &y).unwrap_or_else(|| Value::I32(of_integers(op, x, y)))
        }
        (Value::Bool(x), Value::Bool(y)) => match op {
            BinaryOp::And => Value::Bool(x && y),
            BinaryOp::Or => Value::Bool(x || y),
            _ => compared(op, &x, &y).unwrap_or_else(|| unresolved()),
        },
        _ => unresolved(),
    }
}

/// The result of a comparison; `None` for another operator.
fn compared<T: PartialOrd>(op: BinaryOp, x: &T, y: &T) -> Option<Value> {
    let is_so = match op {
        BinaryOp::Lt => x < y,
        BinaryOp::Le => x <= y,
        BinaryOp::Gt => x > y,
        BinaryOp::Ge => x >= y,
        BinaryOp::Eq => x == y,
        BinaryOp::Ne => x != y,
        _ => return None,
    };
    Some(Value::Bool(is_so))
}

fn of_floats<T>(op: BinaryOp, x: T, y: T) -> T
where
    T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Rem<Output = T>,
{
    match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        BinaryOp::Rem => x % y,
        _ => unresolved(),
    }
}

fn of_integers(op: BinaryOp, x: i32, y: i32) -> i32 {
    match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div => quotient(x, y),
        BinaryOp::Rem => remainder(x, y),
        _ => unresolved(),
    }
}

/// `x / y` of a body: 0 where `y` is 0, and `i32::MIN / -1` wraps.
pub fn quotient(x: i32, y: i32) -> i32 {
    if y == 0 { 0 } else { x.wrapping_div(y) }
}

/// `x % y` of a body: 0 where `y` is 0 or -1.
pub fn remainder(x: i32, y: i32) -> i32 {
    if y == 0 { 0 } else { x.wrapping_rem(y) }
}

fn cast(x: Value, to: ScalarType) -> Value {
    match (x, to) {
        (Value::F32(x), ScalarType::F64) => Value::F64(x.into()),
        (Value::F32(x), ScalarType::I32) => Value::I32(x as i32),
        (Value::F64(x), ScalarType::F32) => Value::F32(x as f32),
        (Value::F64(x), ScalarType::I32) => Value::I32(x as i32),
        (Value::I32(x), ScalarType::F32) => Value::F32(x as f32),
        (Value::I32(x), ScalarType::F64) => Value::F64(x.into()),
        (Value::Bool(x), ScalarType::I32) => Value::I32(x.into()),
        (x, _) => x,
    }
}
