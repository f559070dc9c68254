//! What products are summed in.

use crate::element::{Element, ScalarType};
use crate::spec::Accumulator;

impl Accumulator {
    /// The type of `matmul` inside a body, in which sums are staged too.
    pub const fn value(self) -> ScalarType {
        match self {
            Accumulator::F32 | Accumulator::F16 => ScalarType::F32,
            Accumulator::F64 => ScalarType::F64,
            Accumulator::I32 => ScalarType::I32,
        }
    }

    /// A staged sum as an element in memory.
    pub(crate) const fn staged(self) -> Element {
        match self {
            Accumulator::F32 | Accumulator::F16 => Element::F32,
            Accumulator::F64 => Element::F64,
            Accumulator::I32 => Element::I32,
        }
    }

    /// What PTX calls it.
    pub(crate) const fn ptx(self) -> &'static str {
        match self {
            Accumulator::F32 => "f32",
            Accumulator::F16 => "f16",
            Accumulator::F64 => "f64",
            Accumulator::I32 => "s32",
        }
    }

    /// The letter of its registers in an `asm` statement.
    pub(crate) const fn constraint(self) -> char {
        match self {
            Accumulator::F32 => 'f',
            Accumulator::F64 => 'd',
            Accumulator::F16 | Accumulator::I32 => 'r',
        }
    }

    /// The type of its registers in the emitted text.
    pub(crate) const fn register(self) -> &'static str {
        match self {
            Accumulator::F16 => "unsigned",
            other => other.value().cuda(),
        }
    }

    /// Bits of a sum in the registers.
    pub const fn bits(self) -> u32 {
        match self {
            Accumulator::F16 => 16,
            Accumulator::F32 | Accumulator::I32 => 32,
            Accumulator::F64 => 64,
        }
    }
}
