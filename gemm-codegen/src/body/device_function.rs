//! Device functions that an emitted text defines: one `.cuh` file each, with a part for f64 where floats
//! of both widths have it, and one for results that are stored in 16 bits where that is faster.

use crate::spec::BinaryOp;
use crate::text::select;

/// A `__device__` function in a file of its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DeviceFunction {
    /// Name of the function.
    pub(crate) name: &'static str,
    pub(super) file: &'static str,
    pub(super) is_f64: bool,
}

impl DeviceFunction {
    /// The whole text: a comment and the function. Where `halves`, all that it is for is stored in 16
    /// bits at most, so that the approximations of the hardware are exact enough.
    pub(crate) fn text(&self, halves: bool) -> String {
        select(self.file, &[("F64", self.is_f64), ("HALVES", halves && !self.is_f64)])
    }

    /// Whether its text calls another.
    pub(super) fn calls(&self, other: &DeviceFunction) -> bool {
        let call = format!("{}(", other.name);
        let within = |c: char| c == '_' || c.is_alphanumeric();
        let is_called =
            |line: &str| line.match_indices(&call).any(|(at, _)| !line[..at].ends_with(within));
        let text = self.text(false);
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        self.name != other.name && code.any(is_called)
    }
}

/// The device function of a file, for values of a type.
macro_rules! device_function {
    ($name:ident, F64) => {
        device_function!(concat!(stringify!($name), "_f64"), stringify!($name), true)
    };
    ($name:ident, $of:ident) => {
        device_function!(stringify!($name), stringify!($name), false)
    };
    ($name:expr, $file:expr, $is_f64:literal) => {
        DeviceFunction {
            name: $name,
            file: include_str!(concat!("functions/", $file, ".cuh")),
            is_f64: $is_f64,
        }
    };
}

pub(super) use device_function;

/// Functions that no body names: those of operators, and what others call.
pub(super) static HELPERS: &[DeviceFunction] = &[
    device_function!(wrapping_add, I32),
    device_function!(wrapping_sub, I32),
    device_function!(wrapping_mul, I32),
    device_function!(wrapping_neg, I32),
    device_function!(wrapping_div, I32),
    device_function!(wrapping_rem, I32),
    device_function!(truncated_f64, I32),
    device_function!(times_sigmoid, F32),
    device_function!(times_sigmoid, F64),
];

/// The function that computes an i32 operator modulo 2^32.
pub(crate) fn wrapping(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Add => Some("wrapping_add"),
        BinaryOp::Sub => Some("wrapping_sub"),
        BinaryOp::Mul => Some("wrapping_mul"),
        BinaryOp::Div => Some("wrapping_div"),
        BinaryOp::Rem => Some("wrapping_rem"),
        _ => None,
    }
}
