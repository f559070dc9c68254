//! Scales by which warpgroups multiply the factor that they convert.
//!
//! Sums that are scaled need registers beside those that they are added to, which an instruction of many columns does
//! not leave. A scale of a factor's elements is rounded to what is multiplied, and so is each product with it.

use super::scaling::{OfLane, Scaled, Scaling};
use crate::axis::Side;
use crate::element::Element;
use crate::field::Field;
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::spec::KOrder;
use crate::text::Sections;

impl Scaled {
    /// Warpgroups scale what they convert, in the order of K.
    pub(super) fn by_groups(self) -> Option<Diagnostic> {
        let refuse = |at, message: &str, help: &str| {
            Some(Diagnostic::new(Rule::ScaledFactor, at, message, help))
        };
        let is_other = |side: &Side| self.converted != Some(*side);
        if Side::BOTH.iter().filter(|side| self.scales.get(**side).is_some()).any(is_other) {
            return refuse(
                Field::Mma,
                "warpgroups scale the factor that they convert, not one that an instruction reads from shared memory",
                "use an atom of one warp, such as m16n8k16",
            );
        }
        if self.has_offset() {
            return refuse(
                Field::Mma,
                "warpgroups scale a factor without an offset",
                "use an atom of one warp, such as m16n8k16",
            );
        }
        match self.k_order {
            KOrder::Serpentine => refuse(
                Field::KOrder,
                "scales are loaded in the order of K, not backwards in every second tile",
                "remove `k_order`",
            ),
            KOrder::Ascending => None,
        }
    }
}

impl Scaled {
    fn has_offset(self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| self.scales.get(side).is_some_and(|of| of.offset.is_some()))
    }
}

impl Scaling {
    /// The device functions that load the scales of A and multiply pairs of its factors by them.
    pub(super) fn write_factors(&self, text: &mut Sections, to: Element) {
        text.of(Part::Multiply).add(include_str!("factor_scales.cuh"));
        let Some(scale) = self.of(Side::A) else { return };
        let line = "i / 2 * MMA_M + threadIdx.x % 128 / 32 * 16 + i % 2 * 8 + threadIdx.x % 32 / 4";
        let scales = OfLane { place: ["ATOMS_M", line], who: "warpgroup" }.structs(Side::A, scale);
        text.of(Part::Multiply)
            .add(format!("{scales}typedef FactorScales<ScaledLinesA, {to}> ScalesA;\n"));
        text.of(Part::Multiply).add(match to {
            Element::F16 => include_str!("scaled_f16.cuh"),
            _ => include_str!("scaled_bf16.cuh"),
        });
    }
}
