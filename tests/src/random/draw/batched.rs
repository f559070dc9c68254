//! Batches: a matrix, or a vector, for each matrix of the output.

use fastrand::Rng;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId, UnaryOp};
use gemm_codegen::{OperandKind, Spec};

use super::pick::pick;

/// Names of the indices: ordinary ones, and ones that the emitted text has another use for.
const INDICES: [[&str; 4]; 3] = [
    ["B", "Heads", "Groups", "C"],
    ["batch", "r#struct", "count_1", "Matrix"],
    ["i1", "i0", "Counts", "stride_0_a"],
];

/// Makes batches of the outputs, of one factor or both, and of some of the `values`, which the body
/// reads; over one index to four.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec, values: &[usize]) {
    let rank = pick(rng, &[1, 1, 2, 2, 3, 4]);
    let indices = &pick(rng, &INDICES)[..rank];
    // Each index is that of one factor, or of both.
    let of_factors: Vec<u8> = indices.iter().map(|_| rng.u8(1..4)).collect();
    let mut factor = 0;
    for (number, operand) in spec.operands.iter_mut().enumerate() {
        let which: Vec<bool> = match (&operand.kind, values.contains(&number)) {
            // All matrices of a batch have the same scales.
            (
                OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) | OperandKind::Tiled { .. },
                _,
            ) => vec![false; rank],
            (_, true) => indices.iter().map(|_| rng.bool()).collect(),
            // Further second factors are of the batch of the first of them.
            (_, false) => {
                factor = (factor + 1).min(2);
                of_factors.iter().map(|has| has & factor != 0).collect()
            }
        };
        let chosen = indices.iter().zip(which).filter(|(_, chosen)| *chosen);
        operand.batch = chosen.map(|(index, _)| (*index).to_owned()).collect();
    }
    for output in &mut spec.outputs {
        output.batch = indices.iter().map(|index| (*index).to_owned()).collect();
    }
}

/// Changes the sign of the value of a body in matrices of odd numbers.
pub(super) fn alternate(body: &mut Body) {
    // Several outputs are made of a value that is bound before.
    let tuple = match &body.nodes[body.root.0] {
        Node::Block { bindings, value } => match (&bindings[..], &body.nodes[value.0]) {
            ([(name, bound)], Node::Tuple(_)) => Some((name.clone(), *bound, *value)),
            _ => None,
        },
        _ => None,
    };
    match tuple {
        None => body.root = alternating(body, body.root),
        Some((name, bound, value)) => {
            let bindings = vec![(name, alternating(body, bound))];
            body.root = body.push(Node::Block { bindings, value });
        }
    }
}

/// `{ let z = value; if batch() % 2 == 0 { z } else { -z } }`
fn alternating(body: &mut Body, value: NodeId) -> NodeId {
    let number = body.push(Node::Call { function: "batch".to_owned(), arguments: Vec::new() });
    let [two, zero] = [2, 0].map(|number| body.push(Node::Int(number)));
    let rest = body.push(Node::Binary(BinaryOp::Rem, number, two));
    let condition = body.push(Node::Binary(BinaryOp::Eq, rest, zero));
    let [then, z] = [(); 2].map(|()| body.push(Node::Name("of_matrix".to_owned())));
    let otherwise = body.push(Node::Unary(UnaryOp::Neg, z));
    let chosen = body.push(Node::If { condition, then, otherwise });
    body.push(Node::Block { bindings: vec![("of_matrix".to_owned(), value)], value: chosen })
}

/// `batch() * 0`
pub(super) fn no_number(body: &mut Body) -> NodeId {
    let call = Node::Call { function: "batch".to_owned(), arguments: Vec::new() };
    let [number, zero] = [call, Node::Int(0)].map(|node| body.push(node));
    body.push(Node::Binary(BinaryOp::Mul, number, zero))
}
