//! Values of bodies, computed from the body as written: what emitted text is judged by.

use crate::body::function::{self, Device};
use crate::body::{self, Coordinate};
use crate::element::ScalarType;
use crate::spec::{BinaryOp, Node, NodeId, Spec, UnaryOp};

#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Float(f32),
    Double(f64),
    Int(i32),
    Bool(bool),
}

use Value::{Bool, Double, Float, Int};

impl Value {
    pub(super) fn same(self, other: Value) -> bool {
        match (self, other) {
            (Float(x), Float(y)) => x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
            (Double(x), Double(y)) => x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
            (Int(x), Int(y)) => x == y,
            (Bool(x), Bool(y)) => x == y,
            _ => false,
        }
    }

    fn ty(self) -> ScalarType {
        match self {
            Float(_) => ScalarType::F32,
            Double(_) => ScalarType::F64,
            Int(_) => ScalarType::I32,
            Bool(_) => ScalarType::Bool,
        }
    }

    fn bits(self) -> u32 {
        match self {
            Float(x) if x.is_nan() => 0x7fc0_0000,
            Float(x) => x.to_bits(),
            Double(x) if x.is_nan() => 0x7ff8_0000,
            Double(x) => (x.to_bits() ^ x.to_bits() >> 32) as u32,
            Int(x) => x.cast_unsigned(),
            Bool(x) => x.into(),
        }
    }
}

impl From<Value> for body::Value {
    fn from(value: Value) -> body::Value {
        match value {
            Float(x) => body::Value::F32(x),
            Double(x) => body::Value::F64(x),
            Int(x) => body::Value::I32(x),
            Bool(x) => body::Value::Bool(x),
        }
    }
}

impl From<body::Value> for Value {
    fn from(value: body::Value) -> Value {
        match value {
            body::Value::F32(x) => Float(x),
            body::Value::F64(x) => Double(x),
            body::Value::I32(x) => Int(x),
            body::Value::Bool(x) => Bool(x),
        }
    }
}

/// What a body of all tests reads.
pub(super) struct Read<'a>(pub(super) &'a Spec);

impl body::Inputs for Read<'_> {
    fn accumulator(&self, _: usize) -> body::Value {
        accumulator().into()
    }

    fn coordinate(&self, of: Coordinate) -> body::Value {
        coordinate(of).into()
    }

    fn operand(&self, number: usize) -> body::Value {
        operand(self.0, number).into()
    }

    fn old(&self) -> body::Value {
        old(self.0).into()
    }

    fn call(&self, name: &str, arguments: &[body::Value]) -> body::Value {
        let arguments: Vec<Value> = arguments.iter().map(|value| (*value).into()).collect();
        let own = arguments[0].ty();
        let function = function::free(name, own).or_else(|| function::method(name, own)).unwrap();
        apply(function.cuda(), &arguments).into()
    }
}

/// The value of the accumulator in all tests.
pub(super) fn accumulator() -> Value {
    Float(-2.75)
}

/// An index of the element in all tests.
pub(super) fn coordinate(of: Coordinate) -> Value {
    Int([21, 1000, 6][of as usize])
}

/// The old element of the output in all tests.
pub(super) fn old(spec: &Spec) -> Value {
    match spec.output().element.value() {
        ScalarType::F64 => Double(0.6),
        _ => Float(0.625),
    }
}

/// The value of an operand in all tests: different ones for different operands.
pub(super) fn operand(spec: &Spec, operand: usize) -> Value {
    match spec.operands[operand].kind.value() {
        ScalarType::I32 => Int(7 - 3 * operand as i32),
        ScalarType::F64 => Double(1.3 * operand as f64 - 4.0),
        _ => Float(1.5 * operand as f32 - 4.0),
    }
}

/// The value of the body of `spec`.
pub(super) fn evaluate(spec: &Spec) -> Value {
    let ty = spec.output().element.value();
    Evaluation { spec, scope: Vec::new() }.node(spec.body.root, ty)
}

struct Evaluation<'a> {
    spec: &'a Spec,
    scope: Vec<(&'a str, Value)>,
}

impl Evaluation<'_> {
    /// The value of a node. A float literal that does not say its type is of type `ty`.
    fn node(&mut self, id: NodeId, ty: ScalarType) -> Value {
        let spec = self.spec;
        match &spec.body.nodes[id.0] {
            Node::Float(value) if ty == ScalarType::F64 => Double(*value),
            Node::Float(value) => Float(*value as f32),
            Node::Int(value) => Int(*value as i32),
            Node::Bool(value) => Bool(*value),
            Node::Name(name) => self.name(name),
            Node::Deref(_) => old(spec),
            Node::Call { function, arguments } => self.call(function, arguments, ty),
            Node::Method { receiver, method, arguments } => {
                let values = self.nodes(std::iter::once(receiver).chain(arguments), ty);
                apply(function::method(method, values[0].ty()).unwrap().cuda(), &values)
            }
            Node::Unary(op, x) => unary(*op, self.node(*x, ty)),
            Node::Binary(op, x, y) => {
                let x = self.node(*x, ty);
                binary(*op, x, self.node(*y, ty))
            }
            Node::Cast(x, to) => cast(self.node(*x, ty), *to),
            Node::Typed(x, ty) => self.node(*x, *ty),
            Node::If { condition, then, otherwise } => match self.node(*condition, ty) {
                Bool(true) => self.node(*then, ty),
                _ => self.node(*otherwise, ty),
            },
            Node::Block { bindings, value } => {
                let outer = self.scope.len();
                for (name, value) in bindings {
                    let value = self.node(*value, ty);
                    self.scope.push((name, value));
                }
                let value = self.node(*value, ty);
                self.scope.truncate(outer);
                value
            }
            Node::Tuple(_) => panic!("a tuple has no value"),
        }
    }

    fn call(&mut self, function: &str, arguments: &[NodeId], ty: ScalarType) -> Value {
        match Coordinate::from_name(function) {
            Some(of) => coordinate(of),
            None if function == "matmul" => accumulator(),
            None => {
                let values = self.nodes(arguments, ty);
                apply(function::free(function, values[0].ty()).unwrap().cuda(), &values)
            }
        }
    }

    fn nodes<'i>(
        &mut self,
        ids: impl IntoIterator<Item = &'i NodeId>,
        ty: ScalarType,
    ) -> Vec<Value> {
        ids.into_iter().map(|id| self.node(*id, ty)).collect()
    }

    fn name(&self, name: &str) -> Value {
        let bound = self.scope.iter().rev().find(|(bound, _)| *bound == name);
        let number = || self.spec.operands.iter().position(|operand| operand.name == name).unwrap();
        bound.map_or_else(|| operand(self.spec, number()), |(_, value)| *value)
    }
}

fn unary(op: UnaryOp, x: Value) -> Value {
    match (op, x) {
        (UnaryOp::Neg, Float(x)) => Float(-x),
        (UnaryOp::Neg, Double(x)) => Double(-x),
        (UnaryOp::Neg, Int(x)) => Int(x.wrapping_neg()),
        (UnaryOp::Not, Int(x)) => Int(!x),
        (UnaryOp::Not, Bool(x)) => Bool(!x),
        _ => panic!("{op:?} of {x:?}"),
    }
}

pub(super) fn binary(op: BinaryOp, x: Value, y: Value) -> Value {
    let compared = match (x, y) {
        (Float(x), Float(y)) => x.partial_cmp(&y),
        (Double(x), Double(y)) => x.partial_cmp(&y),
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
        (BinaryOp::Add, Double(x), Double(y)) => Double(x + y),
        (BinaryOp::Sub, Float(x), Float(y)) => Float(x - y),
        (BinaryOp::Sub, Double(x), Double(y)) => Double(x - y),
        (BinaryOp::Mul, Float(x), Float(y)) => Float(x * y),
        (BinaryOp::Mul, Double(x), Double(y)) => Double(x * y),
        (BinaryOp::Div, Float(x), Float(y)) => Float(x / y),
        (BinaryOp::Div, Double(x), Double(y)) => Double(x / y),
        (BinaryOp::Rem, Float(x), Float(y)) => Float(x % y),
        (BinaryOp::Rem, Double(x), Double(y)) => Double(x % y),
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
        (Float(x), ScalarType::F64) => Double(x.into()),
        (Double(x), ScalarType::I32) => Int(x as i32),
        (Double(x), ScalarType::F32) => Float(x as f32),
        (Int(x), ScalarType::F32) => Float(x as f32),
        (Int(x), ScalarType::F64) => Double(x.into()),
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
        ("wrapping_rem" | "fmodf" | "fmod", [x, y]) => binary(BinaryOp::Rem, *x, *y),
        ("__float2int_rz", [Float(_)]) | ("truncated_f64", [Double(_)]) | ("int", [Bool(_)]) => {
            cast(arguments[0], ScalarType::I32)
        }
        ("float", [x]) => cast(*x, ScalarType::F32),
        ("double", [x]) => cast(*x, ScalarType::F64),
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
                ScalarType::F64 => Double(f64::from(hash >> 20) / 60.0 - 32.0),
                _ => Float((hash >> 20) as f32 / 64.0 - 32.0),
            }
        }
    }
}
