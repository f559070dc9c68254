//! [`Read`]: what the body of a plan reads.

use std::cell::Cell;

use gemm_codegen::body::{Coordinate, Inputs, Value};
use gemm_codegen::{Problem, ScalarType};
use gemm_runtime::reference::coordinate;

use super::call;

/// What the body of a plan reads for one element.
pub(super) struct Read<'a> {
    problem: &'a Problem,
    /// Of each product.
    sums: &'a [Value],
    /// What the body reads, by number.
    read: &'a [usize],
    /// The elements of the operands that it reads, in their order, then the old one.
    values: &'a [f64],
    /// The row and the column of the element, and the number of its matrix.
    at: [usize; 3],
    /// A step of the body whose value is another, by its number, and how: up or down.
    moved: Option<(usize, f64)>,
    /// How many steps were computed.
    steps: Cell<usize>,
}

impl<'a> Read<'a> {
    /// What is read of the sums and of the elements of the operands `read`, at an element.
    pub(super) fn new(
        problem: &'a Problem,
        sums: &'a [Value],
        (read, values): (&'a [usize], &'a [f64]),
        at: [usize; 3],
    ) -> Read<'a> {
        Read { problem, sums, read, values, at, moved: None, steps: Cell::new(0) }
    }

    /// The same with a step of this number that is rounded up, or down for a negative direction.
    pub(super) fn moved(&self, step: usize, direction: f64) -> Read<'a> {
        let (moved, steps) = (Some((step, direction)), Cell::new(0));
        Read { moved, steps, ..*self }
    }

    /// The same of other sums.
    pub(super) fn of_sums<'b>(&'b self, sums: &'b [Value]) -> Read<'b> {
        Read { sums, steps: Cell::new(0), ..*self }
    }

    /// How many steps an evaluation of it took.
    pub(super) fn steps(&self) -> usize {
        self.steps.get()
    }
}

impl Inputs for Read<'_> {
    fn accumulator(&self, product: usize) -> Value {
        self.sums[product]
    }

    fn coordinate(&self, of: Coordinate) -> Value {
        let [row, column, matrix] = self.at.map(coordinate);
        Value::I32(match of {
            Coordinate::Row => row,
            Coordinate::Column => column,
            Coordinate::Batch => matrix,
        })
    }

    fn operand(&self, number: usize) -> Value {
        let at = self.read.iter().position(|operand| *operand == number);
        let value = at.and_then(|at| self.values.get(at)).copied().unwrap_or(f64::NAN);
        of_type(self.problem.operands()[number].value(), value)
    }

    fn old(&self) -> Value {
        let value = self.values.last().copied().unwrap_or(f64::NAN);
        of_type(self.problem.stores()[0].kind().value(), value)
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Value {
        call(function, arguments).unwrap_or_else(|| {
            unreachable!("`{function}` is in the table of functions, which a test calls one by one")
        })
    }

    fn rounded(&self, value: Value) -> Value {
        let step = self.steps.replace(self.steps.get() + 1);
        match self.moved {
            Some((moved, direction)) if moved == step => off_by(value, direction * ROUNDINGS),
            _ => value,
        }
    }
}

/// What a step may be off by, over its value and the distance of numbers next to 1: two roundings to the nearest
/// number of an operator, or the error of a function.
const ROUNDINGS: f64 = 2.0;

/// The value, moved by this many times its own size and the distance between numbers next to 1.
fn off_by(value: Value, units: f64) -> Value {
    match value {
        Value::F32(x) => {
            Value::F32((f64::from(x) * (1.0 + units * f64::from(f32::EPSILON))) as f32)
        }
        Value::F64(x) => Value::F64(x * (1.0 + units * f64::EPSILON)),
        exact => exact,
    }
}

/// A number as a value of a type that holds it.
fn of_type(ty: ScalarType, value: f64) -> Value {
    match ty {
        ScalarType::F32 => Value::F32(value as f32),
        ScalarType::F64 => Value::F64(value),
        ScalarType::I32 => Value::I32(value as i32),
        ScalarType::Bool => Value::Bool(value != 0.0),
    }
}
