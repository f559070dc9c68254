//! The functions of a body: one table that name resolution, emission, help texts and the manual
//! read.
//!
//! Each has a twin on the host: a free function is `gemm_runtime::body::NAME`, a method is the
//! standard library's.

use crate::element::ScalarType::{self, F32, I32};

use super::fragment::{self, Fragment};

/// How a function is written in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
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
    Defined(&'static Fragment),
}

/// A function or method that a body can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name in a body.
    pub(crate) name: &'static str,
    /// How it is written.
    pub(crate) form: Form,
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
            Device::Defined(fragment) => fragment.name,
        }
    }

    /// Parameters without the receiver.
    pub(crate) fn arguments(&self) -> &'static [(&'static str, ScalarType)] {
        match self.form {
            Form::Free => self.parameters,
            Form::Method => self.parameters.get(1..).unwrap_or_default(),
        }
    }

    /// How it is written, with types: `leaky_relu(x: f32, slope: f32) -> f32`.
    pub(crate) fn signature(&self) -> String {
        let mut text = String::new();
        if let (Form::Method, Some((_, ty))) = (self.form, self.parameters.first()) {
            text = format!("{ty}::");
        }
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        text + &format!("{}({}) -> {}", self.name, parameters.join(", "), self.result)
    }
}

macro_rules! functions {
    ($($form:ident $name:ident($($parameter:ident: $ty:ident),*) -> $result:ident =
        $device:ident($text:expr), $meaning:literal;)*) => {
        /// Every function, in the order in which the manual lists them.
        pub(crate) const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            form: Form::$form,
            parameters: &[$((stringify!($parameter), $ty)),*],
            result: $result,
            device: Device::$device($text),
            meaning: $meaning,
        },)*];
    };
}

functions! {
    Free relu(x: F32) -> F32 = Defined(&fragment::RELU), "`x` where it is positive, else 0";
    Free gelu(x: F32) -> F32 = Defined(&fragment::GELU), "`x / 2 * (1 + erf(x / sqrt(2)))`";
    Free gelu_tanh(x: F32) -> F32 = Defined(&fragment::GELU_TANH),
        "`x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`";
    Free silu(x: F32) -> F32 = Defined(&fragment::SILU), "`x * sigmoid(x)`";
    Free sigmoid(x: F32) -> F32 = Defined(&fragment::SIGMOID), "`1 / (1 + exp(-x))`";
    Free softplus(x: F32) -> F32 = Defined(&fragment::SOFTPLUS), "`ln(1 + exp(x))`";
    Free hardswish(x: F32) -> F32 = Defined(&fragment::HARDSWISH), "`x * hardsigmoid(x)`";
    Free hardsigmoid(x: F32) -> F32 = Defined(&fragment::HARDSIGMOID), "`(x + 3) / 6` inside 0..=1";
    Free mish(x: F32) -> F32 = Defined(&fragment::MISH), "`x * tanh(softplus(x))`";
    Free leaky_relu(x: F32, slope: F32) -> F32 = Defined(&fragment::LEAKY_RELU),
        "`x` where it is positive, else `slope * x`";
    Free elu(x: F32, alpha: F32) -> F32 = Defined(&fragment::ELU),
        "`x` where it is positive, else `alpha * (exp(x) - 1)`";

    Method abs(x: F32) -> F32 = Builtin("fabsf"), "`x` without its sign";
    Method max(x: F32, y: F32) -> F32 = Builtin("fmaxf"), "the greater; NaN only if both are";
    Method min(x: F32, y: F32) -> F32 = Builtin("fminf"), "the lesser; NaN only if both are";
    Method clamp(x: F32, lo: F32, hi: F32) -> F32 = Defined(&fragment::CLAMP),
        "`x` inside `lo..=hi`; NaN stays NaN";
    Method mul_add(x: F32, a: F32, b: F32) -> F32 = Builtin("fmaf"), "`x * a + b`, rounded once";
    Method recip(x: F32) -> F32 = Builtin("__frcp_rn"), "`1 / x`";
    Method sqrt(x: F32) -> F32 = Builtin("sqrtf"), "square root";
    Method exp(x: F32) -> F32 = Builtin("expf"), "`e^x`";
    Method exp2(x: F32) -> F32 = Builtin("exp2f"), "`2^x`";
    Method ln(x: F32) -> F32 = Builtin("logf"), "logarithm to base e";
    Method log2(x: F32) -> F32 = Builtin("log2f"), "logarithm to base 2";
    Method powi(x: F32, n: I32) -> F32 = Defined(&fragment::POWI), "`x^n` by multiplications";
    Method powf(x: F32, y: F32) -> F32 = Builtin("powf"), "`x^y`";
    Method tanh(x: F32) -> F32 = Builtin("tanhf"), "hyperbolic tangent";
    Method sin(x: F32) -> F32 = Builtin("sinf"), "sine of radians";
    Method cos(x: F32) -> F32 = Builtin("cosf"), "cosine of radians";
    Method floor(x: F32) -> F32 = Builtin("floorf"), "the integer at or below";
    Method ceil(x: F32) -> F32 = Builtin("ceilf"), "the integer at or above";
    Method round(x: F32) -> F32 = Builtin("roundf"), "the nearest integer, halves away from 0";
    Method trunc(x: F32) -> F32 = Builtin("truncf"), "the integer towards 0";
    Method signum(x: F32) -> F32 = Defined(&fragment::SIGNUM),
        "1 or -1 with the sign of `x`, also of a zero; NaN stays NaN";

    Method abs(x: I32) -> I32 = Defined(&fragment::WRAPPING_ABS), "`x` without its sign";
    Method max(x: I32, y: I32) -> I32 = Builtin("max"), "the greater";
    Method min(x: I32, y: I32) -> I32 = Builtin("min"), "the lesser";
}

/// The free function of this name.
pub(crate) fn free(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.form == Form::Free && f.name == name)
}

/// The methods of this name, one for each type that has it.
pub(crate) fn methods(name: &str) -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().filter(move |f| f.form == Form::Method && f.name == name)
}

/// The method of this name on values of type `receiver`.
pub(crate) fn method(name: &str, receiver: ScalarType) -> Option<&'static Function> {
    methods(name).find(|f| f.parameters.first().is_some_and(|(_, ty)| *ty == receiver))
}

/// Names of the free functions.
pub(crate) fn free_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().filter(|f| f.form == Form::Free).map(|f| f.name)
}

/// Names of the methods on values of type `receiver`.
pub(crate) fn method_names(receiver: ScalarType) -> impl Iterator<Item = &'static str> {
    FUNCTIONS
        .iter()
        .filter(move |f| {
            f.form == Form::Method && f.parameters.first().map(|p| p.1) == Some(receiver)
        })
        .map(|f| f.name)
}

/// The functions of a body as a Markdown table: how one is written, what it computes and what
/// computes it on the device.
pub fn function_table() -> String {
    let mut text = String::from("| in a body | computes | on the device |\n| --- | --- | --- |\n");
    for function in FUNCTIONS {
        let device = match function.device {
            Device::Builtin(name) => format!("CUDA's `{name}`"),
            Device::Defined(fragment) => format!("`{}`, in the emitted text", fragment.name),
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
                let same = f.name == g.name && f.form == g.form;
                assert!(!same || f.parameters[0].1 != g.parameters[0].1, "{}", f.signature());
            }
        }
    }

    #[test]
    fn a_defined_function_takes_and_gives_what_its_fragment_does() {
        for function in FUNCTIONS {
            let Device::Defined(fragment) = function.device else { continue };
            let parameters: Vec<String> = function
                .parameters
                .iter()
                .map(|(name, ty)| format!("const {} {name}", ty.cuda()))
                .collect();
            let head = format!(
                "__device__ __forceinline__ {} {}({}) {{",
                function.result.cuda(),
                fragment.name,
                parameters.join(", ")
            );
            assert!(fragment.text.contains(&head), "{} has no `{head}`", fragment.name);
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
