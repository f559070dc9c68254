//! About how many instructions a body takes for an element: what a cost model can know of it.

use super::coordinate::Coordinate;
use super::typed::{Expr, ExprKind, Resolved};
use crate::spec::BinaryOp;

impl Resolved {
    /// Instructions of a thread for an element of each output; 0 where sums are stored as they are.
    pub(crate) fn instructions(&self) -> u32 {
        let bound = self.bindings.iter().map(|(_, value)| value);
        bound.chain(&self.results).map(instructions).sum()
    }
}

fn instructions(of: &Expr) -> u32 {
    let own = match &of.kind {
        // An element is loaded and converted.
        ExprKind::Operand(_) | ExprKind::Old(_) | ExprKind::Unary(..) | ExprKind::Cast(_) => 1,
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => 10,
        // Both sides are computed, or threads of a warp wait for each other.
        ExprKind::Binary(..) | ExprKind::If(_) => 1,
        // A row is known; a column is counted from that of the first element of a run.
        ExprKind::Coordinate(Coordinate::Column) => 1,
        ExprKind::Call(function, _) => function.instructions,
        _ => 0,
    };
    own + of.parts().into_iter().map(instructions).sum::<u32>()
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
