//! Bodies of integers. They wrap, so that any operands will do.

use fastrand::Rng;
use gemm_codegen::ScalarType;
use gemm_codegen::body::{BinaryOp, Node, NodeId, UnaryOp};

use super::{Along, Function, Value, Writer};
use crate::random::draw::pick::pick;

type Written = (NodeId, Vec<Value>, Function<i32>);

/// Draws a body whose value is an integer.
pub(super) fn draw(w: &mut Writer<'_>, rng: &mut Rng) -> Written {
    match rng.usize(0..5) {
        0 => (w.product(), vec![], twin(|acc, _| acc)),
        1 => biased(w, rng),
        2 => combined(w),
        3 => requantized(w),
        _ => chosen(w),
    }
}

fn twin(f: impl Fn(i32, &[i32]) -> i32 + Send + Sync + 'static) -> Function<i32> {
    Box::new(f)
}

/// `matmul(..) + bias`
fn biased(w: &mut Writer<'_>, rng: &mut Rng) -> Written {
    let (acc, bias) = (w.product(), w.value(0));
    let along = pick(rng, &[Along::N, Along::M]);
    (w.add(acc, bias), vec![Value::Vector(along)], twin(|acc, v| acc.wrapping_add(v[0])))
}

/// `matmul(..) * alpha - residual`
fn combined(w: &mut Writer<'_>) -> Written {
    let (acc, alpha) = (w.product(), w.value(0));
    let scaled = w.mul(acc, alpha);
    let residual = w.value(1);
    let root = w.binary(BinaryOp::Sub, scaled, residual);
    let values = vec![Value::Scalar(ScalarType::I32), Value::Matrix];
    (root, values, twin(|acc, v| acc.wrapping_mul(v[0]).wrapping_sub(v[1])))
}

/// `((matmul(..) + bias) / 512).max(-100).min(gate)`
fn requantized(w: &mut Writer<'_>) -> Written {
    let (acc, bias) = (w.product(), w.value(0));
    let sum = w.add(acc, bias);
    let divisor = w.node(Node::Int(512));
    let quotient = w.binary(BinaryOp::Div, sum, divisor);
    let hundred = w.node(Node::Int(100));
    let least = w.node(Node::Unary(UnaryOp::Neg, hundred));
    let bounded = w.method(quotient, "max", &[least]);
    let gate = w.value(1);
    let root = w.method(bounded, "min", &[gate]);
    let values = vec![Value::Vector(Along::N), Value::Matrix];
    (root, values, twin(|acc, v| (acc.wrapping_add(v[0]) / 512).max(-100).min(v[1])))
}

/// `if gate > 3 { matmul(..) } else { -bias }`
fn chosen(w: &mut Writer<'_>) -> Written {
    let (gate, three) = (w.value(0), w.node(Node::Int(3)));
    let condition = w.binary(BinaryOp::Gt, gate, three);
    let (then, bias) = (w.product(), w.value(1));
    let otherwise = w.node(Node::Unary(UnaryOp::Neg, bias));
    let root = w.node(Node::If { condition, then, otherwise });
    let values = vec![Value::Matrix, Value::Vector(Along::M)];
    (root, values, twin(|acc, v| if v[0] > 3 { acc } else { v[1].wrapping_neg() }))
}
