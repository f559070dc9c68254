//! Constants that a body names: the launch passes them to the kernel as scalars.
//!
//! A macro sees only the name of a constant. Its type is assumed, and rustc checks the assumption.

use std::collections::HashSet;

use gemm_codegen::body::{Body, Node, NodeId};
use gemm_codegen::{Element, Field, Operand, OperandKind, Output, ScalarType};
use proc_macro2::Ident;

use crate::spans::Spans;

/// A constant in the scope of the function.
pub(crate) struct Constant {
    pub(crate) name: Ident,
    /// The type of a `let` that it is bound to.
    stated: Option<ScalarType>,
}

impl Constant {
    /// The scalar that the kernel takes for it: of the stated type, else the float that a function
    /// with these outputs computes with.
    pub(crate) fn operand(&self, outputs: &[Output]) -> Operand {
        let doubles = outputs.first().is_some_and(|output| output.element == Element::F64);
        let own = if doubles { ScalarType::F64 } else { ScalarType::F32 };
        let kind = OperandKind::Scalar(self.stated.unwrap_or(own));
        Operand { name: self.name.to_string(), batch: Vec::new(), kind }
    }
}

/// The constants of a body, each at its first use: names in capitals that are neither `taken` by
/// the signature nor bound by a `let`. The nodes before `first` are of other functions.
pub(crate) fn constants(
    body: &Body,
    first: usize,
    taken: &HashSet<String>,
    spans: &Spans,
) -> Vec<Constant> {
    let mut seen = taken.clone();
    for node in body.nodes.iter().skip(first) {
        if let Node::Block { bindings, .. } = node {
            seen.extend(bindings.iter().map(|(name, _)| name.clone()));
        }
    }
    let nodes = body.nodes.iter().enumerate().skip(first);
    let names = nodes.filter_map(|(id, node)| match node {
        Node::Name(name) if is_capital(name) && seen.insert(name.clone()) => Some((id, name)),
        _ => None,
    });
    let constant = |(id, name): (usize, &String)| {
        let name = spans.get(Field::Body(NodeId(id))).name(name);
        Constant { stated: stated(body, &name), name }
    };
    names.map(constant).collect()
}

fn is_capital(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// The type of the `let` that a name is bound to.
fn stated(body: &Body, constant: &Ident) -> Option<ScalarType> {
    body.nodes.iter().find_map(|node| match node {
        Node::Typed(value, ty) => match &body.nodes[value.0] {
            Node::Name(name) if constant == name => Some(*ty),
            _ => None,
        },
        _ => None,
    })
}
