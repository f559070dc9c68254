//! About how many instructions a body takes for an element: what a cost model can know of it.

use super::coordinate::Coordinate;
use super::typed::{Expr, ExprKind, Resolved};
use crate::spec::BinaryOp;

impl Resolved {
    /// Instructions of a thread for an element of each output; 0 where sums are stored as they are.
    pub(crate) fn instructions(&self) -> u32 {
        // Of each function of the user's own, callees first.
        let mut functions = vec![0; self.functions.len()];
        for number in self.reachable() {
            functions[number] = instructions(&self.functions[number].value, &functions);
        }
        let values = self.values().map(|value| instructions(value, &functions));
        values.fold(0, u32::saturating_add)
    }
}

/// Those of an expression, given those of the user's own functions.
fn instructions(of: &Expr, functions: &[u32]) -> u32 {
    let own = match &of.kind {
        // An element is loaded and converted.
        ExprKind::Operand(_) | ExprKind::Old(_) | ExprKind::Unary(..) | ExprKind::Cast(_) => 1,
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => 10,
        // Both sides are computed, or threads of a warp wait for each other.
        ExprKind::Binary(..) | ExprKind::If(_) => 1,
        // A row and a matrix are known; a column is counted from that of the first element of a run.
        ExprKind::Coordinate(Coordinate::Column) => 1,
        ExprKind::Call(function, _) => function.instructions,
        ExprKind::Own(number, _) => functions[*number],
        _ => 0,
    };
    let parts = of.parts().into_iter().map(|part| instructions(part, functions));
    parts.fold(own, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use crate::body::resolve;
    use crate::body::samples::spec;

    #[test]
    fn a_body_takes_more_than_its_parts() {
        let of = |body: &str| resolve(&spec(body)).body.expect(body).instructions();
        assert_eq!(of("matmul(x, w)"), 0);
        assert_eq!(of("matmul(x, w) + bias"), 2);
        assert_eq!(of("gelu(matmul(x, w) + bias)"), 16);
        assert_eq!(of("matmul(x, w) + (column() - row()) as f32"), 4);
        assert_eq!(of("{ let y = matmul(x, w) * 2.0; if y > 0.0 { y } else { y.exp() } }"), 11);
    }
}
