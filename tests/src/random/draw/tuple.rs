//! Bodies of several outputs: `{ let y = value; (y, -y, y.max(0.0), ..) }`.

use fastrand::Rng;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId, UnaryOp};
use gemm_codegen::{Element, ScalarType};

use super::Twin;
use super::body::SCALE;
use super::pick::pick;

/// What an output is of the value of the body, which is the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// `y`
    Same,
    /// `-y`
    Negated,
    /// `y.max(0)`
    Positive,
    /// `y as f64` of an f32, `y as f32` of an f64, `y as f32 * SCALE` of an integer.
    Cast,
}

/// Makes a tuple of two to four values of a body.
pub(super) fn of(rng: &mut Rng, body: &mut Body, twin: &Twin) -> Vec<Derived> {
    let all = [Derived::Same, Derived::Same, Derived::Negated, Derived::Positive, Derived::Cast];
    let derived: Vec<Derived> = (0..rng.usize(2..=4)).map(|_| pick(rng, &all)).collect();
    let value = body.root;
    let values = derived.iter().map(|derived| derived.node(body, twin)).collect();
    let tuple = body.push(Node::Tuple(values));
    body.root = body.push(Node::Block { bindings: vec![("y".to_owned(), value)], value: tuple });
    derived
}

impl Derived {
    fn node(self, body: &mut Body, twin: &Twin) -> NodeId {
        let y = body.push(Node::Name("y".to_owned()));
        match (self, twin) {
            (Derived::Same, _) => y,
            (Derived::Negated, _) => body.push(Node::Unary(UnaryOp::Neg, y)),
            (Derived::Positive, _) => {
                let zero = match twin {
                    Twin::Integer(_) => Node::Int(0),
                    Twin::Float(_) | Twin::Double(_) => Node::Float(0.0),
                };
                let arguments = vec![body.push(zero)];
                body.push(Node::Method { receiver: y, method: "max".to_owned(), arguments })
            }
            (Derived::Cast, Twin::Float(_)) => body.push(Node::Cast(y, ScalarType::F64)),
            (Derived::Cast, Twin::Double(_)) => body.push(Node::Cast(y, ScalarType::F32)),
            (Derived::Cast, Twin::Integer(_)) => {
                let cast = body.push(Node::Cast(y, ScalarType::F32));
                let scale = body.push(Node::Float(f64::from(SCALE)));
                body.push(Node::Binary(BinaryOp::Mul, cast, scale))
            }
        }
    }

    /// The type of the elements that it is stored as; uncast, one of these.
    pub(super) fn element(self, rng: &mut Rng, twin: &Twin, uncast: &[Element]) -> Element {
        match (self, twin) {
            (Derived::Cast, Twin::Float(_)) => Element::F64,
            (Derived::Cast, _) => pick(rng, &[Element::F16, Element::Bf16, Element::F32]),
            _ => pick(rng, uncast),
        }
    }
}
