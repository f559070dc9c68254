//! Scales that a stage holds beside the tiles of its factors.
//!
//! Lanes that load scales to registers wait for memory in each part of K. Asynchronous copies bring them with their
//! k-tile, which is begun `STAGES - 1` k-tiles before it is multiplied (docs/lab-notes.md, "Scales of 32 along K").

use super::scaling::{Scaled, Scaling};
use crate::axis::Side;
use crate::element::Element;
use crate::form::{ByThreads, Form};
use crate::part::Part;
use crate::problem::{Scale, ScaleOffset};
use crate::text::Sections;

/// What copies bring at the least (PTX ISA, "cp.async").
const COPIED: Element = Element::F32;

impl Scale {
    /// The scales and the offsets: their name in the text, operand, element and whether they are contiguous along K.
    fn parts(&self) -> impl Iterator<Item = (&'static str, usize, Element, bool)> {
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
    /// Whether a stage holds the scales: of one product, whose factors' rows all run along K.
    pub(super) fn is_staged(&self) -> bool {
        let by_copies = self.form == Form::Warps(ByThreads::CpAsync) && self.products == 1;
        let along_k = self.k_contiguous.a && self.k_contiguous.b;
        let mut scales = Side::BOTH.into_iter().filter_map(|side| *self.scales.get(side));
        by_copies && along_k && self.any() && scales.all(|scale| scale.is_copied(self.block[2]))
    }

    /// Bytes of the scales in a stage.
    pub(crate) fn scale_bytes(&self) -> u64 {
        let bytes = |side| self.scales.get(side).map_or(0, |of| bytes_of(&of, side, self.block));
        if self.is_staged() { Side::BOTH.into_iter().map(bytes).sum() } else { 0 }
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
        if self.staged { Side::BOTH.into_iter().map(bytes).sum() } else { 0 }
    }

    /// What a stage holds: the name of its tile, the operand, the side and its scale.
    pub(crate) fn staged_tiles(&self) -> impl Iterator<Item = (String, usize, Side, Scale)> {
        let scales = Side::BOTH.into_iter().filter_map(|side| Some((side, *self.of(side)?)));
        scales.filter(|_| self.staged).flat_map(|(side, scale)| {
            let letter = side.letter().to_uppercase();
            let parts = scale.parts();
            let named =
                parts.map(|(of, operand, ..)| (format!("{of}{letter}"), operand, side, scale));
            named.collect::<Vec<_>>()
        })
    }

    /// The tiles of the scales; `policy` is the member of a tile that names one, if copies have policies.
    pub(crate) fn write_tiles(&self, text: &mut Sections, policy: &str) {
        let mut offset = "TileA::BYTES + TileB::BYTES".to_owned();
        for (name, _, side, scale) in self.staged_tiles() {
            let axis = if side == Side::A { "M" } else { "N" };
            let tile = format!(
                "// {} in a stage, a row for each line.\n\
                 struct Tile{name} : RowTile<f32, BLK_{axis}, BLK_K / {k}, Swizzle<{bits}, 0, 5>> {{\n    \
                 static constexpr bool K_CONTIGUOUS = true;\n    \
                 static constexpr int COPY_BYTES = 4;\n    \
                 static constexpr bool PAST_L1 = false;\n    \
                 static constexpr int ROW_THREADS = THREADS;\n    \
                 static constexpr int STAGE_OFFSET = {offset};\n\
                 {policy}}};\n",
                words(&name),
                k = scale.k,
                bits = swizzle_bits(self.block_k / scale.k),
            );
            text.add(crate::text::wrap::wrap_lines(&tile));
            offset = format!("Tile{name}::STAGE_OFFSET + Tile{name}::BYTES");
        }
        if self.staged {
            text.add(format!("constexpr int SCALES_END = {offset};  // of a stage's bytes\n"));
        }
    }

    /// Where the scales are copied from, and their copies.
    pub(crate) fn write_copies(&self, text: &mut Sections) {
        let all: Vec<String> = self.staged_tiles().map(|(name, ..)| name).collect();
        if all.is_empty() {
            return;
        }
        let members = all.iter().map(|name| format!("    Source<Tile{name}> {};\n", member(name)));
        let copies = all.iter().map(|name| {
            format!(
                "    global_to_shared(stage + Tile{name}::STAGE_OFFSET, from.{});\n",
                member(name)
            )
        });
        text.of(Part::Copies).add(format!(
            "// Where the scales are copied from.\n\
             struct SourceScales {{\n{}}};\n\n\
             // Issues the copies of the next k-tile's scales to a stage.\n\
             __device__ __forceinline__ void global_to_shared(unsigned stage, SourceScales& from) {{\n{}}}\n",
            members.collect::<String>(),
            copies.collect::<String>(),
        ));
    }
}

/// `ScalesB` as `scales_b`.
fn member(name: &str) -> String {
    let (of, side) = name.split_at(name.len() - 1);
    format!("{}_{}", of.to_lowercase(), side.to_lowercase())
}

/// `ScalesB` as a sentence begins with it.
fn words(name: &str) -> String {
    let (of, side) = name.split_at(name.len() - 1);
    format!("The {} of {side}", of.to_lowercase())
}

/// Bits by which lines of this many words are swizzled, so that the same word of 8 lines, which lanes load, lies in as
/// many banks.
fn swizzle_bits(words: u32) -> u32 {
    words.trailing_zeros().saturating_sub(2).min(3)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::axis::PerSide;
    use crate::body::Offset;
    use crate::layout::Swizzle;
    use crate::spec::{Accumulator, KOrder};

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
            form: Form::Warps(ByThreads::CpAsync),
            sums: Accumulator::F32,
            products: 1,
            k_contiguous: PerSide::both(true),
            block: [16, 64, 128],
            warp_k: 64,
            columns: 32,
            step: 32,
            planes: false,
            promote: None,
            converted: Some(Side::B),
            k_order: KOrder::Ascending,
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
        assert!(legal.is_staged());
        let by_loads = Scaled { form: Form::Warps(ByThreads::LdGlobal), ..legal };
        let along_n = Scaled { k_contiguous: PerSide { a: true, b: false }, ..legal };
        for other in [by_loads, along_n, Scaled { products: 2, ..legal }, scaled(None, None)] {
            assert!(!other.is_staged(), "{other:?}");
        }
    }

    #[test]
    fn the_same_word_of_eight_lines_lies_in_as_many_banks() {
        for words in [1, 2, 4, 8, 16, 32] {
            let swizzle = Swizzle { b: swizzle_bits(words) as u8, m: 0, s: 5 };
            let bank = |line: u32| swizzle.apply(line * words) % 32;
            let banks: BTreeSet<u32> = (0..8).map(bank).collect();
            assert_eq!(banks.len(), 8, "{words}");
        }
    }
}
