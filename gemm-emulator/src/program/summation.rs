//! The rules by which tensor cores add.
//!
//! One step computes `c + Σ a·b`. Each product is exact; its exponent is the sum of those of its factors, where a
//! subnormal factor has the least of its type and a zero product has −126. The addend and all products are aligned to
//! the largest exponent among them, truncated toward zero to some bits of fraction, and added exactly. A sum in f32 is
//! truncated toward zero, one in f16 rounded to nearest. An instruction is one step, or two for the halves of its K.
//!
//! The rule and its numbers: MMA-Sim, github.com/microsoft/MMA-Sim, arXiv 2511.10909, but for the 8-bit floats that
//! ptxas converts to f16 from sm_90 to sm_110, whose order is that of its machine code. docs/support.md says which rows
//! gave every bit of a GPU.

use super::matrix::{Accumulator, MatrixElement};

/// What executes a multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Multiplier {
    /// `mma.sync`, by the number of the target: 90 of `sm_90a`, 0 if it is not known.
    Warp(u32),
    /// `wgmma`, which sm_90a alone has.
    Warpgroup,
}

/// How the products of an instruction are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summation {
    /// Bits below the largest exponent.
    pub(crate) fraction_bits: i16,
    /// Bytes of K of a step.
    step_bytes: usize,
    /// Bits of the fraction of a sum in f32.
    pub(crate) result_bits: u32,
    /// 8-bit floats become f16: a step has the first two of each four elements along K, the next one the other two.
    pub(crate) converted: bool,
    /// The products are added onto zero; an addition that rounds to nearest adds c.
    pub(crate) apart: bool,
    /// The least exponents of the factors and of c.
    pub(crate) least: [i16; 3],
    /// Products of a step.
    pub(crate) step: usize,
}

/// A rule without what depends on the types: bits of fraction, bytes of K of a step, bits of fraction of a sum in f32.
const fn rule(fraction_bits: i16, step_bytes: usize, result_bits: u32) -> Summation {
    Summation {
        fraction_bits,
        step_bytes,
        result_bits,
        converted: false,
        apart: false,
        least: [0; 3],
        step: 1,
    }
}

/// The rules of `mma.sync` from a target on, for 8-bit floats and for others.
const OF_WARPS: [(u32, [Summation; 2]); 4] = [
    (75, [rule(24, 32, 23), rule(24, 32, 23)]),
    (80, [rule(13, 16, 13), rule(24, 16, 23)]),
    (90, [Summation { converted: true, ..rule(25, 16, 23) }, rule(25, 32, 23)]),
    (120, [rule(25, 32, 23), rule(25, 32, 23)]),
];

/// Those of `wgmma`.
const OF_WARPGROUPS: [Summation; 2] = [rule(13, 32, 13), rule(25, 32, 23)];

/// The target of a text without one.
const DEFAULT: u32 = 90;

impl Summation {
    /// The rule of an instruction.
    pub(crate) fn of(
        multiplier: Multiplier,
        factors: [MatrixElement; 2],
        accumulator: Accumulator,
    ) -> Summation {
        let [of_bytes, of_others] = match multiplier {
            Multiplier::Warpgroup => OF_WARPGROUPS,
            Multiplier::Warp(target) => {
                let target = if target == 0 { DEFAULT } else { target };
                let row = OF_WARPS.iter().rev().find(|(from, _)| *from <= target);
                row.unwrap_or(&OF_WARPS[0]).1
            }
        };
        let bytes = matches!(factors[0], MatrixElement::Byte(_));
        let rule = if bytes { of_bytes } else { of_others };
        let multiplied =
            factors.map(|factor| if rule.converted { MatrixElement::F16 } else { factor });
        let [a, b] = multiplied.map(MatrixElement::least_exponent);
        let of_f16 = accumulator == Accumulator::F16;
        Summation {
            // Sums of halves stay in the tensor core.
            apart: rule.converted && !of_f16,
            least: [a, b, if of_f16 { MatrixElement::F16.least_exponent() } else { LEAST }],
            step: 8 * rule.step_bytes / factors[0].bits(),
            ..rule
        }
    }
}

/// The least exponent of f32, and that of zero.
pub(crate) const LEAST: i16 = -126;
