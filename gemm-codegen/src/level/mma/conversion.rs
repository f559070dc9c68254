//! Factors that are stored in fewer bits than they are multiplied in.

use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::field::Field;
use crate::form::Form;
use crate::part::Part;
use crate::rule::{Diagnostic, Rule};
use crate::text::Sections;

use super::fragment::LANES_OF_LINE;
use super::scaling::{ScaledBy, Scaling};
use crate::problem::Scale;

/// Neighbours along K that a lane has of each line of a factor for one k-step, the first where nothing else is
/// asked for. They are converted together, in whole words: four of 4 bits are none.
const RUNS: [u32; 2] = [8, 4];

/// The same of packed numbers of 4 bits, in which a k-step has 16 lines: a word has four of two.
const RUNS_OF_PACKED_4: [u32; 3] = [16, 8, 4];

/// The run of factors that are stored as these elements: the longest whose k-steps are a part of each tile of
/// `scales`, if one is.
pub(crate) fn run_of(stored: [Element; 2], scales: PerSide<Option<Scale>>) -> u32 {
    let runs = match stored.into_iter().find(|element| element.is_several()) {
        Some(packed) if packed.lines() > 1 && packed.bits() == 4 => &RUNS_OF_PACKED_4[..],
        Some(pair) if pair.lines() == 1 => &RUNS[..1],
        Some(_) | None => &RUNS[..],
    };
    let is_whole = |run: &u32| {
        let mut tiles = Side::BOTH.into_iter().filter_map(|side| *scales.get(side));
        tiles.all(|scale| scale.k.is_multiple_of(step_of(*run)))
    };
    runs.iter().copied().find(is_whole).unwrap_or(runs[0])
}

/// The most K that warpgroups convert at a time: ptxas spilled the registers of more (NVRTC 13.1).
const CONVERTED_K: u32 = 128;

/// K that they convert at a time: `scaled` of K whose sums are scaled, or as much of a k-tile as they can.
pub(crate) fn converted_k(block_k: u32, scaled: Option<u32>) -> u32 {
    scaled.unwrap_or(block_k).min(CONVERTED_K)
}

/// K of a k-step: a run of each lane of a line. Where it takes several instructions, they may multiply the K of a run
/// in any order, if both factors have the same.
pub(crate) fn step_of(run: u32) -> u32 {
    LANES_OF_LINE * run
}

/// A factor of integers, which its warps convert to the element type of the other one after they have loaded them
/// from shared memory. Each integer of 8 bits or fewer is a number of that type, so nothing is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conversion {
    /// Which factor it is.
    pub side: Side,
    /// What is stored.
    pub from: Element,
    /// What is multiplied.
    pub to: Element,
}

impl Conversion {
    /// That of two factors, if one of them is converted.
    pub fn of([a, b]: [Element; 2]) -> Option<Conversion> {
        let is_float = |element| matches!(element, Element::F16 | Element::Bf16);
        let is_integer = |element| {
            use Element::{I4x2, I8, U4x2, U8};
            matches!(Element::plain(element), I8 | U8 | I4x2 | U4x2)
        };
        match (a, b) {
            _ if is_float(a) && is_integer(b) => Some(Conversion { side: Side::B, from: b, to: a }),
            _ if is_integer(a) && is_float(b) => Some(Conversion { side: Side::A, from: a, to: b }),
            _ => None,
        }
    }
}

impl Conversion {
    /// Whether what is stored is packed.
    pub(crate) fn packs(self) -> bool {
        self.from.unpacked().is_some()
    }

    /// The device function `mma`, which converts and multiplies the fragments of a k-step of these runs by this
    /// number of instructions for each atom, and what it calls.
    pub(super) fn write_step(self, text: &mut Sections, run: u32, instructions: u32) {
        text.add(match self.to {
            Element::F16 => include_str!("../../ptx/sub_f16x2.cuh"),
            _ => include_str!("../../ptx/fma_bf16x2.cuh"),
        });
        if self.packs() {
            return self.write_packed_step(text, instructions);
        }
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

    /// The same device function of packed elements.
    fn write_packed_step(self, text: &mut Sections, instructions: u32) {
        let count =
            format!("constexpr int INSTRUCTIONS = {instructions};  // of an atom for a k-step\n");
        let step = match self.side {
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

/// What is multiplied of two factors that are stored as these elements.
pub(crate) fn multiplied(stored: [Element; 2]) -> [Element; 2] {
    Conversion::of(stored).map_or(stored, |conversion| [conversion.to; 2])
}

/// Proves that warps convert what threads have copied, from rows along K of both factors, and warpgroups the first
/// factor, which an instruction takes from registers. `operands` are the numbers of the factors,
/// `orders` says which rows run along K, where that is clear; `run` is how many neighbours a lane multiplies.
pub(crate) fn check(
    stored: [Element; 2],
    operands: [usize; 2],
    orders: Option<PerSide<bool>>,
    (form, run): (Form, u32),
) -> Result<(), Vec<Diagnostic>> {
    let Some(Conversion { side, from, to }) = Conversion::of(stored) else { return Ok(()) };
    let mut broken = Vec::new();
    let mut refuse = |at, message, help| {
        broken.push(Diagnostic::new(Rule::ConvertedFactor, at, message, help));
    };
    let what = format!("{from} that is multiplied as {to}");
    match form {
        Form::Warps(_) | Form::Lanes(_) => {}
        Form::Groups if side == Side::A => {}
        Form::WarpsByTensors => refuse(
            Field::Copy(side),
            format!("tensor copies do not bring {what}: no swizzle of theirs suits both factors"),
            "use `copy = cp_async(16, cg)`, the default".to_owned(),
        ),
        Form::Groups => refuse(
            Field::Mma,
            format!(
                "`wgmma` reads its second factor from shared memory, but {what} is converted in registers"
            ),
            "multiply it as the first factor, as in `matmul(w, x)`, or use `mma = m16n8k16`"
                .to_owned(),
        ),
    }
    for (along, operand) in Side::BOTH.into_iter().zip(operands) {
        // Descriptors have lanes multiply the same K in both orders of the other factor.
        let is_read = along == side || form != Form::Groups;
        if is_read && orders.is_some_and(|orders| !*orders.get(along)) {
            refuse(
                Field::OperandIndex(operand, 1),
                other_rows(from, &what, run),
                "write the index that is summed over last, and store the matrix so".to_owned(),
            );
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// That rows of a factor do not run along K, of a product in which one is stored like this.
fn other_rows(from: Element, what: &str, run: u32) -> String {
    match from.unpacked() {
        Some(_) => format!(
            "the rows of this factor do not run along K, as those of {from} do, and of what is multiplied by it"
        ),
        None => format!(
            "the rows of this factor do not run along K, but a lane multiplies {run} neighbours along \
             K of {what} by as many of the other factor"
        ),
    }
}

#[cfg(test)]
mod tests;
