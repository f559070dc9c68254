//! Factors that are stored in fewer bits than they are multiplied in.

use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::field::Field;
use crate::form::Form;
use crate::rule::{Diagnostic, Rule};

use super::fragment::LANES_OF_LINE;
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
}

/// What is multiplied of two factors that are stored as these elements.
pub(crate) fn multiplied(stored: [Element; 2]) -> [Element; 2] {
    Conversion::of(stored).map_or(stored, |conversion| [conversion.to; 2])
}

/// Proves that warps convert what threads have copied, from rows along K of both factors, and warpgroups the first
/// factor, which an instruction takes from registers. `operands` are the numbers of the factors,
/// `orders` says which rows run along K, where that is clear; `run` is how many neighbours a lane multiplies, of each
/// of `products`.
pub(crate) fn check(
    stored: [Element; 2],
    operands: [usize; 2],
    orders: Option<PerSide<bool>>,
    (form, run, products): (Form, u32, u32),
) -> Result<(), Vec<Diagnostic>> {
    let Some(conversion) = Conversion::of(stored) else { return Ok(()) };
    let side = conversion.side;
    let mut broken: Vec<Diagnostic> = conversion.brought_by(form, products).into_iter().collect();
    for (along, operand) in Side::BOTH.into_iter().zip(operands) {
        // Descriptors have lanes multiply the same K in both orders of the other factor.
        let is_read = along == side || form != Form::Groups;
        if is_read && orders.is_some_and(|orders| !*orders.get(along)) {
            broken.push(conversion.across_k(operand, run));
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

impl Conversion {
    /// What is wrong with a form that does not bring to registers what it converts.
    fn brought_by(self, form: Form, products: u32) -> Option<Diagnostic> {
        let Conversion { side, from, to } = self;
        let what = format!("{from} that is multiplied as {to}");
        let refuse =
            |at, message, help| Some(Diagnostic::new(Rule::ConvertedFactor, at, message, help));
        match form {
            Form::Warps(_) | Form::Lanes(_) => None,
            Form::Groups if side == Side::A => None,
            Form::WarpsByTensors => refuse(
                Field::Copy(side),
                format!(
                    "tensor copies do not bring {what}: no swizzle of theirs suits both factors"
                ),
                "use `copy = cp_async(16, cg)`, the default",
            ),
            Form::Groups => refuse(
                Field::Mma,
                format!(
                    "`wgmma` reads its second factor from shared memory, but {what} is converted in registers"
                ),
                match products {
                    1 => {
                        "multiply it as the first factor, as in `matmul(w, x)`, or use `mma = m16n8k16`"
                    }
                    _ => "use `mma = m16n8k16`, or a function with `matmul(w, x)` for each product",
                },
            ),
        }
    }

    /// That the rows of an operand do not run along K, where a lane multiplies `run` neighbours.
    fn across_k(self, operand: usize, run: u32) -> Diagnostic {
        let Conversion { from, to, .. } = self;
        let message = match self.packs() {
            true => format!(
                "the rows of this factor do not run along K, as those of {from} do, and of what is \
                 multiplied by it"
            ),
            false => format!(
                "the rows of this factor do not run along K, but a lane multiplies {run} neighbours along \
                 K of {from} that is multiplied as {to} by as many of the other factor"
            ),
        };
        let help = "write the index that is summed over last, and store the matrix so";
        Diagnostic::new(Rule::ConvertedFactor, Field::OperandIndex(operand, 1), message, help)
    }
}

#[cfg(test)]
mod tests;
