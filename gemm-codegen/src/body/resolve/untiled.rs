//! Offsets that have no element for each tile, and tiles that are a value of the body.

use super::Resolver;
use super::names::Binding;
use crate::rule::Rule;
use crate::spec::{BinaryOp, Node, NodeId, OperandKind};

impl Resolver<'_> {
    /// An operator of two parts of an argument of `matmul` that are no tiles: where other parts are, one of these may
    /// be meant as the offset.
    pub(super) fn report_untiled(
        &mut self,
        id: NodeId,
        (op, [x, y]): (BinaryOp, [NodeId; 2]),
        arguments: &[NodeId],
        in_scale: bool,
    ) {
        if self.is_scaled_untiled(id, (op, [x, y]), arguments) {
            return;
        }
        let adds = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let offset = match [x, y].map(|part| self.has_tiles(part)) {
            [true, false] if adds => y,
            [false, true] if adds => x,
            [false, false] if adds && in_scale => y,
            _ => return self.report_computed(id),
        };
        let operand = match self.node(offset) {
            Node::Name(name) => self.lookup(name),
            _ => None,
        };
        let (what, help) = match operand {
            Some(Binding::Operand(operand)) => {
                let declared = &self.spec.operands[operand];
                let is = match declared.kind {
                    OperandKind::Matrix { .. } => "a matrix",
                    OperandKind::Vector { .. } => "a vector",
                    _ => "a scalar",
                };
                let name = &declared.name;
                let help = format!("declare it as the scales are: `{name}: Tiled<..>`");
                (format!("`{name}` is {is}"), help)
            }
            _ => {
                let help =
                    "give the function a parameter `z: Tiled<..>`, declared as the scales are";
                ("this is a value of the body".to_owned(), help.to_owned())
            }
        };
        let message = format!("{what}, but an offset of a factor has an element for each tile");
        self.report(Rule::ScaledFactor, offset, message, help);
    }

    /// Whether a node has tiles, or one below it in operators.
    fn has_tiles(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Binary(_, x, y) => self.has_tiles(*x) || self.has_tiles(*y),
            _ => self.tiles(id).is_some(),
        }
    }

    /// Scales or offsets that are a value of the body.
    pub(super) fn report_tiles(&mut self, id: NodeId, name: &str) {
        let message =
            format!("`{name}` has the scales of a factor, not an element for each of the output");
        let declared = self.spec.operands.iter().find(|operand| operand.name == name);
        let stored = self.spec.outputs.first().map(|output| output.indices.names());
        let help = match (declared.map(|operand| &operand.kind), stored) {
            (Some(OperandKind::Tiled { element, indices, .. }), Some(stored))
                if indices.iter().all(|index| stored.contains(index)) =>
            {
                format!("declare `{name}: Mat<{element}, {}>`", indices.join(", "))
            }
            _ => format!("multiply a factor by it: `matmul(x, w * {name})`"),
        };
        self.report(Rule::ScaledFactor, id, message, help);
    }
}
