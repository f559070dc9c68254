//! Products that `let`s name: `{ let y = matmul(x, w); y + matmul(t, b) }` is the sum of both.

use super::{Expr, ExprKind, Local, Resolver};

impl Resolver<'_> {
    /// A sum with what `let`s name in place of the names, where that is a product or one value for all elements;
    /// and each `let` as often as its name was replaced, which is once if it has a product.
    pub(super) fn spelled_out(&self, sum: &Expr) -> (Expr, Vec<usize>) {
        let (mut spelled, mut named) = (sum.clone(), Vec::new());
        self.spell_out(&mut spelled, &mut named);
        (spelled, named)
    }

    fn spell_out(&self, expr: &mut Expr, named: &mut Vec<usize>) {
        while let ExprKind::Local(number) = expr.kind {
            let Local { value: Some(value), has_product, .. } = &self.locals[number] else {
                return;
            };
            let is_replaced = match has_product {
                true => !named.contains(&number),
                false => self.is_uniform(value),
            };
            if !is_replaced {
                return;
            }
            named.push(number);
            *expr = value.clone();
        }
        expr.parts_mut().into_iter().for_each(|part| self.spell_out(part, named));
    }

    /// A sum of a product and its term was put in place of these names.
    pub(super) fn replace(&mut self, named: Vec<usize>) {
        named.iter().for_each(|number| self.locals[*number].uses -= 1);
        self.replaced.extend(named);
    }

    /// Whether a value has a product, by itself or by the name of a `let`.
    pub(super) fn has_product(&self, value: &Expr) -> bool {
        match value.kind {
            ExprKind::Accumulator(_) | ExprKind::Apart => true,
            ExprKind::Local(number) => self.locals[number].has_product,
            _ => value.parts().into_iter().any(|part| self.has_product(part)),
        }
    }

    /// The `let`s that are left, once those of a product and its term are one sum.
    pub(super) fn left(&self, mut bound: Vec<(usize, Expr)>) -> Vec<(usize, Expr)> {
        let is_read = |number: usize| self.locals[number].uses > 0;
        bound.retain(|(number, _)| is_read(*number) || !self.replaced.contains(number));
        bound
    }
}
