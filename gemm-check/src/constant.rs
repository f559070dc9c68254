//! [`Constant`]: a scalar whose value is not drawn.

use std::fmt;

use serde::Serialize;

/// The value of a scalar that is not random: of a constant that a body names, or of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Constant {
    /// Its name, that of the operand.
    pub name: String,
    /// The type of the scalar: `f32`, `f64` or `i32`.
    pub ty: &'static str,
    /// Its value, which is exact in that type.
    pub value: f64,
    /// Where the value is from: `src/layers.rs:12`, `--constant`, or [`PARAMETER`](Self::PARAMETER).
    pub from: String,
}

impl Constant {
    /// Where the value of a parameter is from.
    pub const PARAMETER: &str = "--scalar";

    /// What it is to a reader: a constant or a scalar.
    pub fn what(&self) -> &'static str {
        if self.from == Constant::PARAMETER { "scalar" } else { "constant" }
    }
}

impl fmt::Display for Constant {
    /// `f32 = 0.1`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            // The fewest digits that are this f32.
            "f32" => write!(f, "f32 = {}", self.value as f32),
            ty => write!(f, "{ty} = {}", self.value),
        }
    }
}
