//! The text of scales that are a tile of a stage, beside those of the factors.

use super::scales_in::{ScalesIn, widest_copy};
use super::scaling::Scaling;
use crate::axis::Side;
use crate::element::Element;
use crate::layout::Swizzle;
use crate::part::Part;
use crate::text::Sections;

/// A tile of scales, or of offsets, in a stage.
pub(crate) struct StagedTile {
    /// `ScalesB`.
    pub(crate) name: String,
    /// Its number among the operands.
    pub(crate) operand: usize,
    /// Type of its elements.
    pub(crate) element: Element,
    /// The side of the factor.
    pub(crate) side: Side,
    /// K of an element.
    pub(crate) k: u32,
}

impl Scaling {
    /// What a stage holds.
    pub(crate) fn staged_tiles(&self) -> impl Iterator<Item = StagedTile> {
        let scales = Side::BOTH.into_iter().filter_map(|side| Some((side, *self.of(side)?)));
        scales.filter(|_| self.place == ScalesIn::Tile).flat_map(|(side, scale)| {
            let letter = side.letter().to_uppercase();
            let tile = |(of, operand, element, _)| StagedTile {
                name: format!("{of}{letter}"),
                operand,
                element,
                side,
                k: scale.k,
            };
            scale.parts().map(tile).collect::<Vec<_>>()
        })
    }

    /// Bytes of the smallest elements among them, if there are any.
    pub(crate) fn least_staged(&self) -> Option<u32> {
        self.staged_tiles().map(|tile| tile.element.bytes()).min()
    }

    /// The functions that load an element of such a tile.
    pub(super) fn write_loads(&self, text: &mut Sections) {
        for tile in self.staged_tiles() {
            text.add(match tile.element {
                Element::F32 => include_str!("../../ptx/load_scale_f32.cuh"),
                _ => include_str!("../../ptx/load_scale_u16.cuh"),
            });
        }
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

    /// The tiles of the scales; `policy` is the member of a tile that names one, if copies have policies, `align` the
    /// constant of an operand's alignment.
    pub(crate) fn write_tiles(
        &self,
        text: &mut Sections,
        policy: &str,
        align: impl Fn(usize) -> String,
    ) {
        let mut offset = "TileA::BYTES + TileB::BYTES".to_owned();
        for StagedTile { name, operand, element, side, k } in self.staged_tiles() {
            let axis = if side == Side::A { "M" } else { "N" };
            let Swizzle { b, m, s } = swizzle(element, self.block_k / k);
            let (copied, align) = (widest_copy(element, self.block_k / k), align(operand));
            let tile = format!(
                "// {} in a stage, a row for each line.\n\
                 struct Tile{name} : RowTile<{element}, BLK_{axis}, BLK_K / {k}, Swizzle<{b}, {m}, {s}>> {{\n    \
                 static constexpr bool K_CONTIGUOUS = true;\n    \
                 static constexpr int COPY_BYTES = {align} < {copied} ? {align} : {copied};\n    \
                 static constexpr bool PAST_L1 = false;\n    \
                 static constexpr int ROW_THREADS = THREADS;\n    \
                 static constexpr int STAGE_OFFSET = {offset};\n\
                 {policy}}};\n",
                words(&name),
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
        let all: Vec<String> = self.staged_tiles().map(|tile| tile.name).collect();
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

/// The swizzle of lines of this many elements: copies of 16 bytes change places, so that the same one of 8 lines, which
/// lanes load from, lies in as many banks.
fn swizzle(element: Element, elements: u32) -> Swizzle {
    let copies = (elements * element.bytes() / 16).checked_ilog2().unwrap_or(0);
    let b = copies.min(3).min((elements * element.bytes()).trailing_zeros().saturating_sub(4));
    let m = (16 / element.bytes()).ilog2();
    Swizzle { b: b as u8, m: m as u8, s: copies.max(3) as u8 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_same_element_of_eight_lines_lies_in_as_many_banks() {
        for (element, counts) in
            [(Element::F32, [1, 2, 4, 8, 16, 32, 64]), (Element::F16, [2, 4, 8, 16, 32, 64, 128])]
        {
            for elements in counts {
                let swizzle = swizzle(element, elements);
                for at in 0..elements {
                    let byte = |line: u32| swizzle.apply(line * elements + at) * element.bytes();
                    let banks: BTreeSet<u32> = (0..8).map(|line| byte(line) / 4 % 32).collect();
                    assert_eq!(banks.len(), 8, "{element} {elements}");
                }
            }
        }
    }
}
