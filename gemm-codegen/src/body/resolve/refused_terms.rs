//! What is said of a product of other factors that cannot be a term of the first one.

use super::added::Apart;
use super::results::Stored;
use super::{Expr, ExprKind, Local, Resolver};
use crate::rule::Rule;
use crate::spec::{BinaryOp, NodeId, OperandKind};

impl Resolver<'_> {
    /// Reports a product of other factors that is not added to the first one, or is added to one use of several: the
    /// sums of the first product have the term wherever it is used.
    pub(super) fn check_apart(&mut self, stored: Option<&Stored>) {
        match self.apart {
            Some(Apart { factors, at, added: Some(_) }) => {
                self.check_used_once(at);
                self.check_order(factors);
            }
            Some(Apart { factors, at, added: None }) => {
                let Some(first) = self.product.as_ref().map(|known| known.first) else { return };
                self.is_clear = false;
                // It may be the consequence of another mistake.
                if !self.diagnostics.is_empty() {
                    return;
                }
                let scale = stored.and_then(|stored| self.scaled_by_elements(stored));
                let is_divided = stored.is_some_and(|stored| self.has_divided_term(stored));
                match (scale, self.division().filter(|_| is_divided)) {
                    (Some(scale), _) => self.report_scale_of_elements(at, scale),
                    (None, Some(division)) => self.report_division(division),
                    (None, None) => self.report_unshared(at, first, factors),
                }
            }
            None => {}
        }
    }

    fn check_used_once(&mut self, at: NodeId) {
        let mut named = self.replaced.iter().map(|number| &self.locals[*number]);
        let message = match named.find(|local| local.has_product && local.uses > 0) {
            Some(Local { name, uses, .. }) => {
                let uses = uses + 1;
                format!("a term is added to one use of `{name}`, but the body has {uses}")
            }
            None if self.calls_of_first > 1 => format!(
                "a term is added to one call of a product, but the body has {} of the same",
                self.calls_of_first
            ),
            None => return,
        };
        let help = "bind the sum by `let` and use it in all places, or compute the product in a second function";
        self.report(Rule::AddedTerm, at, message, help);
    }

    /// The tensor that a product is multiplied by which is nothing but added to another one.
    fn scaled_by_elements(&self, stored: &Stored) -> Option<usize> {
        let values = stored.bindings.iter().map(|(_, value)| value).chain(&stored.results);
        values.into_iter().find_map(|value| self.scaled_in(value))
    }

    fn scaled_in(&self, value: &Expr) -> Option<usize> {
        if let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, x, y) = &value.kind {
            let scaled = [x, y].into_iter().find_map(|term| self.scale_of_elements(term));
            if scaled.is_some() {
                return scaled;
            }
        }
        value.parts().into_iter().find_map(|part| self.scaled_in(part))
    }

    /// The tensor in what a term is multiplied by.
    fn scale_of_elements(&self, term: &Expr) -> Option<usize> {
        let (term, _) = self.spelled_out(term);
        let ExprKind::Binary(BinaryOp::Mul, x, y) = &term.kind else { return None };
        let scale = match (self.has_product(x), self.has_product(y)) {
            (false, true) => x,
            (true, false) => y,
            _ => return None,
        };
        (0..self.spec.operands.len()).find(|number| {
            let is_tensor = match self.spec.operands[*number].kind {
                OperandKind::Scalar(_) | OperandKind::DeviceScalar(_) => false,
                OperandKind::Matrix { .. }
                | OperandKind::Vector { .. }
                | OperandKind::Tiled { .. } => true,
            };
            is_tensor && scale.reads(*number)
        })
    }

    fn report_scale_of_elements(&mut self, at: NodeId, scale: usize) {
        let name = &self.spec.operands[scale].name;
        let message =
            format!("a term is multiplied by one value, but `{name}` has one for each index");
        let help = format!(
            "multiply a factor of the term by `{name}` before the launch, or compute it in a second function"
        );
        self.report(Rule::AddedTerm, at, message, help);
    }

    /// Reports a further product beside one that has a term of its own.
    pub(super) fn report_beside_added(&mut self, id: NodeId) {
        let message = "a kernel adds a term to one product, but this is a further one";
        let help = "compute this product, or the term, in a second function";
        self.report(Rule::AddedTerm, id, message, help);
    }
}
