//! The shape of an arena: what has to hold before it can be walked.

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};

use crate::spec::{Body, Node, NodeId};

/// How deep a body may be nested. The walks are recursive, and so are those of rustc and NVRTC.
pub(crate) const MAX_DEPTH: usize = 256;

/// Checks that the nodes under the root, and those under the root of each function, are trees of their own: children
/// exist, come before their parents, have one parent each and are not nested too deeply. Bodies written in Rust
/// are trees; those put together at run time may not be.
pub(crate) fn check(body: &Body) -> Result<(), Vec<Diagnostic>> {
    let count = body.nodes.len();
    let mut diagnostics = Vec::new();
    // 0: not under a root.
    let mut depth = vec![0; count];
    let functions = body.functions.iter().map(|of| (format!("`{}`", of.name), of.root));
    for (of, NodeId(root)) in [("the body".to_owned(), body.root)].into_iter().chain(functions) {
        let (message, help) = match depth.get(root) {
            Some(0) => {
                depth[root] = 1;
                continue;
            }
            Some(_) => (
                format!("the root of {of} is node {root}, which is a root already"),
                "a function has nodes of its own",
            ),
            None => (
                format!("the root of {of} is node {root}, of {count} nodes"),
                "the root is one of the body's nodes",
            ),
        };
        diagnostics.push(Diagnostic::new(Rule::BodyNames, Field::Function, message, help));
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    // Children have smaller numbers, so going down meets every parent before its children.
    for id in (0..count).rev() {
        if depth[id] == 0 {
            continue;
        }
        for child in children(&body.nodes[id]) {
            match misplaced(id, child, &depth) {
                Some(diagnostic) => diagnostics.push(diagnostic),
                None => depth[child.0] = depth[id] + 1,
            }
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}

/// What is wrong with `child` as a child of node `parent`.
fn misplaced(parent: usize, child: NodeId, depth: &[usize]) -> Option<Diagnostic> {
    let NodeId(child) = child;
    let (message, help) = if child >= parent {
        (
            format!("node {parent} of the body has node {child} as a child"),
            "a child comes before its parent".to_owned(),
        )
    } else if depth[child] != 0 {
        (
            format!("node {child} of the body has two parents"),
            "bind its value with a block and use the name twice".to_owned(),
        )
    } else if depth[parent] >= MAX_DEPTH {
        (
            format!("the body is nested deeper than {MAX_DEPTH} levels"),
            "bind parts of it with `let`".to_owned(),
        )
    } else {
        return None;
    };
    Some(Diagnostic::new(Rule::BodyNames, Field::Body(NodeId(parent)), message, help))
}

/// The children of a node.
pub(crate) fn children(node: &Node) -> Vec<NodeId> {
    match node {
        Node::Float(_) | Node::Int(_) | Node::Bool(_) | Node::Name(_) | Node::Deref(_) => {
            Vec::new()
        }
        Node::Call { arguments, .. } => arguments.clone(),
        Node::Tuple(values) => values.clone(),
        Node::Method { receiver, arguments, .. } => {
            std::iter::once(*receiver).chain(arguments.iter().copied()).collect()
        }
        Node::Unary(_, x) | Node::Cast(x, _) | Node::Typed(x, _) => vec![*x],
        Node::Binary(_, x, y) => vec![*x, *y],
        Node::If { condition, then, otherwise } => vec![*condition, *then, *otherwise],
        Node::Block { bindings, value } => {
            bindings.iter().map(|(_, x)| *x).chain(std::iter::once(*value)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::UnaryOp;

    fn chain(depth: usize) -> Body {
        let mut body =
            Body { nodes: vec![Node::Float(1.0)], root: NodeId(0), functions: Vec::new() };
        for _ in 1..depth {
            body.root = body.push(Node::Unary(UnaryOp::Neg, body.root));
        }
        body
    }

    fn messages(body: &Body) -> Vec<String> {
        let diagnostics = check(body).err().unwrap_or_default();
        diagnostics.into_iter().map(|d| d.message).collect()
    }

    #[test]
    fn depth_is_bounded() {
        assert_eq!(check(&chain(MAX_DEPTH)), Ok(()));
        assert_eq!(messages(&chain(MAX_DEPTH + 1)), ["the body is nested deeper than 256 levels"]);
        assert!(check(&chain(1_000_000)).is_err());
    }

    #[test]
    fn a_root_outside_is_found() {
        let body = Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() };
        assert_eq!(messages(&body), ["the root of the body is node 0, of 0 nodes"]);
    }

    #[test]
    fn cycles_and_forward_references_are_found() {
        for child in [0, 1, usize::MAX] {
            let node = Node::Unary(UnaryOp::Neg, NodeId(child));
            let body = Body {
                nodes: vec![node, Node::Float(1.0)],
                root: NodeId(0),
                functions: Vec::new(),
            };
            assert_eq!(
                messages(&body),
                [format!("node 0 of the body has node {child} as a child")]
            );
        }
    }

    #[test]
    fn a_shared_node_is_found() {
        let mut body = chain(1);
        body.root = body.push(Node::Binary(crate::body::BinaryOp::Add, NodeId(0), NodeId(0)));
        assert_eq!(messages(&body), ["node 0 of the body has two parents"]);
    }

    #[test]
    fn nodes_that_nothing_uses_do_not_matter() {
        let mut body = chain(3);
        body.push(Node::Unary(UnaryOp::Neg, NodeId(99)));
        assert_eq!(check(&body), Ok(()));
    }
}
