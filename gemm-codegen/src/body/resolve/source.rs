//! Nodes as the text of Rust that a help quotes.

use crate::body::text::{Binding, Text};
use crate::spec::{BinaryOp, Node, NodeId};

use super::Resolver;

/// The longest text that is quoted: a longer one hides the help around it.
const MAX_LENGTH: usize = 40;

impl Resolver<'_> {
    /// The text of a node; `..` for a long one.
    pub(super) fn quoted(&self, id: NodeId) -> String {
        self.text(id).map_or_else(|| "..".to_owned(), |text| text.text)
    }

    /// A call of a method that a node receives, which may be an operator.
    pub(super) fn quoted_method(&self, receiver: NodeId, name: &str, rest: &[NodeId]) -> String {
        let receiver =
            self.text(receiver).map_or_else(|| "(..)".to_owned(), |of| of.at_least(Binding::Atom));
        format!("{receiver}.{name}({})", self.quoted_all(rest))
    }

    /// The arguments of a call.
    pub(super) fn quoted_all(&self, ids: &[NodeId]) -> String {
        let all: Vec<String> = ids.iter().map(|id| self.quoted(*id)).collect();
        all.join(", ")
    }

    fn text(&self, id: NodeId) -> Option<Text> {
        let text = match self.node(id) {
            Node::Float(value) => Text::atom(format!("{value:?}")),
            Node::Int(value) => Text::atom(value.to_string()),
            Node::Bool(value) => Text::atom(value.to_string()),
            Node::Name(name) => Text::atom(name.clone()),
            Node::Deref(name) => Text { text: format!("*{name}"), binding: Binding::Prefix },
            Node::Call { function, arguments } => {
                Text::atom(format!("{function}({})", self.quoted_all(arguments)))
            }
            Node::Method { receiver, method, arguments } => {
                Text::atom(self.quoted_method(*receiver, method, arguments))
            }
            Node::Unary(op, x) => {
                let operand = self.text(*x)?.at_least(Binding::Prefix);
                Text { text: format!("{}{operand}", op.symbol()), binding: Binding::Prefix }
            }
            Node::Cast(x, to) => {
                let value = self.text(*x)?.at_least(Binding::Prefix);
                // A cast binds more tightly than a product.
                Text { text: format!("{value} as {to}"), binding: Binding::Product }
            }
            Node::Binary(op, x, y) => self.operator(*op, *x, *y)?,
            Node::Typed(x, _) => self.text(*x)?,
            Node::If { .. } | Node::Block { .. } | Node::Tuple(_) => return None,
        };
        Some(text).filter(|of| of.text.len() <= MAX_LENGTH)
    }

    fn operator(&self, op: BinaryOp, x: NodeId, y: NodeId) -> Option<Text> {
        let (binding, right) = match op {
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => (Binding::Product, Binding::Prefix),
            BinaryOp::Add | BinaryOp::Sub => (Binding::Sum, Binding::Product),
            BinaryOp::And => (Binding::And, Binding::Comparison),
            BinaryOp::Or => (Binding::Or, Binding::And),
            _ => (Binding::Comparison, Binding::Sum),
        };
        let left = if binding == Binding::Comparison { Binding::Sum } else { binding };
        let [left, right] = [self.text(x)?.at_least(left), self.text(y)?.at_least(right)];
        Some(Text { text: format!("{left} {} {right}", op.symbol()), binding })
    }
}
