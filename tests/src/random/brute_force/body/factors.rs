//! What the calls of `matmul` multiply.

use gemm_codegen::body::{BinaryOp, Node, NodeId};
use gemm_codegen::{OperandKind, Rule, ScalarType};

use super::plain;
use super::types::Type;
use super::walk::{Scope, Walk};

impl Walk<'_> {
    pub(super) fn product(&mut self, arguments: &[NodeId], scope: &Scope) -> Option<Type> {
        let factors: Vec<Option<usize>> =
            arguments.iter().map(|argument| self.factor(*argument, scope)).collect();
        self.check(arguments.len() == 2, Rule::Matmul);
        self.factors.extend(factors.iter().flatten());
        self.products.push(match factors[..] {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        });
        let types: Vec<Type> =
            factors.iter().flatten().filter_map(|of| self.type_of(*of)).collect();
        // Integers are converted to floats that they are multiplied by.
        let is_integer = |ty: &&Type| matches!(ty, Type::Is(ScalarType::I32));
        types.iter().find(|ty| !is_integer(ty)).or(types.first()).copied()
    }

    /// Whether an operand has the scales of a factor.
    pub(super) fn has_tiles(&self, operand: usize) -> bool {
        matches!(self.spec.operands[operand].kind, OperandKind::Tiled { .. })
    }

    /// The matrix that an argument of `matmul` names, alone or times its scales.
    fn factor(&mut self, id: NodeId, scope: &Scope) -> Option<usize> {
        let scaled = match &self.spec.body.nodes[id.0] {
            Node::Binary(BinaryOp::Mul, x, y) => {
                match [*x, *y].map(|part| self.scale(part, scope)) {
                    [None, Some(scale)] => Some((*x, scale)),
                    [Some(scale), None] => Some((*y, scale)),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((of, scale)) = scaled else {
            let operand = self.matrix(id, scope)?;
            return self.with_scale(operand, None);
        };
        let is_named = matches!(self.spec.body.nodes[of.0], Node::Name(_));
        let operand = if is_named { self.matrix(of, scope) } else { self.factor(of, scope) }?;
        self.with_scale(operand, Some(scale))
    }

    /// The scales that a node names.
    fn scale(&self, id: NodeId, scope: &Scope) -> Option<usize> {
        let Node::Name(name) = &self.spec.body.nodes[id.0] else { return None };
        let local = scope.iter().any(|(local, _)| plain(local) == plain(name));
        self.operand(plain(name)).filter(|operand| !local && self.has_tiles(*operand))
    }

    /// The factor, if it has the scale that it has elsewhere. Tiles are of its own indices.
    fn with_scale(&mut self, factor: usize, scale: Option<usize>) -> Option<usize> {
        let indices = |operand: usize| match &self.spec.operands[operand].kind {
            OperandKind::Matrix { indices, .. } | OperandKind::Tiled { indices, .. } => {
                &indices[..]
            }
            _ => &[],
        };
        let differs = self.scales.iter().any(|(of, other)| *of == factor && *other != scale);
        let of_others = scale.is_some_and(|scale| {
            indices(factor).iter().any(|index| !indices(scale).contains(index))
        });
        self.check(!differs && !of_others, Rule::ScaledFactor);
        if !differs {
            self.scales.push((factor, scale));
        }
        (!differs).then_some(factor)
    }

    /// The matrix of this name.
    fn matrix(&mut self, id: NodeId, scope: &Scope) -> Option<usize> {
        let spec = self.spec;
        let Node::Name(name) = &spec.body.nodes[id.0] else {
            self.broken.push(Rule::Matmul);
            return None;
        };
        let local = scope.iter().any(|(local, _)| plain(local) == plain(name));
        let operand = spec.operands.iter().position(|o| plain(&o.name) == plain(name));
        match operand.map(|operand| (operand, &spec.operands[operand].kind)) {
            Some((operand, OperandKind::Matrix { .. })) if !local => return Some(operand),
            Some(_) => self.broken.push(Rule::Matmul),
            None if local || self.is_output(plain(name)) => self.broken.push(Rule::Matmul),
            None => self.broken.push(Rule::BodyNames),
        }
        None
    }
}
