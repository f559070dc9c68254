//! The functions of a body: one table that name resolution, emission, help texts and the manual
//! read.
//!
//! Each has a twin on the host: a free function is `gemm_runtime::body::NAME`, a method is the
//! standard library's.

use crate::element::ScalarType::{self, F32, F64, I32};

use super::coordinate::Coordinate;
use super::device_function::{DeviceFunction, HELPERS, device_function};
use super::reduction::Reduction;
use super::unscale;

/// How a function is written in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `gelu(x)`
    Free,
    /// `x.sqrt()`: the first parameter is the receiver.
    Method,
}

/// What computes a function on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// A function that NVRTC knows without a header.
    Builtin(&'static str),
    /// A function that the emitted text defines.
    Defined(&'static DeviceFunction),
}

/// A function or method that a body can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name in a body.
    pub(crate) name: &'static str,
    /// How it is written.
    pub(crate) syntax: Syntax,
    /// Names and types of its parameters; the receiver of a method comes first.
    pub(crate) parameters: &'static [(&'static str, ScalarType)],
    /// Its type.
    pub(crate) result: ScalarType,
    /// Its device text.
    pub(crate) device: Device,
    /// About how many instructions it takes: as counted in machine code for sm_90 where the results are
    /// stored in 16 bits, rounded.
    pub(crate) instructions: u32,
    /// What it computes, for the manual.
    pub(crate) meaning: &'static str,
}

impl Function {
    /// Its name in the emitted text.
    pub(crate) fn cuda(&self) -> &'static str {
        match self.device {
            Device::Builtin(name) => name,
            Device::Defined(defined) => defined.name,
        }
    }

    /// The type that it is of: that of its first parameter, and its result's.
    pub(crate) fn own(&self) -> ScalarType {
        self.result
    }

    /// Parameters without the receiver.
    pub(crate) fn arguments(&self) -> &'static [(&'static str, ScalarType)] {
        match self.syntax {
            Syntax::Free => self.parameters,
            Syntax::Method => self.parameters.get(1..).unwrap_or_default(),
        }
    }

    /// How it is written, with types: `leaky_relu(x: f32, slope: f32) -> f32`.
    pub(crate) fn signature(&self) -> String {
        let mut text = String::new();
        if let (Syntax::Method, Some((_, ty))) = (self.syntax, self.parameters.first()) {
            text = format!("{ty}::");
        }
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        text + &format!("{}({}) -> {}", self.name, parameters.join(", "), self.result)
    }
}

/// Parameters with their types; `T` may be one of these.
macro_rules! parameters {
    (($($parameter:ident: $ty:ident),*)) => {
        &[$((stringify!($parameter), $ty)),*]
    };
}

macro_rules! device {
    (Builtin $name:literal, $of:ident) => {
        Device::Builtin($name)
    };
    (Defined $name:ident, $of:ident) => {
        Device::Defined(&device_function!($name, $of))
    };
}

macro_rules! functions {
    ($($syntax:ident $name:ident $parameters:tt = $device:ident[$($of:ident: $text:tt),+],
        $instructions:literal, $meaning:literal;)*) => {
        /// Every function, in the order in which the manual lists them: of each name one for each
        /// type that `T` stands for, which is also its result.
        pub(crate) const FUNCTIONS: &[Function] = &[$($({
            const T: ScalarType = $of;
            Function {
                name: stringify!($name),
                syntax: Syntax::$syntax,
                parameters: parameters!($parameters),
                result: T,
                device: device!($device $text, $of),
                instructions: $instructions,
                meaning: $meaning,
            }
        },)+)*];
    };
}

functions! {
    Free relu(x: T) = Defined[F32: relu, F64: relu], 2, "`x` where it is positive, else 0";
    Free gelu(x: T) = Defined[F32: gelu, F64: gelu], 14, "`x / 2 * (1 + erf(x / sqrt(2)))`";
    Free gelu_tanh(x: T) = Defined[F32: gelu_tanh, F64: gelu_tanh], 14,
        "`x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`";
    Free silu(x: T) = Defined[F32: silu, F64: silu], 8, "`x * sigmoid(x)`";
    Free sigmoid(x: T) = Defined[F32: sigmoid, F64: sigmoid], 8, "`1 / (1 + exp(-x))`";
    Free softplus(x: T) = Defined[F32: softplus, F64: softplus], 20, "`ln(1 + exp(x))`";
    Free hardswish(x: T) = Defined[F32: hardswish, F64: hardswish], 2, "`x * hardsigmoid(x)`";
    Free hardsigmoid(x: T) = Defined[F32: hardsigmoid, F64: hardsigmoid], 2,
        "`(x + 3) / 6` inside 0..=1";
    Free mish(x: T) = Defined[F32: mish, F64: mish], 24, "`x * tanh(softplus(x))`";
    Free leaky_relu(x: T, slope: T) = Defined[F32: leaky_relu, F64: leaky_relu], 2,
        "`x` where it is positive, else `slope * x`";
    Free elu(x: T, alpha: T) = Defined[F32: elu, F64: elu], 14,
        "`x` where it is positive, else `alpha * (exp(x) - 1)`";

    Method abs(x: T) = Builtin[F32: "fabsf", F64: "fabs"], 2, "`x` without its sign";
    Method max(x: T, y: T) = Builtin[F32: "fmaxf", F64: "fmax"], 2,
        "the greater; NaN only if both are";
    Method min(x: T, y: T) = Builtin[F32: "fminf", F64: "fmin"], 2,
        "the lesser; NaN only if both are";
    Method clamp(x: T, lo: T, hi: T) = Defined[F32: clamp, F64: clamp], 2,
        "`x` inside `lo..=hi`; NaN stays NaN";
    Method mul_add(x: T, a: T, b: T) = Builtin[F32: "fmaf", F64: "fma"], 2,
        "`x * a + b`, rounded once";
    Method recip(x: T) = Builtin[F32: "__frcp_rn", F64: "__drcp_rn"], 8, "`1 / x`";
    Method sqrt(x: T) = Builtin[F32: "sqrtf", F64: "sqrt"], 8, "square root";
    Method exp(x: T) = Builtin[F32: "expf", F64: "exp"], 8, "`e^x`";
    Method exp2(x: T) = Builtin[F32: "exp2f", F64: "exp2"], 8, "`2^x`";
    Method ln(x: T) = Builtin[F32: "logf", F64: "log"], 8, "logarithm to base e";
    Method log2(x: T) = Builtin[F32: "log2f", F64: "log2"], 8, "logarithm to base 2";
    Method powi(x: T, n: I32) = Defined[F32: powi, F64: powi], 10, "`x^n` by multiplications";
    Method powf(x: T, y: T) = Builtin[F32: "powf", F64: "pow"], 40, "`x^y`";
    Method tanh(x: T) = Builtin[F32: "tanhf", F64: "tanh"], 20, "hyperbolic tangent";
    Method sin(x: T) = Builtin[F32: "sinf", F64: "sin"], 20, "sine of radians";
    Method cos(x: T) = Builtin[F32: "cosf", F64: "cos"], 20, "cosine of radians";
    Method floor(x: T) = Builtin[F32: "floorf", F64: "floor"], 2, "the integer at or below";
    Method ceil(x: T) = Builtin[F32: "ceilf", F64: "ceil"], 2, "the integer at or above";
    Method round(x: T) = Builtin[F32: "roundf", F64: "round"], 2,
        "the nearest integer, halves away from 0";
    Method trunc(x: T) = Builtin[F32: "truncf", F64: "trunc"], 2, "the integer towards 0";
    Method signum(x: T) = Defined[F32: signum, F64: signum], 2,
        "1 or -1 with the sign of `x`, also of a zero; NaN stays NaN";

    Method abs(x: T) = Defined[I32: wrapping_abs], 2, "`x` without its sign";
    Method max(x: T, y: T) = Builtin[I32: "max"], 2, "the greater";
    Method min(x: T, y: T) = Builtin[I32: "min"], 2, "the lesser";
}

/// The free function of this name on values of type `of`.
pub(crate) fn free(name: &str, of: ScalarType) -> Option<&'static Function> {
    frees(name).find(|f| f.own() == of)
}

/// The free functions of this name, one for each type that has it.
pub(crate) fn frees(name: &str) -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(move |f| f.syntax == Syntax::Free && f.name == name)
}

/// The methods of this name, one for each type that has it.
pub(crate) fn methods(name: &str) -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(move |f| f.syntax == Syntax::Method && f.name == name)
}

/// The method of this name on values of type `receiver`.
pub(crate) fn method(name: &str, receiver: ScalarType) -> Option<&'static Function> {
    methods(name).find(|f| f.own() == receiver)
}

/// Whether a body can call a function of this name without one of the user's own.
pub fn is_of_language(name: &str) -> bool {
    name == "matmul"
        || Coordinate::from_name(name).is_some()
        || Reduction::from_name(name).is_some()
        || frees(name).next().is_some()
}

/// Names of the free functions, which all floats have.
pub(crate) fn free_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().filter(|f| f.syntax == Syntax::Free && f.own() == F32).map(|f| f.name)
}

/// Names of the methods on values of type `receiver`.
pub(crate) fn method_names(receiver: ScalarType) -> impl Iterator<Item = &'static str> {
    FUNCTIONS
        .iter()
        .filter(move |f| f.syntax == Syntax::Method && f.own() == receiver)
        .map(|f| f.name)
}

/// Every function that a text may define: of methods, of operators, of free functions.
pub(crate) fn device_functions() -> impl Iterator<Item = &'static DeviceFunction> {
    let defined = |syntax| {
        FUNCTIONS.iter().filter(move |f| f.syntax == syntax).filter_map(|f| match f.device {
            Device::Defined(defined) => Some(defined),
            Device::Builtin(_) => None,
        })
    };
    let helpers = HELPERS.iter().chain([&unscale::TEXT]);
    defined(Syntax::Method).chain(helpers).chain(defined(Syntax::Free))
}

/// The functions for which `used` holds and all that they call, callees first.
pub(crate) fn closure(used: impl Fn(&DeviceFunction) -> bool) -> Vec<&'static DeviceFunction> {
    fn add(function: &'static DeviceFunction, needed: &mut Vec<&'static DeviceFunction>) {
        if !needed.contains(&function) {
            device_functions().filter(|other| function.calls(other)).for_each(|f| add(f, needed));
            needed.push(function);
        }
    }
    let mut needed = Vec::new();
    device_functions().filter(|f| used(f)).for_each(|f| add(f, &mut needed));
    needed
}

/// The functions of a body as a Markdown table: how one is written, what it computes and what
/// computes it on the device.
pub fn function_table() -> String {
    let mut text = String::from("| in a body | computes | on the device |\n| --- | --- | --- |\n");
    for function in FUNCTIONS {
        let device = match function.device {
            Device::Builtin(name) => format!("CUDA's `{name}`"),
            Device::Defined(defined) => format!("`{}`, in the emitted text", defined.name),
        };
        text += &format!("| `{}` | {} | {device} |\n", function.signature(), function.meaning);
    }
    text
}

#[cfg(test)]
mod tests;
