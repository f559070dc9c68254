//! Bodies, each with the host function that it means.
//!
//! What a body decides by is exact on both sides: the accumulator, which is rounded differently,
//! is only compared where both branches agree.

mod integer;

use fastrand::Rng;
use gemm_codegen::ScalarType;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId};
use gemm_runtime::{Real, body as host};
use num_traits::Float;

use super::pick;

/// A function of the accumulator and the values of the operands.
pub(super) type Function<T> = Box<dyn Fn(T, &[T]) -> T + Send + Sync>;

/// A body on the host: the accumulator and the values of the operands → what is stored.
pub enum Twin {
    /// A body of f32; the sum of integers is multiplied by [`SCALE`] first.
    Float(Function<f32>),
    /// The same of f64.
    Double(Function<f64>),
    /// A body of integers.
    Integer(Function<i32>),
}

/// Makes of the sum of 8-bit products a number near those of floats; a power of two.
pub const SCALE: f32 = 1.0 / 16384.0;

/// A float that bodies are drawn of.
pub(super) trait Drawable: Real + Float + Send + Sync + 'static {
    const TYPE: ScalarType;

    fn twin(function: Function<Self>) -> Twin;
}

impl Drawable for f32 {
    const TYPE: ScalarType = ScalarType::F32;

    fn twin(function: Function<f32>) -> Twin {
        Twin::Float(function)
    }
}

impl Drawable for f64 {
    const TYPE: ScalarType = ScalarType::F64;

    fn twin(function: Function<f64>) -> Twin {
        Twin::Double(function)
    }
}

/// A constant of a twin; exact in f32.
fn of<T: Float>(constant: f32) -> T {
    T::from(constant).unwrap_or_else(T::nan)
}

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

/// Writes a body node by node.
struct Writer<'a> {
    body: Body,
    names: &'a [&'a str],
    product: Product,
}

/// What is multiplied and what a body computes with its product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    /// Floats whose product is of this type, the body's own.
    Own(ScalarType),
    /// Other floats, whose product is cast to this type.
    Cast(ScalarType),
    /// 8-bit integers, whose product is cast to this type and multiplied by [`SCALE`].
    Scaled(ScalarType),
    /// 8-bit integers, in a body of integers.
    Integer,
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
        let cast = match self.product {
            Product::Own(_) | Product::Integer => return product,
            Product::Cast(to) | Product::Scaled(to) => self.node(Node::Cast(product, to)),
        };
        if let Product::Cast(_) = self.product {
            return cast;
        }
        let scale = self.float(f64::from(SCALE));
        self.mul(cast, scale)
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
type Activation<T> = (&'static str, fn(T) -> T);

fn activations<T: Real>() -> [Activation<T>; 9] {
    [
        ("relu", host::relu),
        ("gelu", host::gelu),
        ("gelu_tanh", host::gelu_tanh),
        ("silu", host::silu),
        ("sigmoid", host::sigmoid),
        ("softplus", host::softplus),
        ("hardswish", host::hardswish),
        ("hardsigmoid", host::hardsigmoid),
        ("mish", host::mish),
    ]
}

/// A body, its operands beside the multiplied ones, its twin, and what it takes the product for.
pub(super) struct BodyDraw {
    pub(super) body: Body,
    pub(super) values: Vec<Value>,
    pub(super) twin: Twin,
    pub(super) product: Product,
}

/// Draws a body over operands of these names: the multiplied ones first.
pub(super) fn draw(rng: &mut Rng, names: &[&str]) -> BodyDraw {
    use Product::{Cast, Integer, Own, Scaled};
    use ScalarType::{F32, F64};
    let product = match rng.usize(0..24) {
        0..=11 => Own(F32),
        12..=14 => Integer,
        15..=17 => Scaled(F32),
        18..=20 => Own(F64),
        21 => Cast(F64),
        22 => Cast(F32),
        _ => Scaled(F64),
    };
    let mut w = Writer { body: Body { nodes: Vec::new(), root: NodeId(0) }, names, product };
    let (root, values, twin) = match product {
        Integer => {
            let (root, values, function) = integer::draw(&mut w, rng);
            (root, values, Twin::Integer(function))
        }
        Own(F64) | Cast(F64) | Scaled(F64) => of_floats::<f64>(&mut w, rng),
        _ => of_floats::<f32>(&mut w, rng),
    };
    w.body.root = root;
    BodyDraw { body: w.body, values, twin, product }
}

/// Draws a body whose value is a float.
fn of_floats<T: Drawable>(w: &mut Writer<'_>, rng: &mut Rng) -> (NodeId, Vec<Value>, Twin) {
    let (root, values, function) = match rng.usize(0..9) {
        0 => (w.product(), vec![], twin(|acc: T, _| acc)),
        1 => scaled(w),
        2 => activated(w, rng),
        3 => biased(w, rng),
        4 => residual(w),
        5 => chosen(w),
        6 => bound(w),
        7 => shadowed(w),
        _ => counted(w),
    };
    (root, values, T::twin(function))
}

fn twin<T>(f: impl Fn(T, &[T]) -> T + Send + Sync + 'static) -> Function<T> {
    Box::new(f)
}

type Written<T> = (NodeId, Vec<Value>, Function<T>);

/// `alpha * matmul(..)`
fn scaled<T: Drawable>(w: &mut Writer<'_>) -> Written<T> {
    let (alpha, acc) = (w.value(0), w.product());
    (w.mul(alpha, acc), vec![Value::Scalar(T::TYPE)], twin(|acc: T, v| v[0] * acc))
}

/// `f(matmul(..))`
fn activated<T: Drawable>(w: &mut Writer<'_>, rng: &mut Rng) -> Written<T> {
    let (name, f) = pick(rng, &activations::<T>());
    let acc = w.product();
    (w.call(name, &[acc]), vec![], twin(move |acc, _| f(acc)))
}

/// `f(matmul(..) + bias)`
fn biased<T: Drawable>(w: &mut Writer<'_>, rng: &mut Rng) -> Written<T> {
    let (name, f) = pick(rng, &activations::<T>());
    let (acc, bias) = (w.product(), w.value(0));
    let sum = w.add(acc, bias);
    let along = pick(rng, &[Along::N, Along::N, Along::M]);
    (w.call(name, &[sum]), vec![Value::Vector(along)], twin(move |acc, v| f(acc + v[0])))
}

/// `relu(matmul(..) * scale) + residual`
fn residual<T: Drawable>(w: &mut Writer<'_>) -> Written<T> {
    let (acc, scale) = (w.product(), w.value(0));
    let scaled = w.mul(acc, scale);
    let relu = w.call("relu", &[scaled]);
    let residual = w.value(1);
    let root = w.add(relu, residual);
    let values = vec![Value::Vector(Along::M), Value::Matrix];
    (root, values, twin(|acc: T, v| host::relu(acc * v[0]) + v[1]))
}

/// `if gate > 0.25 { matmul(..) } else { bias * -0.5 }`
fn chosen<T: Drawable>(w: &mut Writer<'_>) -> Written<T> {
    let (gate, quarter) = (w.value(0), w.float(0.25));
    let condition = w.binary(BinaryOp::Gt, gate, quarter);
    let then = w.product();
    let (bias, half) = (w.value(1), w.float(-0.5));
    let otherwise = w.mul(bias, half);
    let root = w.node(Node::If { condition, then, otherwise });
    let values = vec![Value::Matrix, Value::Vector(Along::N)];
    (root, values, twin(|acc: T, v| if v[0] > of(0.25) { acc } else { v[1] * of(-0.5) }))
}

/// `{ let y = matmul(..) + bias; y.clamp(-3.0, 3.0).mul_add(alpha, y) }`
fn bound<T: Drawable>(w: &mut Writer<'_>) -> Written<T> {
    let (acc, bias) = (w.product(), w.value(0));
    let sum = w.add(acc, bias);
    let (y, low, high) = (w.name("y"), w.float(-3.0), w.float(3.0));
    let clamped = w.method(y, "clamp", &[low, high]);
    let (alpha, y) = (w.value(1), w.name("y"));
    let value = w.method(clamped, "mul_add", &[alpha, y]);
    let root = w.block(&[("y", sum)], value);
    let values = vec![Value::Vector(Along::M), Value::Scalar(T::TYPE)];
    let f = |acc: T, v: &[T]| {
        let y = acc + v[0];
        y.max(of(-3.0)).min(of(3.0)).mul_add(v[1], y)
    };
    (root, values, twin(f))
}

/// `{ let y = matmul(..).max(gate); let y = y * y; leaky_relu(y - gate, 0.125) }`
fn shadowed<T: Drawable>(w: &mut Writer<'_>) -> Written<T> {
    let (acc, gate) = (w.product(), w.value(0));
    let greater = w.method(acc, "max", &[gate]);
    let (left, right) = (w.name("y"), w.name("y"));
    let square = w.mul(left, right);
    let (y, gate) = (w.name("y"), w.value(0));
    let difference = w.binary(BinaryOp::Sub, y, gate);
    let slope = w.float(0.125);
    let value = w.call("leaky_relu", &[difference, slope]);
    let root = w.block(&[("y", greater), ("y", square)], value);
    let f = |acc: T, v: &[T]| {
        let y = acc.max(v[0]);
        host::leaky_relu(y * y - v[0], of(0.125))
    };
    (root, vec![Value::Matrix], twin(f))
}

/// `(matmul(..) / 4.0).tanh() + count as f32 * scale`
fn counted<T: Drawable>(w: &mut Writer<'_>) -> Written<T> {
    let (acc, four) = (w.product(), w.float(4.0));
    let quotient = w.binary(BinaryOp::Div, acc, four);
    let tanh = w.method(quotient, "tanh", &[]);
    let count = w.value(0);
    let count = w.node(Node::Cast(count, T::TYPE));
    let scale = w.value(1);
    let product = w.mul(count, scale);
    let root = w.add(tanh, product);
    let values = vec![Value::Scalar(ScalarType::I32), Value::Vector(Along::N)];
    (root, values, twin(|acc: T, v| (acc / of(4.0)).tanh() + v[0] * v[1]))
}
