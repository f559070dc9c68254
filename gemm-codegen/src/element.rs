//! Element and scalar types: what a matrix holds, what a body computes with.

use std::fmt;

use crate::hardware::{Availability, Target};

/// The type of the elements of a matrix or vector in device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: the upper half of a binary32.
    Bf16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// 8-bit signed integer.
    I8,
    /// 8-bit unsigned integer.
    U8,
    /// 32-bit signed integer.
    I32,
    /// 8-bit float of 4 bits of exponent and 3 of fraction; NaN but no infinity.
    E4m3,
    /// 8-bit float of 5 bits of exponent and 2 of fraction: the upper half of a binary16.
    E5m2,
}

impl Element {
    /// Every element type, in the order in which messages list them.
    pub const ALL: [Element; 9] = [
        Element::F16,
        Element::Bf16,
        Element::F32,
        Element::F64,
        Element::I8,
        Element::U8,
        Element::I32,
        Element::E4m3,
        Element::E5m2,
    ];

    /// The Rust name, which is also the name in the emitted text.
    pub const fn name(self) -> &'static str {
        match self {
            Element::F16 => "f16",
            Element::Bf16 => "bf16",
            Element::F32 => "f32",
            Element::F64 => "f64",
            Element::I8 => "i8",
            Element::U8 => "u8",
            Element::I32 => "i32",
            Element::E4m3 => "e4m3",
            Element::E5m2 => "e5m2",
        }
    }

    /// Whether a body computes with values of another type, to which its text converts.
    pub(crate) const fn is_packed(self) -> bool {
        !matches!(self, Element::F32 | Element::F64 | Element::I32)
    }

    /// Size of one element in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Element::I8 | Element::U8 | Element::E4m3 | Element::E5m2 => 1,
            Element::F16 | Element::Bf16 => 2,
            Element::F32 | Element::I32 => 4,
            Element::F64 => 8,
        }
    }

    /// The type of an element as a value inside a body; exact.
    pub const fn value(self) -> ScalarType {
        match self {
            Element::F16 | Element::Bf16 | Element::F32 | Element::E4m3 | Element::E5m2 => {
                ScalarType::F32
            }
            Element::F64 => ScalarType::F64,
            Element::I8 | Element::U8 | Element::I32 => ScalarType::I32,
        }
    }

    /// The types of a body's value that can be stored as this element, the most exact one first.
    /// Storing rounds to nearest even, and to 8 bits it saturates: to the largest finite number of a
    /// float, whose NaN stays NaN.
    pub const fn stored_from(self) -> &'static [ScalarType] {
        match self {
            Element::F16 | Element::Bf16 | Element::F32 | Element::E4m3 | Element::E5m2 => {
                &[ScalarType::F32]
            }
            Element::F64 => &[ScalarType::F64],
            Element::I8 | Element::U8 => &[ScalarType::I32, ScalarType::F32],
            Element::I32 => &[ScalarType::I32],
        }
    }

    /// The targets that convert an element to a body's value (PTX ISA, "cvt").
    pub const fn read_on(self) -> Availability {
        Availability::Since(match self {
            Element::E4m3 | Element::E5m2 => Target::Sm89,
            _ => Target::Sm75,
        })
    }

    /// The targets that round a body's value to an element (PTX ISA, "cvt").
    pub const fn stored_on(self) -> Availability {
        match self {
            Element::Bf16 => Availability::Since(Target::Sm80),
            other => other.read_on(),
        }
    }

    /// The type's definition and conversions in the emitted text.
    pub(crate) const fn cuda(self) -> &'static str {
        match self {
            Element::F16 => include_str!("ptx/element_f16.cuh"),
            Element::Bf16 => include_str!("ptx/element_bf16.cuh"),
            Element::F32 => include_str!("ptx/element_f32.cuh"),
            Element::F64 => include_str!("ptx/element_f64.cuh"),
            Element::I8 => include_str!("ptx/element_i8.cuh"),
            Element::U8 => include_str!("ptx/element_u8.cuh"),
            Element::I32 => include_str!("ptx/element_i32.cuh"),
            Element::E4m3 => include_str!("ptx/element_e4m3.cuh"),
            Element::E5m2 => include_str!("ptx/element_e5m2.cuh"),
        }
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

/// The type of a scalar parameter, and of a value inside a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// 32-bit float.
    F32,
    /// 64-bit float.
    F64,
    /// 32-bit signed integer.
    I32,
    /// Truth value; a value inside a body only, never a parameter.
    Bool,
}

impl ScalarType {
    /// Whether it is a float.
    pub const fn is_float(self) -> bool {
        matches!(self, ScalarType::F32 | ScalarType::F64)
    }

    /// The Rust name.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::I32 => "i32",
            ScalarType::Bool => "bool",
        }
    }

    /// The CUDA C++ name.
    pub const fn cuda(self) -> &'static str {
        match self {
            ScalarType::F32 => "float",
            ScalarType::F64 => "double",
            ScalarType::I32 => "int",
            ScalarType::Bool => "bool",
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `f16` for two alike, else `i8 and u8`.
pub(crate) fn pair([a, b]: [Element; 2]) -> String {
    if a == b { a.to_string() } else { format!("{a} and {b}") }
}
