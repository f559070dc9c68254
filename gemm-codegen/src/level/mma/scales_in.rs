//! Where the scales of a k-tile lie until they are multiplied, and in how many bytes of a stage.
//!
//! Lanes that load scales to registers wait for memory in each part of K. Asynchronous copies bring them with their
//! k-tile, which is begun `STAGES - 1` k-tiles before it is multiplied (docs/lab-notes.md, "Scales of 32 along K").
//! Where all threads of a block copy, they are a tile like those of the factors. Where one thread has the factors
//! copied, each warp of a warpgroup copies the scales of its own lines, which no other warp reads.

use super::scaling::{Scaled, Scaling};
use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::form::{ByThreads, Form};
use crate::problem::{Scale, ScaleOffset};

/// Bytes that a copy brings at the least, and at the most (PTX ISA, "cp.async").
const COPY_BYTES: [u32; 2] = [4, 16];

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

    /// Whether each line of a k-tile has whole ones of its own, which copies bring.
    fn is_copied(&self, block_k: u32) -> bool {
        let of_each_line = self.lines == 1 && self.k > 0 && block_k.is_multiple_of(self.k);
        let is_brought = |element| {
            matches!(element, Element::F32 | Element::F16 | Element::Bf16)
                && widest_copy(element, block_k / self.k) >= COPY_BYTES[0]
        };
        of_each_line && self.parts().all(|(_, _, element, along_k)| along_k && is_brought(element))
    }

    /// Whether all have 4 bytes, as each copy by a warp brings.
    fn has_words(&self) -> bool {
        self.parts().all(|(_, _, element, _)| element == Element::F32)
    }
}

impl Scaled {
    /// Where the scales lie: in a stage those of one product, whose factors' rows all run along K. Warpgroups load one of
    /// a line and k-tile to registers in time.
    pub(super) fn place(&self) -> ScalesIn {
        let mut scales = Side::BOTH.into_iter().filter_map(|side| *self.scales.get(side));
        let are_copied = scales.clone().all(|scale| scale.is_copied(self.block[2]));
        match self.form {
            Form::Warps(_) if are_copied && self.may_be_tiles() && !self.loads_in_time() => {
                ScalesIn::Tile
            }
            Form::Groups if are_copied && self.is_alone_along_k() && self.has_several() => {
                if scales.all(|scale| scale.has_words()) {
                    ScalesIn::Lines
                } else {
                    ScalesIn::Registers
                }
            }
            _ => ScalesIn::Registers,
        }
    }

    /// Whether scales of a block tile are in a stage where [each is copied](Scale::is_copied).
    pub(super) fn may_be_tiles(&self) -> bool {
        self.form == Form::Warps(ByThreads::CpAsync) && self.is_alone_along_k()
    }

    /// Whether a lane loads its scales of a k-tile in no more time than its warp multiplies: two of them by two atoms or
    /// more. Measured on an H200, 16 tokens by packed int4 with scales of bf16 for each 128 of K: 64 × 16 × 512 is faster with
    /// scales in registers than in stages (0.91 of the time), 128 × 16 × 256 by warps of 32 × 16 slower (1.4 times as long).
    fn loads_in_time(&self) -> bool {
        // Of an atom of 16 x 8 sums a lane has two rows and two columns.
        let rows = self.atoms * 16 * 8 / self.columns.max(1);
        let loads = |(scale, lines): (Option<Scale>, u32)| {
            scale.map_or(0, |scale| {
                let parts = (self.warp_k / scale.k.max(1)).max(1);
                lines * parts * scale.parts().count() as u32
            })
        };
        let PerSide { a, b } = self.scales;
        [(a, rows / 8), (b, self.columns / 4)].into_iter().map(loads).sum::<u32>() <= 2
            && self.atoms > 1
    }

    /// Whether one product has scales, and its factors' rows run along K.
    fn is_alone_along_k(&self) -> bool {
        self.k_contiguous.a && self.k_contiguous.b && self.any() && self.products == 1
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
    let of_part = |(_, _, element, _): (_, _, Element, _)| u64::from(k / scale.k * element.bytes());
    u64::from(lines) * scale.parts().map(of_part).sum::<u64>()
}

/// Bytes of the widest copies of these elements of a line, where their alignment allows.
pub(super) fn widest_copy(element: Element, elements: u32) -> u32 {
    let bytes = elements * element.bytes();
    (1 << bytes.trailing_zeros()).min(COPY_BYTES[1])
}

impl Scaling {
    /// Bytes that a stage of a block tile has of scales, if it holds them; `swapped`, of a tile for which A and B change
    /// places.
    pub(crate) fn scale_bytes(&self, block: [u32; 3], swapped: bool) -> u64 {
        let bytes = |side: Side| {
            let place = if swapped { side.other() } else { side };
            self.of(side).map_or(0, |scale| bytes_of(scale, place, block))
        };
        let are_copied = Side::BOTH
            .into_iter()
            .filter_map(|side| self.of(side))
            .all(|scale| scale.is_copied(block[2]));
        if self.may_be_tiles && are_copied { Side::BOTH.into_iter().map(bytes).sum() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::conversion::Conversion;
    use super::super::factor_scaling::ScaledBy;
    use super::super::scaling::tests;
    use super::*;
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
        assert_eq!(with(Scale { element: Element::Bf16, ..SCALE }), 64 * 4 * 2);
        assert_eq!(with(Scale { offset: offset(Element::F16), ..SCALE }), 64 * 4 * (4 + 2));
        let narrow = Scale { element: Element::F16, ..SCALE };
        assert_eq!(scaled(Some(narrow), Some(SCALE)).scale_bytes(), 16 * 4 * 2 + 64 * 4 * 4);
        assert_eq!(with(Scale { k: 64, ..narrow }), 64 * 2 * 2);
        // Narrower than a copy, of more lines than one, for more of K than a k-tile, along the other index.
        assert_eq!(with(Scale { k: 128, ..narrow }), 0);
        assert_eq!(with(Scale { offset: offset(Element::E4m3), ..SCALE }), 0);
        assert_eq!(with(Scale { lines: 2, ..SCALE }), 0);
        assert_eq!(with(Scale { k: 256, ..SCALE }), 0);
        assert_eq!(with(Scale { k_contiguous: false, ..SCALE }), 0);
        assert_eq!(scaled(Some(Scale { k: 128, ..narrow }), Some(SCALE)).scale_bytes(), 0);
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
    fn two_scales_of_a_lane_are_loaded_while_two_atoms_are_multiplied() {
        // 16 x 16 of a warp, which has 128 of the 256 of K.
        let warp = Scaled { columns: 16, atoms: 2, block: [64, 16, 256], ..scaled(None, None) };
        let place = |warp: Scaled, a: Option<Scale>, b: Option<Scale>| {
            Scaled { scales: PerSide { a, b }, warp_k: 128, ..warp }.place()
        };
        let scale = Scale { element: Element::F16, k: 128, ..SCALE };
        assert_eq!(place(warp, Some(scale), None), ScalesIn::Registers);
        // One atom; two of 16 rows; four columns of a lane; two scales of a line; an offset of each.
        let one = Scaled { columns: 8, atoms: 1, ..warp };
        let tall = Scaled { columns: 8, ..warp };
        assert_eq!(place(one, Some(scale), None), ScalesIn::Tile);
        assert_eq!(place(tall, Some(scale), None), ScalesIn::Tile);
        assert_eq!(place(warp, None, Some(scale)), ScalesIn::Tile);
        assert_eq!(place(warp, Some(Scale { k: 64, ..scale }), None), ScalesIn::Tile);
        let with_offset = Scale { offset: offset(Element::F16), ..scale };
        assert_eq!(place(warp, Some(with_offset), None), ScalesIn::Tile);
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
