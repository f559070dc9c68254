//! Element types: what a matrix holds.

use std::fmt;

use crate::hardware::{Availability, Target, WARP};

pub use crate::scalar::ScalarType;

/// What the elements of a type are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    /// A float of a sign, and these bits of exponent and fraction.
    Float(u32, u32),
    /// A signed integer of these bits.
    Signed(u32),
    /// An unsigned integer of these bits.
    Unsigned(u32),
    /// Two integers of 4 bits in a byte, signed or not.
    Pair { signed: bool },
    /// Integers of these bits of 16 lines of a factor, signed or not, in the order in which lanes multiply them.
    Packed { bits: u32, signed: bool },
}

use Number::{Float, Packed, Pair, Signed, Unsigned};

/// Lines of a factor that share an element of packed integers: the rows of an MMA atom.
const PACKED_LINES: u32 = 16;

/// Bytes of such an element: what a lane loads at once.
const PACKED_BYTES: u32 = 16;

/// What is known of a type.
struct Row {
    name: &'static str,
    number: Number,
    /// What PTX calls it as a factor.
    ptx: &'static str,
    /// The first target that converts it to a body's value, and the first that rounds one to it.
    on: [Target; 2],
    cuda: &'static str,
}

macro_rules! elements {
    ($($(#[$doc:meta])* $element:ident = $name:literal: $number:expr, $ptx:literal, $on:expr;)+) => {
        /// The type of the elements of a matrix or vector in device memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Element {
            $($(#[$doc])* $element,)+
        }

        impl Element {
            /// Every element type, in the order in which messages list them.
            pub const ALL: [Element; [$($name),+].len()] = [$(Element::$element),+];

            const fn row(self) -> &'static Row {
                match self {
                    $(Element::$element => &Row {
                        name: $name,
                        number: $number,
                        ptx: $ptx,
                        on: $on,
                        cuda: include_str!(concat!("ptx/element_", $name, ".cuh")),
                    },)+
                }
            }
        }
    };
}

// The targets: PTX ISA, "cvt".
elements! {
    /// IEEE 754 binary16.
    F16 = "f16": Float(5, 10), "f16", [Target::Sm75, Target::Sm75];
    /// bfloat16: the upper half of a binary32.
    Bf16 = "bf16": Float(8, 7), "bf16", [Target::Sm75, Target::Sm80];
    /// IEEE 754 binary32.
    F32 = "f32": Float(8, 23), "tf32", [Target::Sm75, Target::Sm75];
    /// IEEE 754 binary64.
    F64 = "f64": Float(11, 52), "f64", [Target::Sm75, Target::Sm75];
    /// 8-bit signed integer.
    I8 = "i8": Signed(8), "s8", [Target::Sm75, Target::Sm75];
    /// 8-bit unsigned integer.
    U8 = "u8": Unsigned(8), "u8", [Target::Sm75, Target::Sm75];
    /// 32-bit signed integer.
    I32 = "i32": Signed(32), "s32", [Target::Sm75, Target::Sm75];
    /// 8-bit float of 4 bits of exponent and 3 of fraction; NaN but no infinity.
    E4m3 = "e4m3": Float(4, 3), "e4m3", [Target::Sm89, Target::Sm89];
    /// 8-bit float of 5 bits of exponent and 2 of fraction: the upper half of a binary16.
    E5m2 = "e5m2": Float(5, 2), "e5m2", [Target::Sm89, Target::Sm89];
    /// Two 4-bit signed integers, neighbours along K, the first in the low bits: of a factor alone.
    I4x2 = "i4x2": Pair { signed: true }, "s4", [Target::Sm75, Target::Sm75];
    /// Two 4-bit unsigned integers, neighbours along K, the first in the low bits: of a factor alone.
    U4x2 = "u4x2": Pair { signed: false }, "u4", [Target::Sm75, Target::Sm75];
    /// 32 packed 4-bit signed integers, of 16 lines: of a factor alone.
    I4x32 = "i4x32": Packed { bits: 4, signed: true }, "s4", [Target::Sm75, Target::Sm75];
    /// 32 packed 4-bit unsigned integers, of 16 lines: of a factor alone.
    U4x32 = "u4x32": Packed { bits: 4, signed: false }, "u4", [Target::Sm75, Target::Sm75];
    /// 16 packed 8-bit signed integers, of 16 lines: of a factor alone.
    I8x16 = "i8x16": Packed { bits: 8, signed: true }, "s8", [Target::Sm75, Target::Sm75];
    /// 16 packed 8-bit unsigned integers, of 16 lines: of a factor alone.
    U8x16 = "u8x16": Packed { bits: 8, signed: false }, "u8", [Target::Sm75, Target::Sm75];
}

/// The 8-bit floats, which tensor cores multiply in any mix.
pub(crate) const FLOATS8: &[Element] = &[Element::E4m3, Element::E5m2];

impl Element {
    /// The Rust name, which is also the name in the emitted text.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// What PTX calls an element that is multiplied.
    pub(crate) const fn ptx(self) -> &'static str {
        self.row().ptx
    }

    /// Whether a body computes with values of another type, to which its text converts.
    pub const fn is_narrow(self) -> bool {
        self.bytes() < 4
    }

    /// Size of one element in bytes.
    pub const fn bytes(self) -> u32 {
        match self.row().number {
            Float(exponent, fraction) => (1 + exponent + fraction) / 8,
            Signed(bits) | Unsigned(bits) => bits / 8,
            Pair { .. } => 1,
            Packed { .. } => PACKED_BYTES,
        }
    }

    /// How many numbers of a line of a factor an element has: neighbours along K, of packed integers in the mean.
    pub const fn numbers(self) -> u32 {
        match self.row().number {
            Pair { .. } => 2,
            Packed { bits, .. } => 8 * PACKED_BYTES / (PACKED_LINES * bits),
            Float(..) | Signed(_) | Unsigned(_) => 1,
        }
    }

    /// Of how many lines of a factor an element has numbers: of one, or of packed integers of 16.
    pub const fn lines(self) -> u32 {
        match self.row().number {
            Packed { .. } => PACKED_LINES,
            Pair { .. } | Float(..) | Signed(_) | Unsigned(_) => 1,
        }
    }

    /// Elements along K that have numbers of the same lines and of the same K: a matrix has a multiple of them.
    /// 1 unless an element is packed.
    pub const fn in_turn(self) -> u32 {
        match self.row().number {
            Packed { .. } => WARP,
            Pair { .. } | Float(..) | Signed(_) | Unsigned(_) => 1,
        }
    }

    /// Size of each of its numbers in bits.
    pub const fn bits(self) -> u32 {
        8 * self.bytes() / (self.numbers() * self.lines())
    }

    /// Whether it is several numbers of a factor, which no body reads and no output has.
    pub const fn is_several(self) -> bool {
        self.numbers() * self.lines() > 1
    }

    /// What its numbers are when they are not packed, if it is packed.
    pub const fn unpacked(self) -> Option<Element> {
        match self.row().number {
            Packed { bits: 4, signed: true } => Some(Element::I4x2),
            Packed { bits: 4, signed: false } => Some(Element::U4x2),
            Packed { signed: true, .. } => Some(Element::I8),
            Packed { signed: false, .. } => Some(Element::U8),
            Pair { .. } | Float(..) | Signed(_) | Unsigned(_) => None,
        }
    }

    /// What its numbers are when they are not packed: itself, unless it is packed.
    pub fn plain(self) -> Element {
        self.unpacked().unwrap_or(self)
    }

    /// The packed element of such numbers, if there is one.
    pub fn packed(self) -> Option<Element> {
        Element::ALL.into_iter().find(|element| element.unpacked() == Some(self))
    }

    /// Whether it is an integer.
    pub const fn is_integer(self) -> bool {
        !matches!(self.row().number, Float(..))
    }

    /// Whether it is a float of 8 bits.
    pub const fn is_float8(self) -> bool {
        matches!(self.row().number, Float(..)) && self.bytes() == 1
    }

    /// Whether Rust has the type; the others are those of the runtime.
    pub const fn is_primitive(self) -> bool {
        !self.is_several() && (self.is_integer() || !self.is_narrow())
    }

    /// Half the distance from 1 to the next larger number; 0 of an integer.
    pub fn unit_roundoff(self) -> f64 {
        match self.row().number {
            Float(_, fraction) => 0.5f64.powi(fraction as i32 + 1),
            Signed(_) | Unsigned(_) | Pair { .. } | Packed { .. } => 0.0,
        }
    }

    /// The smallest positive number, which may be subnormal.
    pub fn smallest(self) -> f64 {
        match self.row().number {
            Float(exponent, fraction) => 0.5f64.powi((1 << (exponent - 1)) - 2 + fraction as i32),
            Signed(_) | Unsigned(_) | Pair { .. } | Packed { .. } => 1.0,
        }
    }

    /// The type of an element as a value inside a body; exact.
    pub const fn value(self) -> ScalarType {
        match self.row().number {
            Float(..) if self.bytes() == 8 => ScalarType::F64,
            Float(..) => ScalarType::F32,
            Signed(_) | Unsigned(_) | Pair { .. } | Packed { .. } => ScalarType::I32,
        }
    }

    /// The types of a body's value that can be stored as this element, the most exact one first.
    /// Storing rounds to nearest even, and to 8 bits it saturates: to the largest finite number of a
    /// float, whose NaN stays NaN.
    pub const fn stored_from(self) -> &'static [ScalarType] {
        match self.value() {
            ScalarType::I32 if self.is_narrow() || self.is_several() => {
                &[ScalarType::I32, ScalarType::F32]
            }
            ScalarType::I32 => &[ScalarType::I32],
            ScalarType::F64 => &[ScalarType::F64],
            _ => &[ScalarType::F32],
        }
    }

    /// The targets that convert an element to a body's value (PTX ISA, "cvt").
    pub const fn read_on(self) -> Availability {
        Availability::Since(self.row().on[0])
    }

    /// The targets that round a body's value to an element (PTX ISA, "cvt").
    pub const fn stored_on(self) -> Availability {
        Availability::Since(self.row().on[1])
    }

    /// The type's definition and conversions in the emitted text.
    pub(crate) const fn cuda(self) -> &'static str {
        self.row().cuda
    }

    /// The element type of this Rust name, if there is one.
    pub fn from_name(name: &str) -> Option<Element> {
        Element::ALL.into_iter().find(|e| e.name() == name)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `f16` for two alike, else `i8 and u8`.
pub(crate) fn pair([a, b]: [Element; 2]) -> String {
    if a == b { a.to_string() } else { format!("{a} and {b}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floats_of_8_bits_are_listed() {
        assert!(Element::ALL.into_iter().filter(|e| e.is_float8()).eq(FLOATS8.iter().copied()));
    }
}
