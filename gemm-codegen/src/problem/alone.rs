//! The function of one product alone: its output, the `let`s that its value reads, and their operands.

use std::collections::HashSet;

use crate::body::name::plain;
use crate::body::tree::children;
use crate::spec::{Body, Node, NodeId, Operand, Spec};

/// The `let`s before what a body ends in, and the values that it ends in.
pub(super) fn ends(body: &Body) -> (Vec<(String, NodeId)>, Vec<NodeId>) {
    let (mut lets, mut end) = (Vec::new(), body.root);
    while let Node::Block { bindings, value } = &body.nodes[end.0] {
        lets.extend(bindings.iter().cloned());
        end = *value;
    }
    match &body.nodes[end.0] {
        Node::Tuple(values) => (lets, values.clone()),
        _ => (lets, vec![end]),
    }
}

/// The function of one output alone, and the numbers of its operands.
pub(super) fn alone(
    asked: &Spec,
    output: usize,
    lets: &[(String, NodeId)],
    end: NodeId,
) -> (Spec, Vec<usize>) {
    let body = &asked.body;
    let mut needed: HashSet<&str> = free_names(body, end).into_iter().collect();
    let mut kept: Vec<(String, NodeId)> = Vec::new();
    for (name, value) in lets.iter().rev() {
        if needed.remove(plain(name)) {
            needed.extend(free_names(body, *value));
            kept.insert(0, (name.clone(), *value));
        }
    }
    let mut operands: Vec<usize> = Vec::new();
    let mut bound: Vec<&str> = Vec::new();
    let steps = kept.iter().map(|(name, value)| (Some(name), *value)).chain([(None, end)]);
    for (name, value) in steps {
        for free in free_names(body, value) {
            let operand = asked.operands.iter().position(|operand| plain(&operand.name) == free);
            if let Some(operand) = operand
                && !bound.contains(&free)
                && !operands.contains(&operand)
            {
                operands.push(operand);
            }
        }
        bound.extend(name.map(|name| plain(name)));
    }
    let mut body = body.clone();
    body.root = match kept.is_empty() {
        true => end,
        false => body.push(Node::Block { bindings: kept, value: end }),
    };
    let own = |number: &usize| -> Operand { asked.operands[*number].clone() };
    let spec = Spec {
        name: asked.name.clone(),
        operands: operands.iter().map(own).collect(),
        outputs: vec![asked.outputs[output].clone()],
        body,
        schedule: asked.schedule.clone(),
    };
    (spec, operands)
}

/// The names in an expression that no `let` inside of it binds, in the order in which they are read.
fn free_names(body: &Body, of: NodeId) -> Vec<&str> {
    let mut found = Vec::new();
    collect(body, of, &mut Vec::new(), &mut found);
    found
}

fn collect<'b>(body: &'b Body, of: NodeId, bound: &mut Vec<&'b str>, found: &mut Vec<&'b str>) {
    match &body.nodes[of.0] {
        Node::Name(name) | Node::Deref(name) => {
            if !bound.contains(&plain(name)) {
                found.push(plain(name));
            }
        }
        Node::Block { bindings, value } => {
            let outer = bound.len();
            for (name, value) in bindings {
                collect(body, *value, bound, found);
                bound.push(plain(name));
            }
            collect(body, *value, bound, found);
            bound.truncate(outer);
        }
        node => children(node).into_iter().for_each(|child| collect(body, child, bound, found)),
    }
}
