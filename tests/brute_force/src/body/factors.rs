//! What the calls of `matmul` multiply.

use gemm_codegen::body::{BinaryOp, Node, NodeId};
use gemm_codegen::{OperandKind, Rule, ScalarType};

use super::plain;
use super::types::Type;
use super::walk::{Scope, Steps, Walk};

impl Walk<'_> {
    pub(super) fn product(
        &mut self,
        id: NodeId,
        arguments: &[NodeId],
        scope: &Scope,
    ) -> Option<Type> {
        let factors: Vec<Option<usize>> =
            arguments.iter().map(|argument| self.factor(*argument, scope)).collect();
        self.check(arguments.len() == 2, Rule::Matmul);
        self.factors.extend(factors.iter().flatten());
        let product = match factors[..] {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        };
        if product.is_some_and(|product| self.is_scaled_otherwise(product)) {
            self.broken.push(Rule::ScaledFactor);
            self.are_scaled_otherwise = true;
        }
        self.products.push(product);
        let form = self.placed(product);
        let types: Vec<Type> =
            factors.iter().flatten().filter_map(|of| self.type_of(*of)).collect();
        // Integers are converted to floats that they are multiplied by.
        let is_integer = |ty: &&Type| matches!(ty, Type::Is(ScalarType::I32));
        let ty = types.iter().find(|ty| !is_integer(ty)).or(types.first()).copied();
        self.forms.insert(id.0, (ty, form));
        ty
    }

    /// Whether the second factor of a product does not have the scales and offsets of the first product's: the same
    /// operators, of tiles of one element, order and shape. Tiles of other indices than their factor's are wrong by
    /// themselves.
    fn is_scaled_otherwise(&self, [a, b]: [usize; 2]) -> bool {
        let Some([shared, first]) = self.products.iter().flatten().next() else { return false };
        let steps = |factor: usize| self.steps.iter().find(|(of, _)| *of == factor);
        let (Some((_, of_first)), Some((_, of_b))) = (steps(*first), steps(b)) else {
            return false;
        };
        let names = |of: usize| self.extents(of).into_iter().map(|(index, _)| index.to_owned());
        let is_alike =
            |((op, first), (other_op, other)): (&(BinaryOp, usize), &(BinaryOp, usize))| {
                let [kind, other_kind] = [first, other].map(|of| &self.spec.operands[*of].kind);
                op == other_op && (kind == other_kind || names(*first).ne(names(*other)))
            };
        let is_like_the_first =
            of_first.len() == of_b.len() && of_first.iter().zip(of_b).all(is_alike);
        *shared == a && !is_like_the_first
    }

    /// Whether an operand has the scales of a factor.
    pub(super) fn has_tiles(&self, operand: usize) -> bool {
        matches!(self.spec.operands[operand].kind, OperandKind::Tiled { .. })
    }

    /// The matrix that an argument of `matmul` names, alone or with what is applied to it.
    fn factor(&mut self, id: NodeId, scope: &Scope) -> Option<usize> {
        let (factor, steps) = self.applied(id, scope, false)?;
        self.with_steps(factor, steps)
    }

    /// The matrix with the operators that apply tiles to it, the innermost first.
    fn applied(&mut self, id: NodeId, scope: &Scope, scaled: bool) -> Option<(usize, Steps)> {
        use BinaryOp::{Add, Mul, Sub};
        let Node::Binary(op, x, y) = self.spec.body.nodes[id.0] else {
            return Some((self.matrix(id, scope)?, Vec::new()));
        };
        let (of, tiles) = match ([x, y].map(|part| self.tiles(part, scope)), op) {
            ([None, Some(tiles)], Mul | Add | Sub) => (x, tiles),
            ([Some(tiles), None], Mul | Add) => (y, tiles),
            ([None, None], Add | Sub) => {
                // What has no element for each tile may be meant as an offset.
                let others = [x, y].map(|part| self.names_tiles(part, scope));
                let is_offset = others[0] != others[1] || (scaled && !others[0]);
                self.broken.push(if is_offset { Rule::ScaledFactor } else { Rule::Matmul });
                return None;
            }
            _ => {
                self.broken.push(Rule::Matmul);
                return None;
            }
        };
        let (factor, mut steps) = self.applied(of, scope, scaled || op == Mul)?;
        steps.push((op, tiles));
        let ops: Vec<BinaryOp> = steps.iter().map(|(op, _)| *op).collect();
        let begins = matches!(ops[..], [Mul] | [Sub] | [Sub, Mul] | [Mul, Add]);
        self.check(begins, Rule::ScaledFactor);
        begins.then_some((factor, steps))
    }

    /// Whether there are tiles among what operators below a node apply.
    fn names_tiles(&self, id: NodeId, scope: &Scope) -> bool {
        match self.spec.body.nodes[id.0] {
            Node::Binary(_, x, y) => [x, y].iter().any(|part| self.names_tiles(*part, scope)),
            _ => self.tiles(id, scope).is_some(),
        }
    }

    /// The tiles that a node names.
    fn tiles(&self, id: NodeId, scope: &Scope) -> Option<usize> {
        let Node::Name(name) = &self.spec.body.nodes[id.0] else { return None };
        let local = scope.iter().any(|(local, _)| plain(local) == plain(name));
        self.operand(plain(name)).filter(|operand| !local && self.has_tiles(*operand))
    }

    /// The factor, if the same is applied to it elsewhere: scales at least, of tiles of its own indices, which are
    /// those of an offset too.
    fn with_steps(&mut self, factor: usize, steps: Steps) -> Option<usize> {
        let has_scale = steps.is_empty() || steps.iter().any(|(op, _)| *op == BinaryOp::Mul);
        let differs = self.steps.iter().any(|(of, other)| *of == factor && *other != steps);
        let of_others = steps.iter().any(|(_, tiles)| {
            let (own, of) = (self.extents(factor), self.extents(*tiles));
            own.iter().any(|(index, _)| of.iter().all(|(other, _)| other != index))
        });
        let shapes = steps.iter().map(|(_, tiles)| self.extents(*tiles));
        let shapes: Vec<_> = shapes.collect();
        let unlike = shapes.windows(2).any(|pair| pair[0] != pair[1]);
        self.check(has_scale && !differs && !of_others && !unlike, Rule::ScaledFactor);
        let is_factor = has_scale && !differs;
        if is_factor {
            self.steps.push((factor, steps));
        }
        is_factor.then_some(factor)
    }

    /// The indices of a matrix, or of tiles with their extents, in the order of their names.
    fn extents(&self, operand: usize) -> Vec<(&str, u32)> {
        let mut extents: Vec<(&str, u32)> = match &self.spec.operands[operand].kind {
            OperandKind::Matrix { indices, .. } => {
                indices.iter().map(|index| (index.as_str(), 1)).collect()
            }
            OperandKind::Tiled { indices, extents, .. } => {
                indices.iter().map(String::as_str).zip(*extents).collect()
            }
            _ => Vec::new(),
        };
        extents.sort_unstable();
        extents
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
