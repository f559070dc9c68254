//! Where the scales of a k-tile lie until they are multiplied, and in how many bytes of a stage.
//!
//! Lanes that load scales to registers wait for memory in each part of K. Asynchronous copies bring them with their
//! k-tile, which is begun `STAGES - 1` k-tiles before it is multiplied (docs/lab-notes.md, "Scales of 32 along K").
//! Where all threads of a block copy, they are a tile like those of the factors. Where one thread has the factors
//! copied, each warp of a warpgroup copies the scales of its own lines, which no other warp reads.

use super::scaling::{Scaled, Scaling};
use crate::axis::Side;
use crate::element::Element;
use crate::form::{ByThreads, Form};
use crate::problem::{Scale, ScaleOffset};

/// What copies bring at the least (PTX ISA, "cp.async").
const COPIED: Element = Element::F32;

/// Where the scales of a k-tile lie until they are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalesIn {
    /// In registers of the lanes that load them.
    Registers,
    /// In the stage, as a tile that all threads copy.
    Tile,
    /// In the stage, where each warp of a warpgroup copies those of its lines: of each a power of two, as the K of tensor
    /// copies is one.
    Lines,
}

/// Bytes to which a stage of boxes is aligned: eight rows of the widest swizzle.
const STAGE_ALIGN: u64 = 1024;

impl Scale {
    /// The scales and the offsets: their name in the text, operand, element and whether they are contiguous along K.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'static str, usize, Element, bool)> {
        let offset = self.offset.map(|ScaleOffset { operand, element, k_contiguous, .. }| {
            ("Offsets", operand, element, k_contiguous)
        });
        [("Scales", self.operand, self.element, self.k_contiguous)].into_iter().chain(offset)
    }

    /// Whether each line of a k-tile has whole ones of its own, as wide as a copy.
    fn is_copied(&self, block_k: u32) -> bool {
        let of_each_line = self.lines == 1 && self.k > 0 && block_k.is_multiple_of(self.k);
        of_each_line && self.parts().all(|(_, _, element, along_k)| element == COPIED && along_k)
    }
}

impl Scaled {
    /// Where the scales lie: in a stage those of one product, whose factors' rows all run along K. Warpgroups load one of
    /// a line and k-tile to registers in time.
    pub(super) fn place(&self) -> ScalesIn {
        let along_k = self.k_contiguous.a && self.k_contiguous.b;
        let mut scales = Side::BOTH.into_iter().filter_map(|side| *self.scales.get(side));
        let are_copied = scales.all(|scale| scale.is_copied(self.block[2]));
        if !(are_copied && along_k && self.any() && self.products == 1) {
            return ScalesIn::Registers;
        }
        match self.form {
            Form::Warps(ByThreads::CpAsync) => ScalesIn::Tile,
            Form::Groups if self.has_several() => ScalesIn::Lines,
            _ => ScalesIn::Registers,
        }
    }

    /// Whether each line of what warpgroups convert has several scales in a k-tile.
    pub(super) fn has_several(&self) -> bool {
        let scale = self.scales.a;
        self.converts(Side::A) && scale.is_some_and(|scale| scale.k < self.block[2])
    }

    /// Bytes of the scales in a stage. Warpgroups next to each other, or in turn, each have those of their lines.
    pub(crate) fn scale_bytes(&self) -> u64 {
        let bytes = |side| self.scales.get(side).map_or(0, |of| bytes_of(&of, side, self.block));
        let all = || Side::BOTH.into_iter().map(bytes).sum::<u64>();
        let times = || u64::from(self.block[1] / self.columns.max(1) * self.at_a_time);
        match self.place() {
            ScalesIn::Registers => 0,
            ScalesIn::Tile => all(),
            ScalesIn::Lines => (all() * times()).next_multiple_of(STAGE_ALIGN),
        }
    }
}

/// Bytes of the scales and offsets of a side's lines of a k-tile.
fn bytes_of(scale: &Scale, side: Side, [m, n, k]: [u32; 3]) -> u64 {
    let lines = if side == Side::A { m } else { n };
    let of_line = scale.parts().count() as u64 * u64::from(k / scale.k) * u64::from(COPIED.bytes());
    u64::from(lines) * of_line
}

impl Scaling {
    /// Bytes that a stage of a block tile has of scales, if it holds them; `swapped`, of a tile for which A and B change
    /// places.
    pub(crate) fn scale_bytes(&self, block: [u32; 3], swapped: bool) -> u64 {
        let bytes = |side: Side| {
            let place = if swapped { side.other() } else { side };
            self.of(side).map_or(0, |scale| bytes_of(scale, place, block))
        };
        match self.place {
            ScalesIn::Tile => Side::BOTH.into_iter().map(bytes).sum(),
            ScalesIn::Registers | ScalesIn::Lines => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::conversion::Conversion;
    use super::super::factor_scaling::ScaledBy;
    use super::super::scaling::tests;
    use super::*;
    use crate::axis::PerSide;
    use crate::body::Offset;

    const SCALE: Scale = Scale {
        operand: 2,
        element: Element::F32,
        lines: 1,
        k: 32,
        k_contiguous: true,
        offset: None,
    };

    fn scaled(a: Option<Scale>, b: Option<Scale>) -> Scaled {
        Scaled {
            scales: PerSide { a, b },
            block: [16, 64, 128],
            columns: 32,
            converted: Conversion::of([Element::F16, Element::I8]),
            ..tests::scaled(32, 64)
        }
    }

    fn offset(element: Element) -> Option<ScaleOffset> {
        Some(ScaleOffset { applied: Offset::Added, operand: 3, element, k_contiguous: true })
    }

    #[test]
    fn a_stage_has_the_bytes_of_the_scales_that_are_copied_to_it() {
        let with = |scale| scaled(None, Some(scale)).scale_bytes();
        assert_eq!(with(SCALE), 64 * 4 * 4);
        assert_eq!(with(Scale { k: 128, ..SCALE }), 64 * 4);
        assert_eq!(with(Scale { offset: offset(Element::F32), ..SCALE }), 2 * 64 * 4 * 4);
        assert_eq!(scaled(Some(SCALE), Some(SCALE)).scale_bytes(), (16 + 64) * 4 * 4);
        // Narrower than a copy, of more lines than one, for more of K than a k-tile, along the other index.
        assert_eq!(with(Scale { element: Element::Bf16, ..SCALE }), 0);
        assert_eq!(with(Scale { offset: offset(Element::F16), ..SCALE }), 0);
        assert_eq!(with(Scale { lines: 2, ..SCALE }), 0);
        assert_eq!(with(Scale { k: 256, ..SCALE }), 0);
        assert_eq!(with(Scale { k_contiguous: false, ..SCALE }), 0);
        let narrow = Scale { element: Element::F16, ..SCALE };
        assert_eq!(scaled(Some(narrow), Some(SCALE)).scale_bytes(), 0);
    }

    #[test]
    fn asynchronous_copies_of_one_product_along_k_bring_scales() {
        let legal = scaled(None, Some(SCALE));
        assert_eq!(legal.place(), ScalesIn::Tile);
        let by_loads = Scaled { form: Form::Warps(ByThreads::LdGlobal), ..legal };
        let along_n = Scaled { k_contiguous: PerSide { a: true, b: false }, ..legal };
        for other in [by_loads, along_n, Scaled { products: 2, ..legal }, scaled(None, None)] {
            assert_eq!(other.place(), ScalesIn::Registers, "{other:?}");
        }
    }

    #[test]
    fn warpgroups_have_the_scales_of_their_lines_in_whole_kilobytes() {
        let groups = Scaled {
            form: Form::Groups,
            converted: Conversion::of([Element::I8, Element::F16]),
            ..scaled(None, None)
        };
        let of = |scale, block, columns| {
            let scales = PerSide { a: Some(scale), b: None };
            let scaled = Scaled { scales, block, columns, warp_k: block[2], ..groups };
            (scaled.place(), scaled.scale_bytes())
        };
        let with_offset = Scale { offset: offset(Element::F32), ..SCALE };
        assert_eq!(of(with_offset, [64, 64, 128], 64), (ScalesIn::Lines, 2 * 64 * 4 * 4));
        // A copy for each of two warpgroups along N, and of two in turn; 512 bytes in a kilobyte.
        assert_eq!(of(SCALE, [64, 128, 128], 64), (ScalesIn::Lines, 2 * 64 * 4 * 4));
        assert_eq!(of(SCALE, [64, 64, 64], 64), (ScalesIn::Lines, 1024));
        let in_turn = Scaled { at_a_time: 2, block: [64, 64, 128], columns: 64, ..groups };
        let in_turn = Scaled { scales: PerSide { a: Some(SCALE), b: None }, ..in_turn };
        assert_eq!(in_turn.scale_bytes(), 2 * 64 * 4 * 4);
        // One of a line and k-tile, narrower than a copy.
        for scale in [Scale { k: 128, ..SCALE }, Scale { element: Element::Bf16, ..SCALE }] {
            assert_eq!(of(scale, [64, 64, 128], 64), (ScalesIn::Registers, 0));
        }
    }

    #[test]
    fn warpgroups_scale_factors_of_many_columns_and_of_several_scales() {
        let groups = Scaled {
            form: Form::Groups,
            converted: Conversion::of([Element::I8, Element::F16]),
            ..scaled(None, None)
        };
        let by = |k, columns| {
            let scales = PerSide { a: Some(Scale { k, ..SCALE }), b: None };
            Scaled { scales, columns, block: [64, columns, 128], warp_k: 128, ..groups }.by()
        };
        assert_eq!([by(128, 64), by(256, 64)], [ScaledBy::Sums; 2]);
        assert_eq!([by(128, 72), by(64, 64), by(32, 16)], [ScaledBy::Factors; 3]);
    }
}
