//! Factors that are multiplied by scales: `w * s`.

use super::Resolver;
use super::names::Binding;
use crate::rule::Rule;
use crate::spec::{Node, NodeId, OperandKind};

impl Resolver<'_> {
    /// The factor of a product `w * s` or `s * w` of a matrix and its scales; `None` if it is none, and `Some(None)` if
    /// something is wrong with it.
    pub(super) fn scaled(
        &mut self,
        product: [NodeId; 2],
        arguments: &[NodeId],
    ) -> Option<Option<usize>> {
        let tiled = product.map(|part| self.tiled(part));
        let (factor, scale) = match tiled {
            [None, Some(scale)] => (product[0], scale),
            [Some(scale), None] => (product[1], scale),
            [None, None] | [Some(_), Some(_)] => return None,
        };
        let operand = match self.node(factor) {
            Node::Name(name) => self.named(factor, name, arguments),
            _ => self.factor(factor, arguments),
        };
        let operand = operand.and_then(|operand| self.with_scale(factor, operand, Some(scale)));
        if let Some(operand) = operand {
            self.check_indices(factor, operand, scale);
        }
        Some(operand)
    }

    /// The factor, if it has this scale, or none, wherever it is multiplied.
    pub(super) fn with_scale(
        &mut self,
        id: NodeId,
        factor: usize,
        scale: Option<usize>,
    ) -> Option<usize> {
        let known = *self.scales.entry(factor).or_insert(scale);
        if known == scale {
            return Some(factor);
        }
        let name = |operand: usize| &self.spec.operands[operand].name;
        let by = |scale: Option<usize>| match scale {
            Some(scale) => format!("by `{}`", name(scale)),
            None => "by no scale".to_owned(),
        };
        let message =
            format!("`{}` is multiplied {} here and {} before", name(factor), by(scale), by(known));
        self.report(Rule::ScaledFactor, id, message, "a factor has one scale");
        None
    }

    /// The operand that a node names, if it has the scales of a factor.
    fn tiled(&self, id: NodeId) -> Option<usize> {
        let Node::Name(name) = self.node(id) else { return None };
        let Some(Binding::Operand(operand)) = self.lookup(name) else { return None };
        matches!(self.spec.operands[operand].kind, OperandKind::Tiled { .. }).then_some(operand)
    }

    /// A scale has the indices of its factor.
    fn check_indices(&mut self, id: NodeId, factor: usize, scale: usize) {
        let [of_factor, of_scale] = [factor, scale].map(|of| self.spec.operands[of].kind.indices());
        if !of_factor.iter().all(|index| of_scale.contains(index)) {
            let name = |operand: usize| &self.spec.operands[operand].name;
            let message = format!(
                "`{}` has tiles of `{}`, but `{}` is a matrix of `{}`",
                name(scale),
                of_scale.join(", "),
                name(factor),
                of_factor.join(", ")
            );
            let help = format!("declare `{}` with the indices of its factor", name(scale));
            self.report(Rule::ScaledFactor, id, message, help);
        }
    }

    /// Scales that are a value of the body.
    pub(super) fn report_tiles(&mut self, id: NodeId, name: &str) {
        let message =
            format!("`{name}` has the scales of a factor, not an element for each of the output");
        let help = format!("multiply a factor by it: `matmul(x, w * {name})`");
        self.report(Rule::ScaledFactor, id, message, help);
    }
}
