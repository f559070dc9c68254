//! The text that converts what is stored.

use super::conversion::Conversion;
use super::factor_scaling::ScaledBy;
use super::scaling::Scaling;
use crate::axis::Side;
use crate::element::Element;
use crate::part::Part;
use crate::text::Sections;

impl Conversion {
    /// The device function `mma`, which converts and multiplies the fragments of a k-step of these runs by this
    /// number of instructions for each atom, and what it calls.
    pub(super) fn write_step(self, text: &mut Sections, run: u32, instructions: u32) {
        text.add(self.cuda_arithmetic());
        let kept = match self.from.numbers() {
            1 => include_str!("runs/kept.cuh"),
            _ => include_str!("runs/kept_apart.cuh"),
        };
        let converted = self.cuda_run();
        let half = (run == 4).then_some(include_str!("runs/half.cuh"));
        let step = match half {
            Some(_) => include_str!("mma_converted_halves.cuh"),
            None => include_str!("mma_converted.cuh"),
        };
        let count =
            format!("constexpr int INSTRUCTIONS = {instructions};  // of an atom for a k-step\n");
        let parts = [Some(kept), Some(converted), half, Some(&*count), Some(step)];
        for part in parts.into_iter().flatten() {
            text.of(Part::Multiply).add(part.to_owned());
        }
    }

    /// The device function `convert`, which makes what warpgroups multiply of a k-tile of chunks, and what it calls.
    pub(crate) fn write_chunks(self, text: &mut Sections, scaling: Option<&Scaling>) {
        let scales_factors = scaling.is_some_and(|scaling| scaling.by == ScaledBy::Factors);
        match self.to {
            Element::F16 => {
                text.add(include_str!("../../ptx/sub_f16x2.cuh"));
                if scales_factors {
                    text.add(include_str!("../../ptx/fma_f16x2.cuh"));
                }
            }
            _ => text.add(include_str!("../../ptx/fma_bf16x2.cuh")),
        }
        text.of(Part::Multiply).add(self.cuda_pairs());
        text.of(Part::Multiply).add(self.cuda_pair());
        match scaling {
            Some(scaling) => scaling.write_groups(text, self.to),
            None => text.of(Part::Multiply).add(include_str!("factor_scales/unscaled.cuh")),
        }
        if !scales_factors {
            text.of(Part::Multiply).add(include_str!("factor_scales/kept.cuh"));
        }
        text.of(Part::Multiply).add(match self.packs() {
            true => include_str!("convert_packed.cuh"),
            false => include_str!("convert_factors.cuh"),
        });
    }

    /// The same device function of packed elements, whose instructions may add to two sums by turns.
    pub(super) fn write_packed_step(self, text: &mut Sections, instructions: u32, two_sums: bool) {
        text.add(self.cuda_arithmetic());
        let count =
            format!("constexpr int INSTRUCTIONS = {instructions};  // of an atom for a k-step\n");
        let step = match self.side {
            Side::A if two_sums => include_str!("mma_packed_by_turns.cuh"),
            Side::A => include_str!("mma_packed_a.cuh"),
            Side::B => include_str!("mma_packed_b.cuh"),
        };
        let tile =
            format!("typedef {} PackedTile;  // whose numbers are packed\n", self.side.tile());
        let to_factors = include_str!("to_factors.cuh");
        for part in [self.cuda_pairs(), self.cuda_pair(), &*tile, to_factors, &*count, step] {
            text.of(Part::Multiply).add(part.to_owned());
        }
    }

    /// What pairs of numbers become factors by.
    fn cuda_arithmetic(self) -> &'static str {
        match self.to {
            Element::F16 => include_str!("../../ptx/sub_f16x2.cuh"),
            _ => include_str!("../../ptx/fma_bf16x2.cuh"),
        }
    }

    /// The function `take_pairs`, of a chunk or of packed elements.
    fn cuda_pairs(self) -> &'static str {
        match (self.packs(), self.from.bits()) {
            (false, 8) => include_str!("chunks/pairs_8.cuh"),
            (false, _) => include_str!("chunks/pairs_4.cuh"),
            (true, 8) => include_str!("chunks/packed_8.cuh"),
            (true, _) => include_str!("chunks/packed_4.cuh"),
        }
    }

    /// The function `to_factor` of a pair.
    fn cuda_pair(self) -> &'static str {
        match (self.from.plain(), self.to) {
            (Element::I4x2, Element::F16) => include_str!("chunks/i4x2_to_f16.cuh"),
            (Element::I4x2, _) => include_str!("chunks/i4x2_to_bf16.cuh"),
            (Element::U4x2, Element::F16) => include_str!("chunks/u4x2_to_f16.cuh"),
            (Element::U4x2, _) => include_str!("chunks/u4x2_to_bf16.cuh"),
            (Element::U8, Element::F16) => include_str!("chunks/u8_to_f16.cuh"),
            (Element::U8, _) => include_str!("chunks/u8_to_bf16.cuh"),
            (_, Element::F16) => include_str!("chunks/i8_to_f16.cuh"),
            (_, _) => include_str!("chunks/i8_to_bf16.cuh"),
        }
    }

    /// The specialisation of `to_factor` for what is stored.
    fn cuda_run(self) -> &'static str {
        match (self.from, self.to) {
            (Element::I4x2, Element::F16) => include_str!("runs/i4x2_to_f16.cuh"),
            (Element::I4x2, _) => include_str!("runs/i4x2_to_bf16.cuh"),
            (Element::U4x2, Element::F16) => include_str!("runs/u4x2_to_f16.cuh"),
            (Element::U4x2, _) => include_str!("runs/u4x2_to_bf16.cuh"),
            (Element::U8, Element::F16) => include_str!("runs/u8_to_f16.cuh"),
            (Element::U8, _) => include_str!("runs/u8_to_bf16.cuh"),
            (_, Element::F16) => include_str!("runs/i8_to_f16.cuh"),
            (_, _) => include_str!("runs/i8_to_bf16.cuh"),
        }
    }
}
