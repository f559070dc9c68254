//! Device functions that an emitted text defines: one `.cuh` file each, with a part for f64 where floats
//! of both widths have it, and one for results that are stored in 16 bits where that is faster.

use crate::spec::BinaryOp;
use crate::text::select;

/// A `__device__` function in a file of its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DeviceFunction {
    /// Name of the function.
    pub(crate) name: &'static str,
    file: &'static str,
    is_f64: bool,
    /// What it calls.
    pub(crate) calls: &'static [&'static DeviceFunction],
}

impl DeviceFunction {
    /// The whole text: a comment and the function. Where `halves`, all that it is for is stored in 16
    /// bits at most, so that the approximations of the hardware are exact enough.
    pub(crate) fn text(&self, halves: bool) -> String {
        select(self.file, &[("F64", self.is_f64), ("HALVES", halves && !self.is_f64)])
    }
}

macro_rules! device_functions {
    (
        {$($variant:ident = $name:literal, calls [$($callee:ident),*];)*}
        floats {$(
            $single:ident, $double:ident = $float:literal,
            calls [$($single_callee:ident, $double_callee:ident)?];
        )*}
    ) => {
        $(device_functions!($variant = $name, $name, false, [$($callee),*]);)*
        $(
            device_functions!($single = $float, $float, false, [$($single_callee)?]);
            device_functions!($double = concat!($float, "_f64"), $float, true, [$($double_callee)?]);
        )*

        /// Every function; what one calls comes before it.
        pub(crate) static DEVICE_FUNCTIONS: &[&DeviceFunction] = &[$(&$variant,)* $(&$single,)* $(&$double,)*];
    };
    ($variant:ident = $name:expr, $file:literal, $is_f64:literal, [$($callee:ident),*]) => {
        #[doc = concat!("`", $name, "`")]
        pub(crate) static $variant: DeviceFunction = DeviceFunction {
            name: $name,
            file: include_str!(concat!("functions/", $file, ".cuh")),
            is_f64: $is_f64,
            calls: &[$(&$callee),*],
        };
    };
}

device_functions! {
    {
        WRAPPING_ADD = "wrapping_add", calls [];
        WRAPPING_SUB = "wrapping_sub", calls [];
        WRAPPING_MUL = "wrapping_mul", calls [];
        WRAPPING_NEG = "wrapping_neg", calls [];
        WRAPPING_DIV = "wrapping_div", calls [WRAPPING_NEG];
        WRAPPING_REM = "wrapping_rem", calls [];
        WRAPPING_ABS = "wrapping_abs", calls [WRAPPING_NEG];
        TRUNCATED_F64 = "truncated_f64", calls [];
    }
    floats {
        CLAMP, CLAMP_F64 = "clamp", calls [];
        SIGNUM, SIGNUM_F64 = "signum", calls [];
        POWI, POWI_F64 = "powi", calls [];
        RELU, RELU_F64 = "relu", calls [];
        SIGMOID, SIGMOID_F64 = "sigmoid", calls [];
        SOFTPLUS, SOFTPLUS_F64 = "softplus", calls [];
        HARDSIGMOID, HARDSIGMOID_F64 = "hardsigmoid", calls [CLAMP, CLAMP_F64];
        GELU, GELU_F64 = "gelu", calls [];
        TIMES_SIGMOID, TIMES_SIGMOID_F64 = "times_sigmoid", calls [];
        GELU_TANH, GELU_TANH_F64 = "gelu_tanh", calls [TIMES_SIGMOID, TIMES_SIGMOID_F64];
        SILU, SILU_F64 = "silu", calls [TIMES_SIGMOID, TIMES_SIGMOID_F64];
        HARDSWISH, HARDSWISH_F64 = "hardswish", calls [HARDSIGMOID, HARDSIGMOID_F64];
        MISH, MISH_F64 = "mish", calls [];
        LEAKY_RELU, LEAKY_RELU_F64 = "leaky_relu", calls [];
        ELU, ELU_F64 = "elu", calls [];
    }
}

/// The functions for which `used` holds and all that they call, callees first.
pub(crate) fn closure(used: impl Fn(&DeviceFunction) -> bool) -> Vec<&'static DeviceFunction> {
    let mut needed: Vec<&DeviceFunction> =
        DEVICE_FUNCTIONS.iter().copied().filter(|f| used(f)).collect();
    let mut next = 0;
    while let Some(function) = needed.get(next) {
        for callee in function.calls {
            if !needed.contains(callee) {
                needed.push(callee);
            }
        }
        next += 1;
    }
    DEVICE_FUNCTIONS.iter().copied().filter(|f| needed.contains(f)).collect()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_before_their_callers() {
        for (i, function) in DEVICE_FUNCTIONS.iter().enumerate() {
            for callee in function.calls {
                assert!(DEVICE_FUNCTIONS[..i].contains(callee), "{}", function.name);
            }
        }
    }

    #[test]
    fn a_function_calls_what_it_says() {
        for function in DEVICE_FUNCTIONS {
            for other in DEVICE_FUNCTIONS {
                let calls =
                    function.text(false).lines().filter(|line| !line.starts_with("//")).any(
                        |line| {
                            line.match_indices(&format!("{}(", other.name)).any(|(at, _)| {
                                !line[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric())
                            })
                        },
                    );
                let itself = other.name == function.name;
                assert_eq!(calls, itself || function.calls.contains(other), "{}", function.name);
            }
        }
    }

    #[test]
    fn texts_are_one_narrow_ascii_function() {
        let of_both = |function: &&DeviceFunction| {
            [false, true].map(|halves| (function.name, function.text(halves)))
        };
        for (name, text) in DEVICE_FUNCTIONS.iter().flat_map(of_both) {
            assert!(text.is_ascii() && text.ends_with("}\n"), "{name}");
            assert!(text.starts_with("//"), "{name} says what it computes");
            assert!(text.lines().all(|line| line.len() <= 100), "{name}");
            assert_eq!(text.matches("__device__").count(), 1, "{name}");
        }
    }

    #[test]
    fn a_closure_is_ordered_and_minimal() {
        let names: Vec<&str> =
            closure(|f| f.name == "silu" || f.name == "gelu").iter().map(|f| f.name).collect();
        assert_eq!(names, ["gelu", "times_sigmoid", "silu"]);
        assert!(closure(|_| false).is_empty());
    }
}
