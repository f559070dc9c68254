//! Bodies, each with the host function that it means.
//!
//! What a body decides by is exact on both sides: the accumulator, which is rounded differently,
//! is only compared where both branches agree.

mod integer;

use fastrand::Rng;
use gemm_codegen::ScalarType;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId};
use gemm_runtime::body as host;

use super::pick;

/// A function of the accumulator and the values of the operands.
type Function<T> = Box<dyn Fn(T, &[T]) -> T + Send + Sync>;

/// A body on the host: the accumulator and the values of the operands → what is stored.
pub enum Twin {
    /// A body of floats; the sum of integers is multiplied by [`SCALE`] first.
    Float(Function<f32>),
    /// A body of integers.
    Integer(Function<i32>),
}

/// Makes of the sum of 8-bit products a number near those of floats; a power of two.
pub const SCALE: f32 = 1.0 / 16384.0;

/// An output index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Along {
    M,
    N,
}

/// What a body reads beside the accumulator.
pub(super) enum Value {
    Scalar(ScalarType),
    Vector(Along),
    Matrix,
}

/// A body, its operands beside the multiplied ones, its twin.
pub(super) struct BodyDraw {
    pub(super) body: Body,
    pub(super) values: Vec<Value>,
    pub(super) twin: Twin,
}

/// Writes a body node by node.
struct Writer<'a> {
    body: Body,
    names: &'a [&'a str],
    /// Whether the product is an integer that floats are to be made of.
    scaled: bool,
}

impl Writer<'_> {
    fn node(&mut self, node: Node) -> NodeId {
        self.body.push(node)
    }

    fn name(&mut self, name: &str) -> NodeId {
        self.node(Node::Name(name.to_owned()))
    }

    /// The operand that is value `number` of the twin.
    fn value(&mut self, number: usize) -> NodeId {
        self.name(self.names[2 + number])
    }

    fn float(&mut self, value: f64) -> NodeId {
        self.node(Node::Float(value))
    }

    fn product(&mut self) -> NodeId {
        let arguments = vec![self.name(self.names[0]), self.name(self.names[1])];
        let product = self.node(Node::Call { function: "matmul".to_owned(), arguments });
        if !self.scaled {
            return product;
        }
        let float = self.node(Node::Cast(product, ScalarType::F32));
        let scale = self.float(f64::from(SCALE));
        self.mul(float, scale)
    }

    fn binary(&mut self, op: BinaryOp, x: NodeId, y: NodeId) -> NodeId {
        self.node(Node::Binary(op, x, y))
    }

    fn add(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(BinaryOp::Add, x, y)
    }

    fn mul(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(BinaryOp::Mul, x, y)
    }

    fn call(&mut self, function: &str, arguments: &[NodeId]) -> NodeId {
        self.node(Node::Call { function: function.to_owned(), arguments: arguments.to_vec() })
    }

    fn method(&mut self, receiver: NodeId, method: &str, arguments: &[NodeId]) -> NodeId {
        let (method, arguments) = (method.to_owned(), arguments.to_vec());
        self.node(Node::Method { receiver, method, arguments })
    }

    fn block(&mut self, bindings: &[(&str, NodeId)], value: NodeId) -> NodeId {
        let bindings = bindings.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        self.node(Node::Block { bindings, value })
    }
}

/// A function of one argument, by name.
type Activation = (&'static str, fn(f32) -> f32);

const ACTIVATIONS: [Activation; 9] = [
    ("relu", host::relu),
    ("gelu", host::gelu),
    ("gelu_tanh", host::gelu_tanh),
    ("silu", host::silu),
    ("sigmoid", host::sigmoid),
    ("softplus", host::softplus),
    ("hardswish", host::hardswish),
    ("hardsigmoid", host::hardsigmoid),
    ("mish", host::mish),
];

/// Draws a body over operands of these names: the multiplied ones first.
pub(super) fn draw(rng: &mut Rng, names: &[&str], integers: bool) -> BodyDraw {
    let to_integers = integers && rng.bool();
    let of_integers = integers && !to_integers;
    let mut w =
        Writer { body: Body { nodes: Vec::new(), root: NodeId(0) }, names, scaled: of_integers };
    if to_integers {
        let (root, values, twin) = integer::draw(&mut w, rng);
        w.body.root = root;
        return BodyDraw { body: w.body, values, twin: Twin::Integer(twin) };
    }
    let (root, values, twin) = match rng.usize(0..9) {
        0 => (w.product(), vec![], twin(|acc, _| acc)),
        1 => scaled(&mut w),
        2 => activated(&mut w, rng),
        3 => biased(&mut w, rng),
        4 => residual(&mut w),
        5 => chosen(&mut w),
        6 => bound(&mut w),
        7 => shadowed(&mut w),
        _ => counted(&mut w),
    };
    w.body.root = root;
    BodyDraw { body: w.body, values, twin: Twin::Float(twin) }
}

fn twin(f: impl Fn(f32, &[f32]) -> f32 + Send + Sync + 'static) -> Function<f32> {
    Box::new(f)
}

type Written = (NodeId, Vec<Value>, Function<f32>);

/// `alpha * matmul(..)`
fn scaled(w: &mut Writer<'_>) -> Written {
    let (alpha, acc) = (w.value(0), w.product());
    (w.mul(alpha, acc), vec![Value::Scalar(ScalarType::F32)], twin(|acc, v| v[0] * acc))
}

/// `f(matmul(..))`
fn activated(w: &mut Writer<'_>, rng: &mut Rng) -> Written {
    let (name, f) = pick(rng, &ACTIVATIONS);
    let acc = w.product();
    (w.call(name, &[acc]), vec![], twin(move |acc, _| f(acc)))
}

/// `f(matmul(..) + bias)`
fn biased(w: &mut Writer<'_>, rng: &mut Rng) -> Written {
    let (name, f) = pick(rng, &ACTIVATIONS);
    let (acc, bias) = (w.product(), w.value(0));
    let sum = w.add(acc, bias);
    let along = pick(rng, &[Along::N, Along::N, Along::M]);
    (w.call(name, &[sum]), vec![Value::Vector(along)], twin(move |acc, v| f(acc + v[0])))
}

/// `relu(matmul(..) * scale) + residual`
fn residual(w: &mut Writer<'_>) -> Written {
    let (acc, scale) = (w.product(), w.value(0));
    let scaled = w.mul(acc, scale);
    let relu = w.call("relu", &[scaled]);
    let residual = w.value(1);
    let root = w.add(relu, residual);
    let values = vec![Value::Vector(Along::M), Value::Matrix];
    (root, values, twin(|acc, v| host::relu(acc * v[0]) + v[1]))
}

/// `if gate > 0.25 { matmul(..) } else { bias * -0.5 }`
fn chosen(w: &mut Writer<'_>) -> Written {
    let (gate, quarter) = (w.value(0), w.float(0.25));
    let condition = w.binary(BinaryOp::Gt, gate, quarter);
    let then = w.product();
    let (bias, half) = (w.value(1), w.float(-0.5));
    let otherwise = w.mul(bias, half);
    let root = w.node(Node::If { condition, then, otherwise });
    let values = vec![Value::Matrix, Value::Vector(Along::N)];
    (root, values, twin(|acc, v| if v[0] > 0.25 { acc } else { v[1] * -0.5 }))
}

/// `{ let y = matmul(..) + bias; y.clamp(-3.0, 3.0).mul_add(alpha, y) }`
fn bound(w: &mut Writer<'_>) -> Written {
    let (acc, bias) = (w.product(), w.value(0));
    let sum = w.add(acc, bias);
    let (y, low, high) = (w.name("y"), w.float(-3.0), w.float(3.0));
    let clamped = w.method(y, "clamp", &[low, high]);
    let (alpha, y) = (w.value(1), w.name("y"));
    let value = w.method(clamped, "mul_add", &[alpha, y]);
    let root = w.block(&[("y", sum)], value);
    let values = vec![Value::Vector(Along::M), Value::Scalar(ScalarType::F32)];
    let f = |acc: f32, v: &[f32]| {
        let y = acc + v[0];
        y.clamp(-3.0, 3.0).mul_add(v[1], y)
    };
    (root, values, twin(f))
}

/// `{ let y = matmul(..).max(gate); let y = y * y; leaky_relu(y - gate, 0.125) }`
fn shadowed(w: &mut Writer<'_>) -> Written {
    let (acc, gate) = (w.product(), w.value(0));
    let greater = w.method(acc, "max", &[gate]);
    let (left, right) = (w.name("y"), w.name("y"));
    let square = w.mul(left, right);
    let (y, gate) = (w.name("y"), w.value(0));
    let difference = w.binary(BinaryOp::Sub, y, gate);
    let slope = w.float(0.125);
    let value = w.call("leaky_relu", &[difference, slope]);
    let root = w.block(&[("y", greater), ("y", square)], value);
    let f = |acc: f32, v: &[f32]| {
        let y = acc.max(v[0]);
        host::leaky_relu(y * y - v[0], 0.125)
    };
    (root, vec![Value::Matrix], twin(f))
}

/// `(matmul(..) / 4.0).tanh() + count as f32 * scale`
fn counted(w: &mut Writer<'_>) -> Written {
    let (acc, four) = (w.product(), w.float(4.0));
    let quotient = w.binary(BinaryOp::Div, acc, four);
    let tanh = w.method(quotient, "tanh", &[]);
    let count = w.value(0);
    let count = w.node(Node::Cast(count, ScalarType::F32));
    let scale = w.value(1);
    let product = w.mul(count, scale);
    let root = w.add(tanh, product);
    let values = vec![Value::Scalar(ScalarType::I32), Value::Vector(Along::N)];
    (root, values, twin(|acc, v| (acc / 4.0).tanh() + v[0] * v[1]))
}
