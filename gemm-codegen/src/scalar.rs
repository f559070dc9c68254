//! The types with which a body computes.

use std::fmt;

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
    /// Bytes of a value in memory; a bool has none there.
    pub(crate) const fn bytes(self) -> u32 {
        match self {
            ScalarType::F64 => 8,
            ScalarType::F32 | ScalarType::I32 | ScalarType::Bool => 4,
        }
    }

    /// The type of a sum of products of such values: integers are converted to floats that they are multiplied by.
    pub(crate) const fn times(self, other: ScalarType) -> ScalarType {
        match (self, other) {
            (ScalarType::I32, float) if float.is_float() => float,
            _ => self,
        }
    }

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
