//! The functions of a body: one table that name resolution, emission, help texts and the manual
//! read.
//!
//! Each has a twin on the host: a free function is `gemm_runtime::body::NAME`, a method is the
//! standard library's.

use crate::element::ScalarType::{self, F32, F64, I32};

use super::device_function::{self, DeviceFunction};

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

macro_rules! functions {
    ($($syntax:ident $name:ident $parameters:tt = $device:ident[$($of:ident: $text:expr),+],
        $meaning:literal;)*) => {
        /// Every function, in the order in which the manual lists them: of each name one for each
        /// type that `T` stands for, which is also its result.
        pub(crate) const FUNCTIONS: &[Function] = &[$($({
            const T: ScalarType = $of;
            Function {
                name: stringify!($name),
                syntax: Syntax::$syntax,
                parameters: parameters!($parameters),
                result: T,
                device: Device::$device($text),
                meaning: $meaning,
            }
        },)+)*];
    };
}

functions! {
    Free relu(x: T) = Defined[F32: &device_function::RELU, F64: &device_function::RELU_F64],
        "`x` where it is positive, else 0";
    Free gelu(x: T) = Defined[F32: &device_function::GELU, F64: &device_function::GELU_F64],
        "`x / 2 * (1 + erf(x / sqrt(2)))`";
    Free gelu_tanh(x: T) = Defined[F32: &device_function::GELU_TANH, F64: &device_function::GELU_TANH_F64],
        "`x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`";
    Free silu(x: T) = Defined[F32: &device_function::SILU, F64: &device_function::SILU_F64], "`x * sigmoid(x)`";
    Free sigmoid(x: T) = Defined[F32: &device_function::SIGMOID, F64: &device_function::SIGMOID_F64],
        "`1 / (1 + exp(-x))`";
    Free softplus(x: T) = Defined[F32: &device_function::SOFTPLUS, F64: &device_function::SOFTPLUS_F64],
        "`ln(1 + exp(x))`";
    Free hardswish(x: T) = Defined[F32: &device_function::HARDSWISH, F64: &device_function::HARDSWISH_F64],
        "`x * hardsigmoid(x)`";
    Free hardsigmoid(x: T) = Defined[F32: &device_function::HARDSIGMOID, F64: &device_function::HARDSIGMOID_F64],
        "`(x + 3) / 6` inside 0..=1";
    Free mish(x: T) = Defined[F32: &device_function::MISH, F64: &device_function::MISH_F64],
        "`x * tanh(softplus(x))`";
    Free leaky_relu(x: T, slope: T) =
        Defined[F32: &device_function::LEAKY_RELU, F64: &device_function::LEAKY_RELU_F64],
        "`x` where it is positive, else `slope * x`";
    Free elu(x: T, alpha: T) = Defined[F32: &device_function::ELU, F64: &device_function::ELU_F64],
        "`x` where it is positive, else `alpha * (exp(x) - 1)`";

    Method abs(x: T) = Builtin[F32: "fabsf", F64: "fabs"], "`x` without its sign";
    Method max(x: T, y: T) = Builtin[F32: "fmaxf", F64: "fmax"],
        "the greater; NaN only if both are";
    Method min(x: T, y: T) = Builtin[F32: "fminf", F64: "fmin"], "the lesser; NaN only if both are";
    Method clamp(x: T, lo: T, hi: T) = Defined[F32: &device_function::CLAMP, F64: &device_function::CLAMP_F64],
        "`x` inside `lo..=hi`; NaN stays NaN";
    Method mul_add(x: T, a: T, b: T) = Builtin[F32: "fmaf", F64: "fma"],
        "`x * a + b`, rounded once";
    Method recip(x: T) = Builtin[F32: "__frcp_rn", F64: "__drcp_rn"], "`1 / x`";
    Method sqrt(x: T) = Builtin[F32: "sqrtf", F64: "sqrt"], "square root";
    Method exp(x: T) = Builtin[F32: "expf", F64: "exp"], "`e^x`";
    Method exp2(x: T) = Builtin[F32: "exp2f", F64: "exp2"], "`2^x`";
    Method ln(x: T) = Builtin[F32: "logf", F64: "log"], "logarithm to base e";
    Method log2(x: T) = Builtin[F32: "log2f", F64: "log2"], "logarithm to base 2";
    Method powi(x: T, n: I32) = Defined[F32: &device_function::POWI, F64: &device_function::POWI_F64],
        "`x^n` by multiplications";
    Method powf(x: T, y: T) = Builtin[F32: "powf", F64: "pow"], "`x^y`";
    Method tanh(x: T) = Builtin[F32: "tanhf", F64: "tanh"], "hyperbolic tangent";
    Method sin(x: T) = Builtin[F32: "sinf", F64: "sin"], "sine of radians";
    Method cos(x: T) = Builtin[F32: "cosf", F64: "cos"], "cosine of radians";
    Method floor(x: T) = Builtin[F32: "floorf", F64: "floor"], "the integer at or below";
    Method ceil(x: T) = Builtin[F32: "ceilf", F64: "ceil"], "the integer at or above";
    Method round(x: T) = Builtin[F32: "roundf", F64: "round"],
        "the nearest integer, halves away from 0";
    Method trunc(x: T) = Builtin[F32: "truncf", F64: "trunc"], "the integer towards 0";
    Method signum(x: T) = Defined[F32: &device_function::SIGNUM, F64: &device_function::SIGNUM_F64],
        "1 or -1 with the sign of `x`, also of a zero; NaN stays NaN";

    Method abs(x: T) = Defined[I32: &device_function::WRAPPING_ABS], "`x` without its sign";
    Method max(x: T, y: T) = Builtin[I32: "max"], "the greater";
    Method min(x: T, y: T) = Builtin[I32: "min"], "the lesser";
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
mod tests {
    use super::*;

    #[test]
    fn no_function_is_defined_twice() {
        for (i, f) in FUNCTIONS.iter().enumerate() {
            for g in &FUNCTIONS[i + 1..] {
                let same = f.name == g.name && f.syntax == g.syntax;
                assert!(!same || f.own() != g.own(), "{}", f.signature());
            }
            assert_eq!(f.parameters[0].1, f.own(), "{}", f.signature());
        }
    }

    #[test]
    fn both_floats_have_the_same_functions() {
        let of = |ty| {
            let functions = FUNCTIONS.iter().filter(move |f| f.own() == ty);
            functions.map(|f| (f.name, f.syntax, f.parameters.len())).collect::<Vec<_>>()
        };
        assert_eq!(of(F32), of(F64));
    }

    #[test]
    fn a_defined_function_has_the_signature_of_its_device_function() {
        for function in FUNCTIONS {
            let Device::Defined(defined) = function.device else { continue };
            let parameters: Vec<String> = function
                .parameters
                .iter()
                .map(|(name, ty)| format!("const {} {name}", ty.cuda()))
                .collect();
            let head = format!(
                "__device__ __forceinline__ {} {}({}) {{",
                function.result.cuda(),
                defined.name,
                parameters.join(", ")
            );
            for text in [false, true].map(|halves| defined.text(halves)) {
                assert!(text.contains(&head), "{} has no `{head}`", defined.name);
            }
        }
    }

    #[test]
    fn signatures_read_like_rust() {
        let of = |name| FUNCTIONS.iter().find(|f| f.name == name).unwrap().signature();
        assert_eq!(of("leaky_relu"), "leaky_relu(x: f32, slope: f32) -> f32");
        assert_eq!(of("powi"), "f32::powi(x: f32, n: i32) -> f32");
    }

    #[test]
    fn the_table_has_a_row_for_each_function() {
        assert_eq!(function_table().lines().count(), 2 + FUNCTIONS.len());
    }
}
