//! The term that a kernel adds to its product.

use gemm_codegen::{Added, Axis, PerSide, Side};
use gemm_runtime::reference::{HostMatrix, HostTerm};
use gemm_runtime::{Element, Error, Shape};

use super::{Host, axes};
use crate::problem::added_k;

impl Host<'_> {
    /// A term of these elements.
    pub(super) fn term<'a, T: Element>(
        &self,
        added: &Added,
        elements: &'a PerSide<Vec<T>>,
    ) -> Result<HostTerm<'a, T, T>, Error> {
        let k = if added.along == Axis::R { added_k(self.shape) } else { self.shape.k };
        let shape = Shape { k, ..self.shape };
        let factor = |side: Side| {
            let operand = added.factors.get(side).operand;
            let of_term = |axis: Axis| if axis == Axis::R { Axis::K } else { axis };
            let axes = axes(self.problem.operands()[operand]).map(of_term);
            let matrix = HostMatrix::new("a term", elements.get(side), axes, shape)?;
            Ok::<_, Error>(matrix.with_factors(self.plan.factors()))
        };
        Ok(HostTerm { a: factor(Side::A)?, b: factor(Side::B)?, shape })
    }
}
