//! Element and scalar types: what a matrix holds, what a body computes with.

use std::fmt;

/// The type of the elements of a matrix or vector in device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: the upper half of a binary32.
    Bf16,
    /// IEEE 754 binary32.
    F32,
}

impl Element {
    /// Every element type, in the order in which messages list them.
    pub const ALL: [Element; 3] = [Element::F16, Element::Bf16, Element::F32];

    /// The Rust name, which is also the name in the emitted text.
    pub const fn name(self) -> &'static str {
        match self {
            Element::F16 => "f16",
            Element::Bf16 => "bf16",
            Element::F32 => "f32",
        }
    }

    /// Size of one element in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Element::F16 | Element::Bf16 => 2,
            Element::F32 => 4,
        }
    }

    /// The type's definition and conversions in the emitted text.
    pub(crate) const fn cuda(self) -> &'static str {
        match self {
            Element::F16 => include_str!("ptx/element_f16.cuh"),
            Element::Bf16 => include_str!("ptx/element_bf16.cuh"),
            Element::F32 => include_str!("ptx/element_f32.cuh"),
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
    /// 32-bit float: the type of the accumulator and of every operand inside a body.
    F32,
    /// 32-bit signed integer.
    I32,
    /// Truth value; a value inside a body only, never a parameter.
    Bool,
}

impl ScalarType {
    /// The Rust name.
    pub const fn name(self) -> &'static str {
        match self {
            ScalarType::F32 => "f32",
            ScalarType::I32 => "i32",
            ScalarType::Bool => "bool",
        }
    }

    /// The CUDA C++ name.
    pub const fn cuda(self) -> &'static str {
        match self {
            ScalarType::F32 => "float",
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
