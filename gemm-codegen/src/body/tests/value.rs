//! Values of bodies, computed from the body as written: what emitted text is judged by.

use crate::body::function::{self, Device};
use crate::body::{BinaryOp, Node, NodeId, UnaryOp};
use crate::element::ScalarType;
use crate::spec::{OperandKind, Spec};

#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Float(f32),
    Int(i32),
    Bool(bool),
}

use Value::{Bool, Float, Int};

impl Value {
    pub(super) fn same(self, other: Value) -> bool {
        match (self, other) {
            (Float(x), Float(y)) => x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
            (Int(x), Int(y)) => x == y,
            (Bool(x), Bool(y)) => x == y,
            _ => false,
        }
    }

    fn bits(self) -> u32 {
        match self {
            Float(x) if x.is_nan() => 0x7fc0_0000,
            Float(x) => x.to_bits(),
            Int(x) => x.cast_unsigned(),
            Bool(x) => x.into(),
        }
    }
}

/// The value of the accumulator in all tests.
pub(super) fn accumulator() -> Value {
    Float(-2.75)
}

/// The old element of the output in all tests.
pub(super) fn old() -> Value {
    Float(0.625)
}

/// The value of an operand in all tests: different ones for different operands.
pub(super) fn operand(spec: &Spec, operand: usize) -> Value {
    match spec.operands[operand].kind {
        OperandKind::Scalar(ScalarType::I32) => Int(7 - 3 * operand as i32),
        _ => Float(1.5 * operand as f32 - 4.0),
    }
}

/// The value of the body of `spec`.
pub(super) fn evaluate(spec: &Spec) -> Value {
    node(spec, spec.body.root, &mut Vec::new())
}

fn node(spec: &Spec, id: NodeId, scope: &mut Vec<(String, Value)>) -> Value {
    match &spec.body.nodes[id.0] {
        Node::Float(value) => Float(*value as f32),
        Node::Int(value) => Int(*value as i32),
        Node::Bool(value) => Bool(*value),
        Node::Name(name) => scope.iter().rev().find(|(bound, _)| bound == name).map_or_else(
            || operand(spec, spec.operands.iter().position(|o| o.name == *name).unwrap()),
            |(_, value)| *value,
        ),
        Node::Deref(_) => old(),
        Node::Call { function, .. } if function == "matmul" => accumulator(),
        Node::Call { function, arguments } => {
            let values: Vec<Value> = arguments.iter().map(|x| node(spec, *x, scope)).collect();
            apply(function::free(function).unwrap().cuda(), &values)
        }
        Node::Method { receiver, method, arguments } => {
            let ids = std::iter::once(receiver).chain(arguments);
            let values: Vec<Value> = ids.map(|x| node(spec, *x, scope)).collect();
            let ty = if matches!(values[0], Int(_)) { ScalarType::I32 } else { ScalarType::F32 };
            apply(function::method(method, ty).unwrap().cuda(), &values)
        }
        Node::Unary(op, x) => unary(*op, node(spec, *x, scope)),
        Node::Binary(op, x, y) => {
            let x = node(spec, *x, scope);
            binary(*op, x, node(spec, *y, scope))
        }
        Node::Cast(x, to) => cast(node(spec, *x, scope), *to),
        Node::If { condition, then, otherwise } => match node(spec, *condition, scope) {
            Bool(true) => node(spec, *then, scope),
            _ => node(spec, *otherwise, scope),
        },
        Node::Block { bindings, value } => {
            let outer = scope.len();
            for (name, value) in bindings {
                let value = node(spec, *value, scope);
                scope.push((name.clone(), value));
            }
            let value = node(spec, *value, scope);
            scope.truncate(outer);
            value
        }
    }
}

fn unary(op: UnaryOp, x: Value) -> Value {
    match (op, x) {
        (UnaryOp::Neg, Float(x)) => Float(-x),
        (UnaryOp::Neg, Int(x)) => Int(x.wrapping_neg()),
        (UnaryOp::Not, Int(x)) => Int(!x),
        (UnaryOp::Not, Bool(x)) => Bool(!x),
        _ => panic!("{op:?} of {x:?}"),
    }
}

pub(super) fn binary(op: BinaryOp, x: Value, y: Value) -> Value {
    let compared = match (x, y) {
        (Float(x), Float(y)) => x.partial_cmp(&y),
        (Int(x), Int(y)) => Some(x.cmp(&y)),
        (Bool(x), Bool(y)) => Some(x.cmp(&y)),
        _ => panic!("{x:?} {op:?} {y:?}"),
    };
    match (op, x, y) {
        (BinaryOp::Lt, ..) => Bool(compared.is_some_and(|c| c.is_lt())),
        (BinaryOp::Le, ..) => Bool(compared.is_some_and(|c| c.is_le())),
        (BinaryOp::Gt, ..) => Bool(compared.is_some_and(|c| c.is_gt())),
        (BinaryOp::Ge, ..) => Bool(compared.is_some_and(|c| c.is_ge())),
        (BinaryOp::Eq, ..) => Bool(compared.is_some_and(|c| c.is_eq())),
        (BinaryOp::Ne, ..) => Bool(!compared.is_some_and(|c| c.is_eq())),
        (BinaryOp::And, Bool(x), Bool(y)) => Bool(x && y),
        (BinaryOp::Or, Bool(x), Bool(y)) => Bool(x || y),
        (BinaryOp::Add, Float(x), Float(y)) => Float(x + y),
        (BinaryOp::Sub, Float(x), Float(y)) => Float(x - y),
        (BinaryOp::Mul, Float(x), Float(y)) => Float(x * y),
        (BinaryOp::Div, Float(x), Float(y)) => Float(x / y),
        (BinaryOp::Rem, Float(x), Float(y)) => Float(x % y),
        (BinaryOp::Add, Int(x), Int(y)) => Int(x.wrapping_add(y)),
        (BinaryOp::Sub, Int(x), Int(y)) => Int(x.wrapping_sub(y)),
        (BinaryOp::Mul, Int(x), Int(y)) => Int(x.wrapping_mul(y)),
        (BinaryOp::Div, Int(x), Int(y)) => Int(if y == 0 { 0 } else { x.wrapping_div(y) }),
        (BinaryOp::Rem, Int(x), Int(y)) => Int(if y == 0 { 0 } else { x.wrapping_rem(y) }),
        _ => panic!("{x:?} {op:?} {y:?}"),
    }
}

fn cast(x: Value, to: ScalarType) -> Value {
    match (x, to) {
        (Float(x), ScalarType::I32) => Int(x as i32),
        (Int(x), ScalarType::F32) => Float(x as f32),
        (Bool(x), ScalarType::I32) => Int(x.into()),
        _ => x,
    }
}

/// A function of the emitted text. What the text itself brings for operators and casts is real;
/// the functions of the table only have to be told apart, so each is a hash of its arguments.
pub(super) fn apply(name: &str, arguments: &[Value]) -> Value {
    match (name, arguments) {
        ("wrapping_neg", [x]) => unary(UnaryOp::Neg, *x),
        ("wrapping_add", [x, y]) => binary(BinaryOp::Add, *x, *y),
        ("wrapping_sub", [x, y]) => binary(BinaryOp::Sub, *x, *y),
        ("wrapping_mul", [x, y]) => binary(BinaryOp::Mul, *x, *y),
        ("wrapping_div", [x, y]) => binary(BinaryOp::Div, *x, *y),
        ("wrapping_rem", [x, y]) | ("fmodf", [x, y]) => binary(BinaryOp::Rem, *x, *y),
        ("__float2int_rz" | "int", [x]) => cast(*x, ScalarType::I32),
        ("float", [x]) => cast(*x, ScalarType::F32),
        _ => {
            let function = function::FUNCTIONS.iter().find(|f| f.cuda() == name).unwrap();
            assert_eq!(function.parameters.len(), arguments.len(), "{name}");
            let seed = match function.device {
                Device::Builtin(name) => name.len(),
                Device::Defined(fragment) => fragment.name.len(),
            };
            let hash = arguments.iter().fold(seed as u32, |hash, x| {
                (hash ^ x.bits()).wrapping_mul(0x9e37_79b1).rotate_left(13)
            });
            match function.result {
                ScalarType::I32 => Int((hash >> 20).cast_signed() - 2048),
                _ => Float((hash >> 20) as f32 / 64.0 - 32.0),
            }
        }
    }
}
