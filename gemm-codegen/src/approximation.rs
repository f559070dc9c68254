//! [`Kernel::approximations`]: the instructions of a kernel whose results PTX bounds and does not determine.

use std::collections::BTreeSet;

use crate::kernel::Kernel;

/// The approximate instructions that a text may name. (PTX ISA, floating point instructions)
const INSTRUCTIONS: [&str; 9] = [
    "cos.approx",
    "div.approx",
    "ex2.approx",
    "lg2.approx",
    "rcp.approx",
    "rsqrt.approx",
    "sin.approx",
    "sqrt.approx",
    "tanh.approx",
];

/// Functions of CUDA that a body calls, with the approximate instructions that NVRTC compiles them to. All others
/// are made of correctly rounded operations. A test compares the table with the PTX of each.
pub const APPROXIMATE_FUNCTIONS: &[(&str, &[&str])] = &[
    ("expf", &["ex2.approx"]),
    ("exp2f", &["ex2.approx"]),
    ("expm1f", &["ex2.approx"]),
    ("tanhf", &["ex2.approx", "rcp.approx"]),
    ("powf", &["rcp.approx"]),
    ("fmodf", &["div.approx", "rcp.approx"]),
    ("__fdividef", &["div.approx"]),
    ("log", &["rcp.approx"]),
    ("log2", &["rcp.approx"]),
    ("log1p", &["rcp.approx"]),
    ("erfc", &["rcp.approx"]),
    ("tanh", &["ex2.approx", "rcp.approx"]),
    ("pow", &["rcp.approx"]),
];

impl Kernel {
    /// The instructions that the text uses whose results PTX bounds and does not determine, such as `ex2.approx`. All
    /// other operations of a kernel are correctly rounded, or sums of tensor cores.
    pub fn approximations(&self) -> BTreeSet<&'static str> {
        self.text
            .lines()
            .flat_map(|line| of_line(line.split("//").next().unwrap_or(line)))
            .collect()
    }
}

fn of_line(code: &str) -> impl Iterator<Item = &'static str> {
    let named = INSTRUCTIONS.iter().filter(move |name| code.contains(**name));
    let called = APPROXIMATE_FUNCTIONS.iter().filter(move |(function, _)| calls(code, function));
    named.chain(called.flat_map(|(_, instructions)| *instructions)).copied()
}

/// Whether a line calls a function of this name.
fn calls(code: &str, function: &str) -> bool {
    let within = |c: char| c == '_' || c.is_alphanumeric();
    code.match_indices(function).any(|(at, _)| {
        code[at + function.len()..].starts_with('(') && !code[..at].ends_with(within)
    })
}

#[cfg(test)]
mod tests {
    use super::of_line;

    #[test]
    fn calls_and_instructions_are_found_by_their_whole_names() {
        let of = |code| of_line(code).collect::<Vec<_>>();
        assert_eq!(of("const float power = expf(-fabsf(x));"), ["ex2.approx"]);
        assert_eq!(of("asm(\"rcp.approx.ftz.f32 %0, %1;\""), ["rcp.approx"]);
        assert_eq!(of("return my_expf(x) + expf + sqrtf(x) + logf(x);"), [""; 0]);
    }
}
