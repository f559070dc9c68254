//! Which outputs of a body are sums that are stored as they are.

use std::collections::HashMap;

use gemm_codegen::ScalarType;
use gemm_codegen::body::{Body, Node, NodeId};

/// The names of two factors.
type Factors<'a> = [&'a str; 2];

/// For each output in turn, the names of the factors of its `matmul` if it is just that, also by way of a
/// `let`.
pub(super) fn sums(body: &Body) -> Vec<Option<Factors<'_>>> {
    Sums { body, bound: HashMap::new() }.outputs(body.root)
}

struct Sums<'a> {
    body: &'a Body,
    /// What the names of `let` have.
    bound: HashMap<&'a str, Option<Factors<'a>>>,
}

impl<'a> Sums<'a> {
    fn outputs(&mut self, at: NodeId) -> Vec<Option<Factors<'a>>> {
        let body = self.body;
        match &body.nodes[at.0] {
            Node::Block { bindings, value } => {
                self.bind(bindings);
                self.outputs(*value)
            }
            Node::Tuple(parts) => parts.iter().map(|part| self.sum(*part)).collect(),
            _ => vec![self.sum(at)],
        }
    }

    fn bind(&mut self, bindings: &'a [(String, NodeId)]) {
        for (name, value) in bindings {
            let value = self.sum(*value);
            self.bound.insert(name, value);
        }
    }

    fn sum(&mut self, at: NodeId) -> Option<Factors<'a>> {
        let body = self.body;
        match &body.nodes[at.0] {
            Node::Call { function, arguments } if function == "matmul" => match arguments[..] {
                [a, b] => Some([self.name(a)?, self.name(b)?]),
                _ => None,
            },
            Node::Name(name) => self.bound.get(&**name).copied().flatten(),
            Node::Typed(value, ScalarType::F32) => self.sum(*value),
            _ => None,
        }
    }

    /// The name of an operand.
    fn name(&self, at: NodeId) -> Option<&'a str> {
        match &self.body.nodes[at.0] {
            Node::Name(name) => Some(name),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use gemm_codegen::body::UnaryOp;

    use super::*;

    #[test]
    fn a_sum_is_found_through_lets_and_in_tuples() {
        let mut body = Body::matmul("x", "w");
        assert_eq!(sums(&body), [Some(["x", "w"])]);
        let product = body.root;
        let name = body.push(Node::Name("sum".to_owned()));
        let negative = body.push(Node::Unary(UnaryOp::Neg, name));
        let typed = body.push(Node::Typed(name, ScalarType::F32));
        let tuple = body.push(Node::Tuple(vec![negative, typed, name]));
        let bindings = vec![("sum".to_owned(), product)];
        body.root = body.push(Node::Block { bindings, value: tuple });
        assert_eq!(sums(&body), [None, Some(["x", "w"]), Some(["x", "w"])]);
        // A later `let` of the same name has another value.
        let bindings = vec![("sum".to_owned(), product), ("sum".to_owned(), negative)];
        body.root = body.push(Node::Block { bindings, value: tuple });
        assert_eq!(sums(&body), [None, None, None]);
    }
}
