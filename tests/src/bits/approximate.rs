//! The instructions of a PTX text whose results PTX bounds and does not determine.

/// The approximate instructions of a PTX text, such as `ex2.approx`.
pub fn of(ptx: &str) -> impl Iterator<Item = &str> {
    let opcodes =
        ptx.lines().flat_map(|line| line.split("//").next()).flat_map(str::split_whitespace);
    opcodes.filter_map(|word| {
        let end = word.find(".approx")? + ".approx".len();
        Some(&word[..end])
    })
}

pub(crate) mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use gemm_codegen::APPROXIMATE_FUNCTIONS;
    use gemm_runtime::compile::{Format, Program, compile};

    use super::*;

    self_tests!(the_approximations_of_a_function_are_those_of_its_ptx);

    /// Functions of CUDA that a body calls, by the type of their arguments and their number.
    const FUNCTIONS: [(&str, usize, &[&str]); 4] = [
        (
            "float",
            1,
            &[
                "expf",
                "exp2f",
                "expm1f",
                "log1pf",
                "logf",
                "log2f",
                "tanhf",
                "sinf",
                "cosf",
                "sqrtf",
                "__frcp_rn",
                "floorf",
                "ceilf",
                "roundf",
                "truncf",
                "fabsf",
            ],
        ),
        ("float", 2, &["powf", "fmodf", "fmaxf", "fminf", "__fdividef"]),
        (
            "double",
            1,
            &[
                "exp",
                "exp2",
                "expm1",
                "log1p",
                "log",
                "log2",
                "tanh",
                "sin",
                "cos",
                "sqrt",
                "erfc",
                "__drcp_rn",
                "floor",
                "ceil",
                "round",
                "trunc",
                "fabs",
            ],
        ),
        ("double", 2, &["pow", "fmod", "fmax", "fmin"]),
    ];

    fn the_approximations_of_a_function_are_those_of_its_ptx() {
        let stated: BTreeMap<&str, &[&str]> = APPROXIMATE_FUNCTIONS.iter().copied().collect();
        let mut compared = 0;
        for (ty, arguments, functions) in FUNCTIONS {
            for function in functions {
                let call = ["x[0]", "x[1]"][..arguments].join(", ");
                let text = format!(
                    "extern \"C\" __global__ void k({ty}* x) {{ x[2] = {function}({call}); }}"
                );
                let (options, format) = (Vec::new(), Format::Ptx);
                let architecture = "compute_90";
                let program = Program { name: "k.cu", text: &text, architecture, options, format };
                let compiled = compile(&program).expect("a function that NVRTC knows");
                let found: BTreeSet<&str> = of(compiled.ptx().expect("PTX")).collect();
                let named = stated.get(function).copied().unwrap_or_default();
                assert_eq!(found, named.iter().copied().collect(), "{function}");
                compared += usize::from(!named.is_empty());
            }
        }
        assert_eq!(compared, APPROXIMATE_FUNCTIONS.len(), "each function of the table is compiled");
    }
}
