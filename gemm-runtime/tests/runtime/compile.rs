//! Refusals of NVRTC's, and what a compilation says.

use gemm_runtime::Error;
use gemm_runtime::compile::{CompileError, Format, Program, compile};

fn program(text: &str) -> Program<'_> {
    Program { name: "k.cu", text, architecture: "sm_80", options: Vec::new(), format: Format::Ptx }
}

fn refused(program: &Program<'_>) -> CompileError {
    match compile(program) {
        Err(Error::Compile(error)) => *error,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn an_error_of_the_front_end_shows_its_line() {
    let text = "extern \"C\" __global__ void k(float* x) {\n    int i = threadIdx.x;\n    \
                x[i] = undeclared;\n}\n";
    let error = refused(&program(text));
    assert_eq!(error.status, "NVRTC_ERROR_COMPILATION");
    assert_eq!(error.excerpts.iter().map(|e| e.line).collect::<Vec<_>>(), [3]);
    let shown = error.to_string();
    for part in [
        "cannot compile k.cu for sm_80",
        "\n    k.cu(3): error: identifier \"undeclared\" is undefined\n",
        "\n>    3 |     x[i] = undeclared;\n",
    ] {
        assert!(shown.contains(part), "{part:?} is not in:\n{shown}");
    }
    assert!(!shown.contains("\\n"), "{shown}");
}

#[test]
fn an_error_of_the_assembler_shows_the_source_line() {
    let text = "extern \"C\" __global__ void k(float* x) {\n    x[0] = 1.0f;\n    \
                asm volatile(\"frobnicate.b32 %0;\" :: \"f\"(x[1]));\n}\n";
    let error = refused(&program(text));
    assert_eq!(error.excerpts.iter().map(|e| e.line).collect::<Vec<_>>(), [3], "{error}");
    assert!(error.to_string().contains("frobnicate"), "{error}");
}

#[test]
fn an_unknown_option_or_architecture_is_a_refusal() {
    let text = "extern \"C\" __global__ void k() {}";
    let bad = Program { options: vec!["--no-such-option".into()], ..program(text) };
    assert!(refused(&bad).log.contains("--no-such-option"));
    let old = Program { architecture: "sm_20", ..program(text) };
    assert_eq!(refused(&old).architecture, "sm_20");
    assert!(refused(&program("a\0b")).log.contains("NUL"));
}

#[test]
fn a_compilation_has_an_image_and_its_costs() {
    let text = "extern \"C\" __global__ void k(float* x) {\n    __shared__ float s[64];\n    \
                s[threadIdx.x] = x[threadIdx.x];\n    __syncthreads();\n    \
                x[threadIdx.x] = s[63 - threadIdx.x];\n}\n";
    let ptx = compile(&program(text)).expect("it compiles");
    assert!(ptx.ptx().is_some_and(|ptx| ptx.contains(".visible .entry k(")));
    let cubin = compile(&Program { format: Format::Cubin, architecture: "sm_90", ..program(text) });
    let cubin = cubin.expect("it compiles");
    assert_eq!(&cubin.image[..4], b"\x7fELF");
    for compilation in [ptx, cubin] {
        let resources = compilation.resources("k").expect("the log says so");
        assert_eq!(resources.shared_bytes, 256);
        assert_eq!(resources.spill_store_bytes, 0);
        assert!(resources.registers > 0);
        assert_eq!(compilation.resources("other"), None);
    }
}
