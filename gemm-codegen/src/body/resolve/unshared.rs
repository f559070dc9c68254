//! What is said of a product that does not have the first factor of the others, and could be written to have it, or to
//! be their term.

use super::added::{Apart, has_term};
use super::matmul::MAX_PRODUCTS;
use super::results::Stored;
use super::{Expr, ExprKind, Resolver};
use crate::axis::PerSide;
use crate::rule::Rule;
use crate::spec::{BinaryOp, Node, NodeId};

impl Resolver<'_> {
    /// A product that is none of those next to each other.
    pub(super) fn report_unshared(
        &mut self,
        id: NodeId,
        first: PerSide<usize>,
        of: PerSide<usize>,
    ) {
        let term = self.apart.as_ref().map(|apart| apart.factors);
        let (message, help) = match term {
            Some(term) if term == of && first != of && self.is_further(id) => {
                self.repeated_term(of)
            }
            Some(term) if first.a != of.a && first.b != of.b && self.is_further(id) => {
                self.further_term(term, of)
            }
            _ => self.unshared(first, of),
        };
        self.report(Rule::SharedFactor, id, message, help);
    }

    /// Whether a call is not the one whose product is apart.
    fn is_further(&self, id: NodeId) -> bool {
        self.apart.as_ref().is_some_and(|apart| apart.at != id)
    }

    fn called(&self, of: PerSide<usize>) -> String {
        format!("`matmul({}, {})`", self.name_of(of.a), self.name_of(of.b))
    }

    fn name_of(&self, operand: usize) -> &str {
        &self.spec.operands[operand].name
    }

    fn repeated_term(&self, of: PerSide<usize>) -> (String, String) {
        let term = self.called(of);
        let help = format!("call it once, as in `s * {}`", term.trim_matches('`'));
        (format!("a kernel adds one term, but {term} is called twice"), help)
    }

    fn further_term(&self, term: PerSide<usize>, of: PerSide<usize>) -> (String, String) {
        let [a, b, c, d] = [term.a, term.b, of.a, of.b].map(|operand| self.name_of(operand));
        let message =
            format!("a kernel adds one term to a product, and {} is it", self.called(term));
        let join = |one: &str, other: &str| match one == other {
            true => format!("`{one}` with itself"),
            false => format!("`{one}` with `{other}`"),
        };
        let shared = |index: &String| self.spec.operands[term.b].kind.indices().contains(index);
        let indices = self.spec.operands[term.a].kind.indices();
        let along = match indices.iter().find(|index| shared(index)) {
            Some(index) => format!(" along `{index}`"),
            None => String::new(),
        };
        let help = format!(
            "compute the sum of the terms in a second function, or join {} and {}{along} before the launch, so that \
             one product is both",
            join(a, c),
            join(b, d)
        );
        (message, help)
    }

    fn unshared(&self, first: PerSide<usize>, of: PerSide<usize>) -> (String, String) {
        let [a, b] = [self.name_of(of.a), self.name_of(of.b)];
        let [of_first, other] = [self.name_of(first.a), self.name_of(first.b)];
        let [call, called] = [self.called(of), self.called(first)];
        match first.a == of.a {
            true => (
                format!("{call} is product {} of the body", MAX_PRODUCTS + 1),
                format!(
                    "a kernel computes at most {MAX_PRODUCTS}: move this one to a second function"
                ),
            ),
            false if first.b == of.b => (
                format!("{call} and {called} share their second factor, not their first"),
                format!("write `matmul({b}, {a})` and `matmul({b}, {of_first})`"),
            ),
            false if first.a == of.b => (
                format!("`{b}` is the second factor of {call}, but the first one of {called}"),
                format!("write `matmul({b}, {a})`"),
            ),
            false if first.b == of.a => (
                format!("`{a}` is the first factor of {call}, but the second one of {called}"),
                format!("write `matmul({other}, {of_first})`"),
            ),
            false => (
                format!("{call} does not have the first factor `{of_first}`"),
                format!(
                    "a block reads the shared factor once for all products; add one multiple of this one by a \
                     scalar, as in `matmul({of_first}, {other}) + s * matmul({a}, {b})`, or compute it in a second \
                     function"
                ),
            ),
        }
    }

    /// Reports a term whose factors have the indices of the output in the other order than those of the product.
    pub(super) fn check_order(&mut self, of: PerSide<usize>) {
        let Some(first) = self.product.as_ref().map(|known| known.first) else { return };
        let stored = self.spec.outputs[self.spec.leading()].indices.names();
        let kept = |operand: usize| -> Vec<&String> {
            let indices = self.spec.operands[operand].kind.indices();
            indices.iter().filter(|index| stored.contains(index)).collect()
        };
        let [a, b] = [kept(of.a), kept(of.b)];
        if a.len() != 1 || b.len() != 1 || a == b || (a, b) != (kept(first.b), kept(first.a)) {
            return;
        }
        let message = format!(
            "{} has its factors in the other order than {}, to which it is added",
            self.called(of),
            self.called(first)
        );
        let help = format!("write `matmul({}, {})`", self.name_of(of.b), self.name_of(of.a));
        self.is_clear = false;
        let at = self.call_of(of).or_else(|| self.apart.as_ref().map(|Apart { at, .. }| *at));
        self.report(Rule::AddedTerm, at.unwrap_or(self.spec.body.root), message, help);
    }

    /// The call of the body that multiplies these.
    fn call_of(&self, of: PerSide<usize>) -> Option<NodeId> {
        let is_it = |node: &Node| match node {
            Node::Call { function, arguments } if function == "matmul" => {
                arguments.iter().map(|argument| self.matrix(*argument)).eq([Some(of.a), Some(of.b)])
            }
            _ => false,
        };
        self.spec.body.nodes.iter().position(is_it).map(NodeId)
    }

    /// Whether a product that is divided by one value is added to another product, or the other way round.
    pub(super) fn has_divided_term(&self, stored: &Stored) -> bool {
        let mut values = stored.bindings.iter().map(|(_, value)| value).chain(&stored.results);
        values.any(|value| self.has_division(value))
    }

    fn has_division(&self, value: &Expr) -> bool {
        if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) = &value.kind {
            let [x, y] = [x, y].map(|term| self.spelled_out(term).0);
            if self.is_divided(&y, &x) || (*op == BinaryOp::Add && self.is_divided(&x, &y)) {
                return true;
            }
        }
        value.parts().into_iter().any(|part| self.has_division(part))
    }

    /// Whether a value is a multiple of a product that is divided by one float, which could be the term of the other
    /// product in `rest` if it were multiplied.
    fn is_divided(&self, value: &Expr, rest: &Expr) -> bool {
        let ExprKind::Binary(BinaryOp::Div, x, y) = &value.kind else { return false };
        let both = [ExprKind::Apart, ExprKind::Accumulator(0)];
        let [apart, first] = both.each_ref().map(|product| self.scale(x, product).is_some());
        let is_term = (apart && has_term(rest, &both[1])) || (first && has_term(rest, &both[0]));
        value.ty.is_float() && self.is_uniform(y) && is_term
    }

    /// The first quotient whose dividend is a multiple of a product.
    pub(super) fn division(&self) -> Option<NodeId> {
        let is_it = |node: &Node| matches!(node, Node::Binary(BinaryOp::Div, x, _) if self.multiplies_at(*x));
        self.spec.body.nodes.iter().position(is_it).map(NodeId)
    }

    /// Whether a node is a call of `matmul`, or a multiple of one.
    fn multiplies_at(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Call { function, .. } => function == "matmul",
            Node::Unary(_, x) => self.multiplies_at(*x),
            Node::Binary(BinaryOp::Mul, x, y) => self.multiplies_at(*x) || self.multiplies_at(*y),
            _ => false,
        }
    }

    /// Reports a term that is divided: what it is multiplied by is a part of its first sums.
    pub(super) fn report_division(&mut self, id: NodeId) {
        let Node::Binary(_, x, y) = self.node(id) else { return };
        let (term, by) = (self.quoted(*x), self.quoted(*y));
        let message =
            format!("a term is multiplied by one value, but `{term}` is divided by `{by}`");
        let reciprocal = self.literal(*y).map(|value| 1.0 / value);
        let is_exact = |of: &f64| of.is_normal() && (1.0 / of).to_bits().trailing_zeros() >= 52;
        let scale = match (reciprocal.filter(is_exact), self.node(*y)) {
            (Some(reciprocal), _) => format!("{reciprocal:?}"),
            (None, Node::Binary(..) | Node::Cast(..)) => format!("(1.0 / ({by}))"),
            (None, _) => format!("(1.0 / {by})"),
        };
        self.report(Rule::SharedFactor, id, message, format!("write `{scale} * {term}`"));
    }
}

#[cfg(test)]
mod tests {
    use crate::body::resolve::tests::check;
    use crate::body::samples;

    #[test]
    fn a_term_is_multiplied_and_not_divided() {
        check(
            samples::spec,
            "matmul(x, w) + matmul(residual, x) / 2.0
         => shared-factor at /: a term is multiplied by one value, but `matmul(residual, x)` is divided by `2.0`; write \
            `0.5 * matmul(residual, x)`
         matmul(x, w) - alpha * matmul(residual, x) / -3.0
         => shared-factor at /: a term is multiplied by one value, but `alpha * matmul(residual, x)` is divided by \
            `-3.0`; write `(1.0 / -3.0) * alpha * matmul(residual, x)`
         { let t = matmul(residual, x) / alpha; t + matmul(x, w) }
         => shared-factor at /: a term is multiplied by one value, but `matmul(residual, x)` is divided by `alpha`; \
            write `(1.0 / alpha) * matmul(residual, x)`
         relu(matmul(x, w)) + matmul(residual, x) / 2.0
         => shared-factor at matmul(): `x` is the second factor of `matmul(residual, x)`, but the first one of \
            `matmul(x, w)`; write `matmul(x, residual)`",
        );
    }

    #[test]
    fn one_term_is_added() {
        check(
            samples::spec,
            "matmul(x, w) + matmul(residual, x) + matmul(residual, x)
         => shared-factor at matmul(): a kernel adds one term, but `matmul(residual, x)` is called twice; call it once, \
            as in `s * matmul(residual, x)`
         matmul(x, w) + matmul(residual, x) + matmul(w, x)
         => shared-factor at matmul(): a kernel adds one term to a product, and `matmul(residual, x)` is it; compute the \
            sum of the terms in a second function, or join `residual` with `w` and `x` with itself along `M` before \
            the launch, so that one product is both",
        );
    }
}
