//! Factors as a kernel multiplies them: pairs as the numbers that they are, and what is scaled.

use gemm_codegen::Element as ElementType;
use gemm_codegen::{Factor, Form, ParameterKind};
use gemm_runtime::reference::{HostMatrix, HostTiles};
use gemm_runtime::{Element, Error, bf16, f16, i4x2, u4x2};

use super::Host;

impl Host<'_> {
    /// The numbers of elements that are pairs along K, row by row.
    pub(super) fn numbers(
        &self,
        element: ElementType,
        elements: &[f64],
    ) -> impl Iterator<Item = f64> {
        let k = self.shape.k;
        let of_pair = move |bits: &f64| {
            let bits = *bits as u8;
            match element {
                ElementType::I4x2 => i4x2::from_bits(bits).numbers().map(f64::from),
                _ => u4x2::from_bits(bits).numbers().map(f64::from),
            }
        };
        let rows = elements.chunks(k.div_ceil(2).max(1));
        rows.flat_map(move |row| row.iter().flat_map(of_pair).take(k))
    }

    /// A factor of these elements, as the kernel multiplies it.
    pub(super) fn factor<'a, T: Element>(
        &self,
        factor: &Factor,
        elements: &'a [T],
        scales: &'a Option<HostTiles>,
    ) -> Result<HostMatrix<'a, T>, Error> {
        let matrix = self.matrix(factor.operand, elements)?.with_factors(self.plan.factors());
        Ok(match scales {
            Some(scales) => matrix.scaled_by(scales),
            None => matrix,
        })
    }

    /// The scales of a factor: of one that warpgroups convert they are rounded, as what is multiplied by them is.
    pub(super) fn tiles(&self, operand: usize) -> Result<HostTiles, Error> {
        let kind = self.plan.problem().operands()[operand];
        let ParameterKind::Tiled { rows, columns, extents, .. } = kind else {
            unreachable!("the scale of a factor is one for each of its tiles");
        };
        let extents = extents.map(|extent| extent as usize);
        let tiles = HostTiles::new(
            "scales",
            &self.elements[operand],
            [rows, columns],
            extents,
            self.shape,
        )?;
        Ok(match (self.plan.form(), self.plan.mma().elements.a) {
            (Form::Groups, ElementType::F16) => tiles.rounded_to::<f16>(),
            (Form::Groups, _) => tiles.rounded_to::<bf16>(),
            _ => tiles,
        })
    }
}
