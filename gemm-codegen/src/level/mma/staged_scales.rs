//! The text of scales that are a tile of a stage, beside those of the factors.

use super::scales_in::ScalesIn;
use super::scaling::Scaling;
use crate::axis::Side;
use crate::part::Part;
use crate::problem::Scale;
use crate::text::Sections;

impl Scaling {
    /// What a stage holds: the name of its tile, the operand, the side and its scale.
    pub(crate) fn staged_tiles(&self) -> impl Iterator<Item = (String, usize, Side, Scale)> {
        let scales = Side::BOTH.into_iter().filter_map(|side| Some((side, *self.of(side)?)));
        scales.filter(|_| self.place == ScalesIn::Tile).flat_map(|(side, scale)| {
            let letter = side.letter().to_uppercase();
            let parts = scale.parts();
            let named =
                parts.map(|(of, operand, ..)| (format!("{of}{letter}"), operand, side, scale));
            named.collect::<Vec<_>>()
        })
    }

    /// What warps call: the scales of a side, the same with offsets, and how they are loaded.
    pub(super) fn files(&self) -> [&'static str; 3] {
        match self.place {
            ScalesIn::Tile => [
                include_str!("staged_scales/scales.cuh"),
                include_str!("staged_scales/with_offsets.cuh"),
                include_str!("staged_scales/load_scales.cuh"),
            ],
            ScalesIn::Registers | ScalesIn::Lines => [
                include_str!("scales.cuh"),
                include_str!("offsets/scales_with_offsets.cuh"),
                include_str!("next_scales.cuh"),
            ],
        }
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
        if self.place == ScalesIn::Lines {
            offset = format!("{offset} + {}", self.bytes);
        }
        if self.place != ScalesIn::Registers {
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
    use crate::layout::Swizzle;

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
