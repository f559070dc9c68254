//! Bodies of floats.

use fastrand::Rng;
use gemm_codegen::ScalarType;
use gemm_codegen::body::{BinaryOp, Node, NodeId};
use gemm_runtime::{Real, body as host};
use num_traits::Float;

use super::{Along, Drawable, Function, Twin, Value, Writer};
use crate::random::draw::pick::pick;

/// A constant of a twin; exact in f32.
fn of<T: Float>(constant: f32) -> T {
    T::from(constant).unwrap_or_else(T::nan)
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

/// Draws a body whose value is a float.
pub(super) fn draw<T: Drawable>(w: &mut Writer<'_>, rng: &mut Rng) -> (NodeId, Vec<Value>, Twin) {
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
