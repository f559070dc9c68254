//! The form in place: an output that is a parameter, whose old elements a body may read.

use fastrand::Rng;
use gemm_codegen::Element;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId};

use super::body::{Drawable, Function};
use super::{Drawn, Twin};

/// The same with an output that is the parameter `name`.
pub(super) fn of(rng: &mut Rng, mut drawn: Drawn, name: &str) -> Drawn {
    let output = &mut drawn.spec.outputs[0];
    output.in_place = Some(name.to_owned());
    // What is stored is of the type of what was there.
    if matches!((&drawn.twin, output.element), (Twin::Float(_), Element::I8 | Element::U8)) {
        output.element = Element::F32;
    }
    if rng.u8(0..4) == 0 {
        // The old elements are not read.
        return drawn;
    }
    let body = &mut drawn.spec.body;
    let (root, twin) = match drawn.twin {
        Twin::Integer(f) => {
            let f = move |acc, v: &[i32]| with_old(v, |old, v| old.wrapping_add(f(acc, v)));
            (added_to_old(body, name), Twin::Integer(Box::new(f)))
        }
        Twin::Float(f) => of_floats(rng, body, name, f),
        Twin::Double(f) => of_floats(rng, body, name, f),
    };
    body.root = root;
    Drawn { twin, takes_old: true, ..drawn }
}

/// One of two bodies of floats that read the old element.
fn of_floats<T: Drawable>(
    rng: &mut Rng,
    body: &mut Body,
    name: &str,
    f: Function<T>,
) -> (NodeId, Twin) {
    if rng.bool() {
        let half = T::one() / (T::one() + T::one());
        let f = move |acc, v: &[T]| with_old(v, |old, v| f(acc, v).max(old) - half * old);
        return (greater_than_old(body, name), T::twin(Box::new(f)));
    }
    let f = move |acc, v: &[T]| with_old(v, |old, v| old + f(acc, v));
    (added_to_old(body, name), T::twin(Box::new(f)))
}

/// `*c += value`
fn added_to_old(body: &mut Body, name: &str) -> NodeId {
    let old = body.push(Node::Deref(name.to_owned()));
    body.push(Node::Binary(BinaryOp::Add, old, body.root))
}

/// `*c = value.max(*c) - 0.5 * *c`
fn greater_than_old(body: &mut Body, name: &str) -> NodeId {
    let arguments = vec![body.push(Node::Deref(name.to_owned()))];
    let receiver = body.root;
    let greater = body.push(Node::Method { receiver, method: "max".to_owned(), arguments });
    let half = body.push(Node::Float(0.5));
    let old = body.push(Node::Deref(name.to_owned()));
    let half = body.push(Node::Binary(BinaryOp::Mul, half, old));
    body.push(Node::Binary(BinaryOp::Sub, greater, half))
}

/// What a twin gives for the old element, the last of its values, and the others.
fn with_old<T: Copy>(values: &[T], twin: impl FnOnce(T, &[T]) -> T) -> T {
    match values.split_last() {
        Some((old, values)) => twin(*old, values),
        None => unreachable!("a twin that takes the old element is given it"),
    }
}
