//! [`Reduction`]: how the values of a body along one index become one value.

use super::evaluate::Value;
use crate::element::ScalarType::{self, F64, I32};
use crate::spec::{Node, NodeId};

/// A function of the values along the index that an output lacks. It is associative but for the
/// rounding of `sum`, so that parts are reduced first, in a fixed order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// `sum(x)`: of nothing 0. Integers wrap.
    Sum,
    /// `max(x)`: as [`f32::max`], which skips NaN; of nothing minus infinity, or the least integer.
    Max,
    /// `min(x)`: as [`f32::min`], which skips NaN; of nothing infinity, or the largest integer.
    Min,
    /// `abs_max(x)`: the largest magnitude; it skips NaN, of nothing it is 0.
    AbsMax,
}

impl Reduction {
    /// All, in the order of the manual.
    pub const ALL: [Reduction; 4] =
        [Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::AbsMax];

    /// The name of the function that a body calls for it.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Sum => "sum",
            Reduction::Max => "max",
            Reduction::Min => "min",
            Reduction::AbsMax => "abs_max",
        }
    }

    /// That of a function of this name.
    pub fn from_name(name: &str) -> Option<Reduction> {
        Reduction::ALL.into_iter().find(|reduction| reduction.name() == name)
    }

    /// The reduction that a node calls, and of what, if it is such a call of one value.
    pub(crate) fn called(node: &Node) -> Option<(Reduction, NodeId)> {
        match node {
            Node::Call { function, arguments } => match arguments[..] {
                [value] => Reduction::from_name(function).map(|reduction| (reduction, value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an index without elements.
    pub(crate) fn cuda_identity(self, ty: ScalarType) -> &'static str {
        match (self, ty) {
            (Reduction::Sum | Reduction::AbsMax, F64) => "0.0",
            (Reduction::Sum | Reduction::AbsMax, I32) => "0",
            (Reduction::Sum | Reduction::AbsMax, _) => "0.0f",
            (Reduction::Max, F64) => "-__longlong_as_double(0x7ff0000000000000)",
            (Reduction::Max, I32) => "int(0x80000000)",
            (Reduction::Max, _) => "-__int_as_float(0x7f800000)",
            (Reduction::Min, F64) => "__longlong_as_double(0x7ff0000000000000)",
            (Reduction::Min, I32) => "0x7fffffff",
            (Reduction::Min, _) => "__int_as_float(0x7f800000)",
        }
    }

    /// What an element contributes.
    pub(crate) fn cuda_element(self, ty: ScalarType, element: &str) -> String {
        match (self, ty) {
            (Reduction::AbsMax, F64) => format!("fabs({element})"),
            // Not max(x, -x): NVRTC 13.0 (ptxas) loses its negative elements in a kernel of warpgroups.
            (Reduction::AbsMax, I32) => {
                format!("{element} < 0 ? int(0u - unsigned({element})) : {element}")
            }
            (Reduction::AbsMax, _) => format!("fabsf({element})"),
            _ => element.to_owned(),
        }
    }

    /// The value of two parts.
    pub(crate) fn cuda_combined(self, ty: ScalarType, [one, other]: [&str; 2]) -> String {
        match (self, ty) {
            (Reduction::Sum, I32) => format!("int(unsigned({one}) + unsigned({other}))"),
            (Reduction::Sum, _) => format!("{one} + {other}"),
            (Reduction::Min, F64) => format!("fmin({one}, {other})"),
            (Reduction::Min, I32) => format!("min({one}, {other})"),
            (Reduction::Min, _) => format!("fminf({one}, {other})"),
            (Reduction::Max | Reduction::AbsMax, F64) => format!("fmax({one}, {other})"),
            (Reduction::Max | Reduction::AbsMax, I32) => format!("max({one}, {other})"),
            (Reduction::Max | Reduction::AbsMax, _) => format!("fmaxf({one}, {other})"),
        }
    }

    /// What values of the type `ty` are reduced to: floats are summed in f64 and rounded once.
    pub fn of(self, ty: ScalarType, values: impl Iterator<Item = Value>) -> Value {
        let integers = |value: Value| if let Value::I32(x) = value { x } else { 0 };
        let singles = |value: Value| if let Value::F32(x) = value { x } else { f32::NAN };
        let doubles = |value: Value| if let Value::F64(x) = value { x } else { f64::NAN };
        match ty {
            I32 => Value::I32(self.of_integers(values.map(integers))),
            F64 => Value::F64(self.of_floats(values.map(doubles))),
            _ => Value::F32(self.of_floats(values.map(singles).map(f64::from)) as f32),
        }
    }

    /// Of these integers.
    pub fn of_integers(self, values: impl Iterator<Item = i32>) -> i32 {
        match self {
            Reduction::Sum => values.fold(0, i32::wrapping_add),
            Reduction::Max => values.fold(i32::MIN, i32::max),
            Reduction::Min => values.fold(i32::MAX, i32::min),
            Reduction::AbsMax => values.map(|x| x.max(x.wrapping_neg())).fold(0, i32::max),
        }
    }

    /// Of these floats.
    pub fn of_floats(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Reduction::Sum => values.fold(0.0, |sum, x| sum + x),
            Reduction::Max => values.fold(f64::NEG_INFINITY, f64::max),
            Reduction::Min => values.fold(f64::INFINITY, f64::min),
            Reduction::AbsMax => values.map(f64::abs).fold(0.0, f64::max),
        }
    }
}
