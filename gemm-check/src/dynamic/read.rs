//! [`Read`]: what the body of a plan reads.

use gemm_codegen::body::{Coordinate, Inputs, Value};
use gemm_codegen::{Problem, ScalarType};
use gemm_runtime::reference::coordinate;

use super::call;

/// What the body of a plan reads for one element.
pub(super) struct Read<'a> {
    pub(super) problem: &'a Problem,
    /// Of each product.
    pub(super) sums: &'a [Value],
    /// What the body reads, by number.
    pub(super) read: &'a [usize],
    /// The elements of the operands that it reads, in their order, then the old one.
    pub(super) values: &'a [f64],
    /// The row and the column of the element, and the number of its matrix.
    pub(super) at: [usize; 3],
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
