//! A term that is added to a product: `matmul(x, w) + scale * matmul(t, b)`.
//!
//! Its sum is the first that a block has, in the registers of the product. These are multiplied by the
//! scale, then the product is added. So the body takes one sum, and the tree has it where the product is.

use super::{Expr, ExprKind, Resolver};
use crate::axis::PerSide;
use crate::body::typed::AddedTerm;
use crate::element::ScalarType;
use crate::rule::Rule;
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
        if let Some((scale, Some(rest))) = self.without(&sum, &ExprKind::Apart)
            && has_term(&rest, &ExprKind::Accumulator(0))
        {
            self.add(scale);
            return rest.kind;
        }
        // The scaled product was called first: it is the one that is added.
        if let Some((scale, Some(mut rest))) = self.without(&sum, &ExprKind::Accumulator(0))
            && has_term(&rest, &ExprKind::Apart)
            && self.exchange()
        {
            self.add(scale);
            name_product(&mut rest);
            return rest.kind;
        }
        sum.kind
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
    fn scale(&self, expr: &Expr, product: &ExprKind) -> Option<Option<Expr>> {
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
    fn is_uniform(&self, expr: &Expr) -> bool {
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

    /// Reports a product of other factors that is not added to the first one, or is added to one call of two: the
    /// sums of the first product have the term wherever it is called.
    pub(super) fn check_apart(&mut self) {
        if let Some(Apart { at, added: Some(_), .. }) = self.apart
            && self.calls_of_first > 1
        {
            let calls = self.calls_of_first;
            let message = format!(
                "a term is added to one call of a product, but the body has {calls} of the same"
            );
            let help = "bind the sum by `let` and use it in all places, or compute the product in a second function";
            self.report(Rule::AddedTerm, at, message, help);
        }
        let Some(Apart { factors, at, added: None }) = self.apart else { return };
        let Some(first) = self.product.as_ref().map(|known| known.first) else { return };
        self.is_clear = false;
        // It may be the consequence of another mistake.
        if self.diagnostics.is_empty() {
            self.report_unshared(at, first, factors);
        }
    }

    /// Reports a further product beside one that has a term of its own.
    pub(super) fn report_beside_added(&mut self, id: NodeId) {
        let message = "a kernel adds a term to one product, but this is a further one";
        let help = "compute this product, or the term, in a second function";
        self.report(Rule::AddedTerm, id, message, help);
    }
}

/// Whether an expression is this product, or a sum of it and others.
fn has_term(expr: &Expr, product: &ExprKind) -> bool {
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
mod tests {
    use crate::axis::PerSide;
    use crate::body::typed::{Expr, ExprKind};
    use crate::body::{resolve, samples};
    use crate::element::Element;
    use crate::rule::Rule;

    /// The factors of the product and of the term, its scale and the value, of a body.
    fn added(body: &str) -> Option<([usize; 4], Option<Expr>, Expr)> {
        let resolution = resolve(&samples::outputs(&[Element::F32], body));
        let multiplied = resolution.multiplied?;
        let (PerSide { a, b }, added) = (multiplied.first, multiplied.added?);
        let mut body = resolution.body.ok()?;
        let scale = body.added?.scale;
        Some(([a, b, added.a, added.b], scale, body.results.remove(0)))
    }

    #[test]
    fn a_term_is_added_in_either_order_and_among_others() {
        for (body, scaled) in [
            ("matmul(x, w) + matmul(residual, x)", false),
            ("matmul(x, w) + alpha * matmul(residual, x)", true),
            ("alpha * matmul(residual, x) + matmul(x, w)", true),
            ("matmul(x, w) + bias + matmul(residual, x) * (2.0 * alpha)", true),
            ("matmul(x, w) - matmul(residual, x)", true),
            ("bias + alpha * matmul(residual, x) - bias + matmul(x, w)", true),
        ] {
            let (factors, scale, _) = added(body).unwrap_or_else(|| panic!("{body}"));
            assert_eq!((factors, scale.is_some()), ([0, 1, 3, 0], scaled), "{body}");
        }
        let (_, _, value) = added("matmul(x, w) + alpha * matmul(residual, x)").unwrap();
        assert_eq!(value.kind, ExprKind::Accumulator(0));
    }

    #[test]
    fn what_is_not_a_multiple_by_one_value_is_refused() {
        for body in [
            "matmul(x, w) + bias * matmul(residual, x)",
            "matmul(x, w) * matmul(residual, x)",
            "matmul(x, w) + relu(matmul(residual, x))",
            "matmul(x, w) + alpha * matmul(residual, x) * matmul(residual, x)",
            "alpha * matmul(x, w) + alpha * matmul(residual, x)",
        ] {
            let broken = resolve(&samples::spec(body)).body.unwrap_err();
            assert_eq!(broken[0].rule, Rule::SharedFactor, "{body}");
        }
    }

    #[test]
    fn a_term_is_added_to_one_product() {
        let outputs = [Element::F32; 2];
        let spec = |body| samples::outputs(&outputs, body);
        let of = |body| resolve(&spec(body)).body.unwrap_err().remove(0).rule;
        assert_eq!(
            of("(matmul(x, w) + matmul(residual, x), matmul(x, residual))"),
            Rule::AddedTerm
        );
    }

    #[test]
    fn the_product_of_a_term_is_called_once() {
        for body in [
            "(matmul(x, w) + matmul(residual, x)) * matmul(x, w)",
            "matmul(x, w) * (matmul(x, w) - matmul(residual, x))",
        ] {
            let broken = resolve(&samples::spec(body)).body.unwrap_err();
            assert_eq!(broken[0].rule, Rule::AddedTerm, "{body}");
        }
        assert!(added("{ let y = matmul(x, w) + matmul(residual, x); y * y }").is_some());
    }
}
