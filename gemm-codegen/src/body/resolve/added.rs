//! A term that is added to a product: `matmul(x, w) + scale * matmul(t, b)`.
//!
//! Its sum is the first that a block has, in the registers of the product. These are multiplied by the
//! scale, then the product is added. So the body takes one sum, and the tree has it where the product is.

use super::{Expr, ExprKind, Resolver};
use crate::axis::PerSide;
use crate::body::typed::AddedTerm;
use crate::element::ScalarType;
use crate::spec::{BinaryOp, NodeId, OperandKind, UnaryOp};

/// A call of `matmul` whose factors the other calls do not have.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    pub(super) factors: PerSide<usize>,
    pub(super) at: NodeId,
    /// What it is multiplied by, once it is added to the first product.
    pub(super) added: Option<AddedTerm>,
}

impl Resolver<'_> {
    /// The product of factors that none of the others has, if it may be added to the first one.
    pub(super) fn apart(&mut self, at: NodeId, factors: PerSide<usize>) -> Option<ExprKind> {
        let known = self.product.as_ref()?;
        if self.apart.is_some() || !known.more.is_empty() || known.first.b == factors.b {
            return None;
        }
        self.apart = Some(Apart { factors, at, added: None });
        Some(ExprKind::Apart)
    }

    /// The value of an operator: a sum that has a term and the first product has that product alone.
    pub(super) fn summed(&mut self, op: BinaryOp, left: Expr, right: Expr) -> ExprKind {
        let ty = left.ty;
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        if self.apart.is_none() || !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return kind;
        }
        let sum = Expr { kind, ty };
        let (spelled, named) = self.spelled_out(&sum);
        match self.with_term(&spelled) {
            Some(kind) => {
                self.replace(named);
                kind
            }
            None => sum.kind,
        }
    }

    /// A sum of both products, once the term of the first one is in its sums.
    fn with_term(&mut self, sum: &Expr) -> Option<ExprKind> {
        if let Some((scale, Some(rest))) = self.without(sum, &ExprKind::Apart)
            && has_term(&rest, &ExprKind::Accumulator(0))
        {
            self.add(scale);
            return Some(rest.kind);
        }
        // The scaled product was called first: it is the one that is added.
        if let Some((scale, Some(mut rest))) = self.without(sum, &ExprKind::Accumulator(0))
            && has_term(&rest, &ExprKind::Apart)
            && self.exchange()
        {
            self.add(scale);
            name_product(&mut rest);
            return Some(rest.kind);
        }
        None
    }

    /// A sum without the multiple of this product that is a part of it: what that is multiplied by, and the rest.
    fn without(&self, sum: &Expr, product: &ExprKind) -> Option<(Option<Expr>, Option<Expr>)> {
        if let Some(scale) = self.scale(sum, product) {
            return Some((scale, None));
        }
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) = &sum.kind else {
            return None;
        };
        let of = |x: Expr, y: Expr| Expr {
            kind: ExprKind::Binary(*op, Box::new(x), Box::new(y)),
            ty: sum.ty,
        };
        if let Some((scale, rest)) = self.without(x, product) {
            let y = Expr::clone(y);
            return Some((
                scale,
                match (rest, op) {
                    (Some(rest), _) => Some(of(rest, y)),
                    (None, BinaryOp::Add) => Some(y),
                    (None, _) => negated(Some(y), sum.ty),
                },
            ));
        }
        let (scale, rest) = self.without(y, product)?;
        let scale = if *op == BinaryOp::Add { scale } else { negated(scale, sum.ty) };
        let x = Expr::clone(x);
        Some((
            scale,
            Some(match rest {
                Some(rest) => of(x, rest),
                None => x,
            }),
        ))
    }

    /// Makes the first product the one that is added, and the other way round; not if it is called twice.
    fn exchange(&mut self) -> bool {
        let (Some(known), Some(apart)) = (&mut self.product, &mut self.apart) else { return false };
        if self.calls_of_first != 1 {
            return false;
        }
        std::mem::swap(&mut known.first, &mut apart.factors);
        true
    }

    fn add(&mut self, scale: Option<Expr>) {
        let (Some(known), Some(apart)) = (&mut self.product, &mut self.apart) else { return };
        known.added = Some(apart.factors);
        apart.added = Some(AddedTerm { scale });
    }

    /// What this product is multiplied by in an expression that is nothing but a multiple of it.
    pub(super) fn scale(&self, expr: &Expr, product: &ExprKind) -> Option<Option<Expr>> {
        match &expr.kind {
            kind if kind == product => Some(None),
            ExprKind::Unary(UnaryOp::Neg, x) => Some(negated(self.scale(x, product)?, expr.ty)),
            ExprKind::Binary(BinaryOp::Mul, x, y) => {
                let (scale, inner) = match (self.is_uniform(x), self.is_uniform(y)) {
                    (true, false) => (&**x, self.scale(y, product)?),
                    (false, true) => (&**y, self.scale(x, product)?),
                    _ => return None,
                };
                Some(Some(match inner {
                    None => scale.clone(),
                    Some(inner) => times(scale.clone(), inner),
                }))
            }
            _ => None,
        }
    }

    /// Whether an expression has one value for all elements: it is made of numbers and scalars.
    pub(super) fn is_uniform(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Float(_) | ExprKind::Int(_) => true,
            ExprKind::Operand(operand) => matches!(
                self.spec.operands[*operand].kind,
                OperandKind::Scalar(_) | OperandKind::DeviceScalar(_)
            ),
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(_) | ExprKind::Call(..) => {
                expr.parts().into_iter().all(|part| self.is_uniform(part))
            }
            _ => false,
        }
    }
}

/// Whether an expression is this product, or a sum of it and others.
pub(super) fn has_term(expr: &Expr, product: &ExprKind) -> bool {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add, x, y) => has_term(x, product) || has_term(y, product),
        ExprKind::Binary(BinaryOp::Sub, x, _) => has_term(x, product),
        kind => kind == product,
    }
}

/// Makes the product apart of an expression the first one.
fn name_product(expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Apart => expr.kind = ExprKind::Accumulator(0),
        _ => expr.parts_mut().into_iter().for_each(name_product),
    }
}

/// A scale of the opposite sign.
fn negated(scale: Option<Expr>, ty: ScalarType) -> Option<Expr> {
    let one = || match ty {
        ScalarType::I32 => Expr { kind: ExprKind::Int(1), ty },
        _ => Expr { kind: ExprKind::Float(1.0), ty },
    };
    let negative = scale.unwrap_or_else(one);
    Some(Expr { kind: ExprKind::Unary(UnaryOp::Neg, Box::new(negative)), ty })
}

fn times(x: Expr, y: Expr) -> Expr {
    let ty = x.ty;
    Expr { kind: ExprKind::Binary(BinaryOp::Mul, Box::new(x), Box::new(y)), ty }
}

#[cfg(test)]
mod tests;
