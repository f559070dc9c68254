//! The one `matmul` of a body.

use crate::axis::PerSide;
use crate::rule::{Diagnostic, Rule};

use super::names::Binding;
use super::{Checked, ExprKind, Resolver};
use crate::spec::{Node, NodeId, OperandKind};

impl<'a> Resolver<'a> {
    /// A call of `matmul`: the accumulator.
    pub(super) fn matmul(&mut self, id: NodeId, arguments: &'a [NodeId]) -> Checked {
        self.products.push(id);
        if self.products.len() > 1 {
            self.report(
                Rule::OneMatmul,
                id,
                "a second `matmul`: a body has exactly one",
                "bind the product with `let` to use it twice; a second product needs a second \
                 function",
            );
            return Checked::wrong(None);
        }
        let factors: Vec<Option<usize>> =
            arguments.iter().map(|argument| self.factor(*argument)).collect();
        if let [a, b] = factors[..] {
            self.product = a.zip(b).map(|(a, b)| PerSide { a, b });
        } else {
            let message = format!("`matmul` takes two matrices, got {}", arguments.len());
            self.report(Rule::OneMatmul, id, message, self.matmul_help());
        }
        let ty = factors.first().copied().flatten().map(|a| self.spec.operands[a].kind.value());
        match (self.product, ty) {
            (Some(_), Some(ty)) => Checked::new(ExprKind::Accumulator, ty),
            (_, ty) => Checked::wrong(ty),
        }
    }

    /// The operand that an argument of `matmul` names.
    fn factor(&mut self, id: NodeId) -> Option<usize> {
        let Node::Name(name) = self.node(id) else {
            let help = "apply the computation to the product, or to the operand before the launch";
            self.report(
                Rule::OneMatmul,
                id,
                "an argument of `matmul` must be the name of a matrix",
                help,
            );
            return None;
        };
        let kind = match self.lookup(name) {
            Some(Binding::Operand(operand)) => match self.spec.operands[operand].kind {
                OperandKind::Matrix { .. } => {
                    self.factors.push(operand);
                    return Some(operand);
                }
                OperandKind::Vector { .. } => "a vector",
                OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => "a scalar",
            },
            Some(Binding::Local(_)) => "a `let`",
            Some(Binding::Output) => {
                let message =
                    format!("`{name}` is the output, so it cannot be an argument of `matmul`");
                self.report(Rule::OneMatmul, id, message, self.matmul_help());
                return None;
            }
            None => {
                self.unknown_name(id, name);
                return None;
            }
        };
        let message = format!("`{name}` is {kind}, but `matmul` takes matrices");
        self.report(Rule::OneMatmul, id, message, self.matmul_help());
        None
    }

    /// Reports a body without `matmul`.
    pub(super) fn check_multiplied_once(&mut self) {
        // A misspelt one is one mistake.
        let is_misspelt = |broken: &Diagnostic| {
            let mut similar = broken.unknown.iter().flat_map(|unknown| unknown.similar());
            similar.any(|name| name == "matmul")
        };
        if self.products.is_empty() && !self.diagnostics.iter().any(is_misspelt) {
            let message = "the body has no `matmul`";
            self.report(Rule::OneMatmul, self.spec.body.root, message, self.matmul_help());
        }
    }

    fn matmul_help(&self) -> String {
        let matrices: Vec<&str> = self
            .spec
            .operands
            .iter()
            .filter(|operand| matches!(operand.kind, OperandKind::Matrix { .. }))
            .map(|operand| operand.name.as_str())
            .collect();
        match matrices[..] {
            [] | [_] => "`matmul` takes two parameters of type `Mat`".to_owned(),
            [a, b] => format!("write `matmul({a}, {b})`"),
            _ => format!("`matmul` takes two of the matrices `{}`", matrices.join("`, `")),
        }
    }
}
