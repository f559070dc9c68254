//! Several products in turn, each computed as the one of a spec that was drawn.

use fastrand::Rng;
use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Operand, OperandKind, Plan, Spec};

use super::Drawn;

/// The spec of two to four products like that of a legal spec that was drawn, each with an output: with operands of its own
/// wherever these have columns, and now and then elsewhere. With the numbers that each product gives to the operands whose
/// values the twin takes. `None` for a spec whose product has no place among others.
pub fn in_turn(rng: &mut Rng, drawn: &Drawn, plan: &Plan) -> Option<(Spec, Vec<usize>)> {
    let (spec, problem) = (&drawn.spec, plan.problem());
    let is_alone = spec.outputs.len() == 1
        && spec.outputs[0].in_place.is_none()
        && problem.products() == 1
        && problem.added().is_none()
        && plan.planes().is_none()
        && problem.n_contiguous()
        && spec.schedule.pdl.as_ref().is_none_or(Vec::is_empty);
    if !is_alone {
        return None;
    }
    let n = problem.indices()[1].clone();
    let widths = [n.clone(), format!("{n}_1"), format!("{n}_2"), format!("{n}_3")];
    let mut all = spec.clone();
    let mut values = vec![spec.body.root];
    for number in 1..rng.usize(2..=4) {
        let width = &widths[rng.usize(..widths.len())];
        let mut renamed = Vec::new();
        for operand in &spec.operands {
            let is_wide = indices(&operand.kind).contains(&n);
            // The first factor is shared, with its scales.
            let is_factor = problem.operands()[place(spec, &operand.name)].is_multiplied()
                || matches!(operand.kind, OperandKind::Tiled { .. });
            if is_wide || !is_factor && rng.u8(0..4) == 0 {
                let mut own = operand.clone();
                own.name = format!("{}_{number}", operand.name);
                rename(&mut own.kind, &n, width);
                renamed.push((operand.name.clone(), own.name.clone()));
                all.operands.push(own);
            }
        }
        values.push(copy(&mut all.body, spec.body.root, &renamed));
        let mut output = spec.outputs[0].clone();
        output.indices.names_mut()[1].clone_from(width);
        all.outputs.push(output);
    }
    all.body.root = all.body.push(Node::Tuple(values));
    let of_product = Plan::new(&all).ok().map(|plan| plan.segments()[0].operands().to_vec());
    let slot = |value: &usize| of_product.as_ref()?.iter().position(|operand| operand == value);
    // A spec that is refused is run, and so reported.
    let slots = drawn.values.iter().map(|value| slot(value).unwrap_or(0)).collect();
    Some((all, slots))
}

/// The number of the operand of this name.
fn place(spec: &Spec, name: &str) -> usize {
    spec.operands.iter().position(|operand: &Operand| operand.name == name).unwrap_or(0)
}

fn indices(kind: &OperandKind) -> &[String] {
    match kind {
        OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => indices,
        OperandKind::Vector { index, .. } => std::slice::from_ref(index),
        OperandKind::DeviceScalar(_) | OperandKind::Scalar(_) => &[],
    }
}

fn rename(kind: &mut OperandKind, from: &str, to: &str) {
    let indices = match kind {
        OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => {
            &mut indices[..]
        }
        OperandKind::Vector { index, .. } => std::slice::from_mut(index),
        OperandKind::DeviceScalar(_) | OperandKind::Scalar(_) => return,
    };
    indices.iter_mut().filter(|index| *index == from).for_each(|index| to.clone_into(index));
}

/// Adds an expression like this one, with other names of operands.
fn copy(body: &mut Body, of: NodeId, renamed: &[(String, String)]) -> NodeId {
    let mut node = body.nodes[of.0].clone();
    let mut child = |child: &mut NodeId| *child = copy(body, *child, renamed);
    match &mut node {
        Node::Name(name) => {
            if let Some((_, to)) = renamed.iter().find(|(from, _)| from == name) {
                name.clone_from(to);
            }
        }
        Node::Deref(_) | Node::Float(_) | Node::Int(_) | Node::Bool(_) => {}
        Node::Call { arguments, .. } => arguments.iter_mut().for_each(child),
        Node::Method { receiver, arguments, .. } => {
            [receiver].into_iter().chain(arguments).for_each(child);
        }
        Node::Unary(_, x) | Node::Cast(x, _) | Node::Typed(x, _) => child(x),
        Node::Binary(_, x, y) => [x, y].into_iter().for_each(child),
        Node::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(child);
        }
        Node::Block { bindings, value } => {
            bindings.iter_mut().map(|(_, bound)| bound).chain([value]).for_each(child);
        }
        Node::Tuple(values) => values.iter_mut().for_each(child),
    }
    body.push(node)
}
