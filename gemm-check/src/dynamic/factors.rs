//! Factors as a kernel multiplies them: elements of several numbers as these, and what is scaled.

use gemm_codegen::body::Offset;
use gemm_codegen::{Axis, Element as ElementType};
use gemm_codegen::{Factor, ParameterKind};
use gemm_runtime::reference::{HostMatrix, HostScales, HostTiles};
use gemm_runtime::{Element, Error, bf16, f16};

use super::Host;
use crate::numbers::padded;

impl Host<'_> {
    /// Those of the numbers of a matrix that a factor with lines along this axis has, line by line.
    pub(super) fn used<'a>(
        &self,
        element: ElementType,
        axis: Axis,
        numbers: &'a [f64],
    ) -> impl Iterator<Item = f64> + use<'a> {
        let (lines, k) = (self.shape.extent(axis), self.shape.k);
        let [_, of_line] = padded(element, [lines, k]);
        numbers.chunks(of_line.max(1)).take(lines).flat_map(move |line| line[..k].iter().copied())
    }

    /// A factor of these elements, as the kernel multiplies it.
    pub(super) fn factor<'a, T: Element>(
        &self,
        factor: &Factor,
        elements: &'a [T],
        applied: Option<&'a Applied>,
    ) -> Result<HostMatrix<'a, T>, Error> {
        let matrix = self.matrix(factor.operand, elements)?.with_factors(self.plan.factors());
        Ok(match applied {
            Some(applied) => matrix.scaled_by(match self.plan.scaled_factors() {
                None => applied.scales(),
                Some(ElementType::F16) => applied.scales().rounded_to::<f16>(),
                Some(_) => applied.scales().rounded_to::<bf16>(),
            }),
            None => matrix,
        })
    }

    /// What is applied to a factor.
    pub(super) fn applied(&self, factor: &Factor) -> Result<Option<Applied>, Error> {
        let Some(scale) = factor.scale else { return Ok(None) };
        let offsets = scale.offset.map(|of| Ok::<_, Error>((of.applied, self.tiles(of.operand)?)));
        Ok(Some(Applied { scales: self.tiles(scale.operand)?, offsets: offsets.transpose()? }))
    }

    /// An operand with an element for each tile of a factor.
    fn tiles(&self, operand: usize) -> Result<HostTiles, Error> {
        let kind = self.problem.operands()[operand];
        let ParameterKind::Tiled { rows, columns, extents, .. } = kind else {
            unreachable!("scales and offsets have an element for each tile");
        };
        let extents = extents.map(|extent| extent as usize);
        let elements = &self.elements[operand];
        HostTiles::new("scales", elements, [rows, columns], extents, self.shape)
    }
}

/// The scales of a factor, and its offsets.
pub(super) struct Applied {
    scales: HostTiles,
    offsets: Option<(Offset, HostTiles)>,
}

impl Applied {
    fn scales(&self) -> HostScales<'_> {
        let offsets = self.offsets.as_ref().map(|(applied, offsets)| (*applied, offsets));
        HostScales { scales: &self.scales, offsets, rounded: None }
    }
}
