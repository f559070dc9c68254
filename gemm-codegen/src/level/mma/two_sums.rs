//! Two sums of an atom, to which the instructions of a warp add by turns.
//!
//! Each instruction waits for the one before it that adds to the same sum. A warp of several atoms has others in between; a
//! warp of one has none, and with two sums half as many wait for each other. One token by packed int4 of 14336 × 4096, with
//! scales for each 128 of K, then takes 0.94 of the time (one H200, NVRTC 13.0, docs/performance.md).

use super::conversion::Conversion;
use super::scaling::Scaled;
use crate::axis::Side;
use crate::form::Form;

/// K of the products of one sum from which on a second one is worth its additions: that of four instructions.
const LONG_SUM: u32 = 64;

/// K of the two instructions of a k-step that have a sum each.
const TWO_INSTRUCTIONS: u32 = 32;

impl Scaled {
    /// Whether a warp sums what is scaled in two sums of its atom: of packed numbers, without an offset, for which the other
    /// factor's lines are summed in between.
    pub(crate) fn two_sums(self) -> bool {
        let has_offset =
            |side| (*self.scales.get(side)).is_some_and(|scale| scale.offset.is_some());
        let is_alone =
            self.products == 1 && self.atoms == 1 && !Side::BOTH.into_iter().any(has_offset);
        let is_packed = self.converts(Side::A) && self.converted.is_some_and(Conversion::packs);
        let is_long = self.k() >= LONG_SUM && self.step.is_multiple_of(TWO_INSTRUCTIONS);
        matches!(self.form, Form::Warps(_)) && is_alone && is_packed && is_long
    }
}

#[cfg(test)]
mod tests {
    use super::super::scaling::tests::scaled;
    use super::*;
    use crate::axis::PerSide;
    use crate::body::Offset;
    use crate::element::Element;
    use crate::problem::{Scale, ScaleOffset};

    const SCALE: Scale = Scale {
        operand: 2,
        element: Element::F16,
        lines: 1,
        k: 128,
        k_contiguous: true,
        offset: None,
    };

    fn with(scale: Scale) -> PerSide<Option<Scale>> {
        PerSide { a: Some(scale), b: None }
    }

    fn legal() -> Scaled {
        let converted = Conversion::of([Element::I4x32, Element::F16]);
        Scaled { scales: with(SCALE), atoms: 1, step: 64, converted, ..scaled(128, 128) }
    }

    #[test]
    fn one_atom_of_packed_numbers_has_two_sums() {
        let (applied, element, k_contiguous) = (Offset::Added, Element::F16, true);
        let offset = Some(ScaleOffset { applied, operand: 3, element, k_contiguous });
        assert!(legal().two_sums());
        assert!(Scaled { scales: with(Scale { k: 64, ..SCALE }), step: 32, ..legal() }.two_sums());
        for other in [
            Scaled { atoms: 2, ..legal() },
            Scaled { products: 2, ..legal() },
            Scaled { converted: Conversion::of([Element::I4x2, Element::F16]), ..legal() },
            Scaled { converted: Conversion::of([Element::F16, Element::I4x32]), ..legal() },
            Scaled { form: Form::Groups, ..legal() },
            Scaled { step: 16, ..legal() },
            Scaled { scales: with(Scale { k: 32, ..SCALE }), step: 32, ..legal() },
            Scaled { scales: with(Scale { offset, ..SCALE }), ..legal() },
        ] {
            assert!(!other.two_sums(), "{other:?}");
        }
    }
}
