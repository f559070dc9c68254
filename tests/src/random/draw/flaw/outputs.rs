//! Changes of the outputs and of the tuple that is stored to them.

use fastrand::Rng;
use gemm_codegen::body::{Node, NodeId, UnaryOp};
use gemm_codegen::{Element, OutputIndices, Spec};

use crate::random::draw::pick::pick;

/// Changes one of several outputs, or their number.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec) {
    let root = spec.body.root;
    if spec.outputs.len() == 1 {
        // One value, and two outputs or a tuple of it.
        match rng.bool() {
            true => spec.outputs.push(spec.outputs[0].clone()),
            false => spec.body.root = spec.body.push(Node::Tuple(vec![root])),
        }
        return;
    }
    let last = spec.outputs.len() - 1;
    match rng.usize(0..9) {
        0 => spec.outputs.push(spec.outputs[0].clone()),
        1 => drop(spec.outputs.pop()),
        2 => spec.outputs[last].indices.names_mut().reverse(),
        3 => {
            let batch = (0..rng.usize(0..3)).map(|_| pick(rng, &["B", "Other"]).to_owned());
            spec.outputs[last].batch = batch.collect();
        }
        4 => spec.outputs[last].in_place = Some("c".to_owned()),
        5 => {
            let condition = spec.body.push(Node::Bool(true));
            let otherwise = spec.body.push(Node::Float(1.0));
            spec.body.root = spec.body.push(Node::If { condition, then: root, otherwise });
        }
        6 => spec.body.root = spec.body.push(Node::Unary(UnaryOp::Neg, root)),
        7 => {
            let index = spec.outputs[last].indices.names()[0].clone();
            spec.outputs[last].indices = OutputIndices::Reduced(index);
        }
        _ => five(spec, root),
    }
    if rng.u8(0..4) == 0
        && let [_, .., output] = &mut spec.outputs[..]
    {
        output.element = pick(rng, &Element::ALL);
    }
}

/// Five outputs, each with a value.
fn five(spec: &mut Spec, root: NodeId) {
    let Node::Block { bindings, value } = spec.body.nodes[root.0].clone() else { return };
    let Node::Tuple(mut values) = spec.body.nodes[value.0].clone() else { return };
    while values.len() < 5 {
        values.push(spec.body.push(Node::Name("y".to_owned())));
        spec.outputs.push(spec.outputs[0].clone());
    }
    let value = spec.body.push(Node::Tuple(values));
    spec.body.root = spec.body.push(Node::Block { bindings, value });
}
