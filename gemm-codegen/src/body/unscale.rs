//! Sums of scaled factors, as the body of a kernel takes them.

use super::device_function::DeviceFunction;
use super::device_function::device_function;
use super::function::{Device, Function, Syntax};
use super::typed::{Expr, ExprKind, Resolved};
use crate::axis::Multiplicands;
use crate::element::ScalarType::{F32, I32};

/// The sum times 2^(e + f). No body can name it.
static UNSCALE: Function = Function {
    name: "unscale",
    syntax: Syntax::Free,
    parameters: &[("x", F32), ("e", I32), ("f", I32)],
    result: F32,
    device: Device::Defined(&TEXT),
    instructions: 8,
    meaning: "`x * 2^(e + f)`",
};

pub(super) static TEXT: DeviceFunction = device_function!(unscale, F32);

impl Resolved {
    /// The body of sums whose factors were scaled by powers of two: their exponents are operands of these
    /// numbers, for each row of A and each column of each B.
    pub(crate) fn unscaled(mut self, exponents: &Multiplicands<usize>) -> Resolved {
        let of_b: Vec<usize> = exponents.of_b().copied().collect();
        let bound = self.bindings.iter_mut().map(|(_, value)| value);
        for value in bound.chain(&mut self.results) {
            unscale(value, exponents.first.a, &of_b);
        }
        self.values.extend(exponents.all());
        self
    }
}

fn unscale(expr: &mut Expr, of_a: usize, of_b: &[usize]) {
    let ExprKind::Accumulator(product) = expr.kind else {
        return expr.parts_mut().into_iter().for_each(|part| unscale(part, of_a, of_b));
    };
    let exponent = |number| Expr { kind: ExprKind::Operand(number), ty: I32 };
    let sum = Expr { kind: ExprKind::Accumulator(product), ty: expr.ty };
    let arguments = vec![sum, exponent(of_a), exponent(of_b[product])];
    expr.kind = ExprKind::Call(&UNSCALE, arguments);
}
