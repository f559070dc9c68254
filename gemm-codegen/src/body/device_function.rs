//! Device functions that an emitted text defines: a `.cuh` file for each name, with those of f64 beside those of
//! f32, and a file in `halves` where results that are stored in 16 bits have a faster one.

use crate::spec::BinaryOp;

/// A `__device__` function in a file of its own, or beside that of another type.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DeviceFunction {
    /// Name of the function.
    pub(crate) name: &'static str,
    pub(super) file: &'static str,
}

impl DeviceFunction {
    /// The whole text: a comment and the function. Where `halves`, all that it is for is stored in 16
    /// bits at most, so that the approximations of the hardware are exact enough.
    pub(crate) fn text(&self, halves: bool) -> String {
        let of_halves = of_halves(self.name).filter(|_| halves);
        of_halves.map_or_else(|| definition(self.file, self.name), str::to_owned)
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

/// What a file says of the function `name`: its comment and its text, between empty lines.
fn definition(file: &str, name: &str) -> String {
    let call = format!(" {name}(");
    let defines = |text: &&str| {
        text.lines().any(|line| line.starts_with("__device__") && line.contains(&call))
    };
    let text = file.split("\n\n").find(defines).unwrap_or(file);
    format!("{}\n", text.trim_end())
}

/// The text of a function for results that are stored in 16 bits, if there is one.
fn of_halves(name: &str) -> Option<&'static str> {
    match name {
        "gelu" => Some(include_str!("functions/halves/gelu.cuh")),
        "sigmoid" => Some(include_str!("functions/halves/sigmoid.cuh")),
        "times_sigmoid" => Some(include_str!("functions/halves/times_sigmoid.cuh")),
        _ => None,
    }
}

/// The device function of a file, for values of a type.
macro_rules! device_function {
    ($name:ident, F64) => {
        device_function!(concat!(stringify!($name), "_f64"), stringify!($name))
    };
    ($name:ident, $of:ident) => {
        device_function!(stringify!($name), stringify!($name))
    };
    ($name:expr, $file:expr) => {
        DeviceFunction { name: $name, file: include_str!(concat!("functions/", $file, ".cuh")) }
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
