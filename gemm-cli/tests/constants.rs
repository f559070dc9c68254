//! `cargo gemm check` of bodies that name constants, and of those whose values are not finite.

mod common;

use std::process::Output;

use common::{gemm_in, new_crate};

/// A function of f16 factors with this body.
fn function(name: &str, body: &str) -> String {
    format!(
        "use gemm_runtime::prelude::*;\n#[gemm(tile = [16, 8, 16], warps = [1, 1], stages = 2)]\n\
         pub fn {name}(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {{\n    {body}\n}}\n"
    )
}

/// What `check layer` says of a crate whose first file has these lines and this body, with further
/// arguments.
fn check(lines: &str, body: &str, arguments: &[&str]) -> Output {
    let layer = function("layer", body) + lines;
    let folder = new_crate(&[
        ("src/lib.rs", &layer),
        (
            "src/config.rs",
            "pub const LOW: f32 = -0.5;\npub mod deep {\n    pub const HIGH: f32 = 0.75;\n}\n",
        ),
    ]);
    let all = [&["check", "layer", "--shape", "16x8x16"], arguments].concat();
    gemm_in(folder.path(), &all)
}

/// The page of a kernel that is right.
#[track_caller]
fn right(lines: &str, body: &str, arguments: &[&str]) -> String {
    let output = check(lines, body, arguments);
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && page.contains("output right: "), "{page}{errors}");
    page
}

/// The error of a kernel that cannot be checked.
#[track_caller]
fn refused(lines: &str, body: &str, arguments: &[&str]) -> String {
    let output = check(lines, body, arguments);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_constant_has_the_value_of_the_source() {
    let lines = "const LOW: f32 = -0.25;\nconst HIGH: f32 = 2.0 * (0.5 + 1e-1) - LOW / 4.0;\n";
    let page = right(lines, "matmul(x, w).clamp(LOW, HIGH)", &[]);
    assert!(page.contains("\nconstant LOW: f32 = -0.25, src/lib.rs:6\n"), "{page}");
    assert!(page.contains("\nconstant HIGH: f32 = 1.2625, src/lib.rs:7\n"), "{page}");
    // A quotient by another value is not infinite.
    let page = right("const Z: f32 = 0.0;\n", "matmul(x, w) / Z", &[]);
    assert!(
        page.contains("constant Z: f32 = 0, ") && page.contains("\n128 elements are"),
        "{page}"
    );
}

#[test]
fn a_value_is_computed_as_rustc_does() {
    let values = [
        ("f32", "0.1", "0.1"),
        ("f32", "0.1 + 0.2", "0.3"),
        ("f32", "(1u8 as f32) / 3.0", "0.33333334"),
        ("f32", "2.9 as i32 as f32", "2"),
        ("f32", "(1.0 / 3.0) as f32", "0.33333334"),
        ("f32", "std::f32::consts::PI", "3.1415927"),
        ("f32", "1.0 / f32::EPSILON", "8388608"),
        ("f32", "-f32::MAX", "-340282350000000000000000000000000000000"),
        ("f32", "1_000.5f32 % 3.", "1.5"),
        ("f32", "(COUNT * 2 - 1) as f32", "13"),
        ("f32", "300 as u8 as f32", "44"),
    ];
    for (ty, value, expected) in values {
        let lines = format!("pub const COUNT: usize = 0x7;\npub const SCALE: {ty} = {value};\n");
        let page = right(&lines, "matmul(x, w).max(SCALE)", &[]);
        assert!(
            page.contains(&format!("\nconstant SCALE: {ty} = {expected}, src")),
            "{value}: {page}"
        );
    }
    let lines = "const ROUNDS: i32 = -(2 + 0b11) * (i32::MAX / 1000);\n";
    let page = right(lines, "let rounds: i32 = ROUNDS;\n    matmul(x, w) + rounds as f32", &[]);
    assert!(page.contains("\nconstant ROUNDS: i32 = -10737415, "), "{page}");
}

#[test]
fn a_constant_is_that_of_the_module_and_its_imports() {
    let body = "matmul(x, w).clamp(LOW, HIGH)";
    let other = "pub mod other {\n    pub const LOW: f32 = 7.0;\n}\nfn local() {\n    const LOW: f32 = 8.0;\n}\n\
                 pub struct Sized<const LOW: usize>;\n";
    for imports in [
        "mod config;\nuse config::{LOW, deep::HIGH};\n",
        "mod config;\nuse crate::config::LOW;\nuse self::config::deep as limits;\nuse limits::HIGH;\n",
        "mod config;\nuse config::*;\nuse config::deep::*;\n",
        "mod config;\nuse config::LOW;\nconst HIGH: f32 = config::deep::HIGH;\n",
    ] {
        let page = right(&format!("{imports}{other}"), body, &[]);
        assert!(page.contains("\nconstant LOW: f32 = -0.5, src/config.rs:1\n"), "{imports}{page}");
        assert!(page.contains("\nconstant HIGH: f32 = 0.75, src/"), "{imports}{page}");
    }
}

#[test]
fn an_unknown_constant_is_asked_for() {
    let body = "SCALE * matmul(x, w)";
    let ask = "pass `--constant SCALE=VALUE`, of type f32";
    for (lines, reason) in [
        ("const SCALE: f32 = half(1.0);\n", "`half(1.0)` is not evaluated at src/lib.rs:6"),
        ("use other::SCALE;\n", "`other::SCALE` is not a constant of this crate"),
        (
            "#[cfg(unix)]\nconst SCALE: f32 = 1.0;\n#[cfg(windows)]\nconst SCALE: f32 = 2.0;\n",
            "at src/lib.rs:7 and at src/lib.rs:9",
        ),
        ("const SCALE: f64 = 1.0;\n", "it is of type f64, the kernel takes f32"),
        ("const SCALE: f32 = OTHER;\nconst OTHER: f32 = SCALE;\n", "its value is that of itself"),
        ("use a::SCALE;\nmod a {\n    pub use super::SCALE;\n}\n", "are circular"),
        ("", "it is not written in this crate"),
    ] {
        let error = refused(lines, body, &[]);
        let start = "error: the value of the constant `SCALE` of layer is not known: ";
        assert!(
            error.starts_with(start) && error.contains(reason) && error.contains(ask),
            "{error}"
        );
    }
    let unknown = "const SCALE: f32 = half(1.0);\n";
    let page = right(unknown, body, &["--constant", "SCALE=-1.5"]);
    assert!(page.contains("\nconstant SCALE: f32 = -1.5, --constant\n"), "{page}");
    let json = right_json(unknown, body, &["--json", "--constant=SCALE=0.5"]);
    assert_eq!(json["constants"][0]["value"], 0.5);
    assert_eq!(json["constants"][0]["from"], "--constant");
}

fn right_json(lines: &str, body: &str, arguments: &[&str]) -> serde_json::Value {
    let output = check(lines, body, arguments);
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn a_value_that_is_given_wrongly_is_refused() {
    let (lines, body) = ("const SCALE: f32 = 1.0;\n", "SCALE * matmul(x, w)");
    for (arguments, reason) in [
        (&["--constant", "SCALE=x"][..], "`x` is not a value of f32"),
        (&["--constant", "OTHER=1"], "names no constant `OTHER`: it names SCALE"),
        (&["--constant", "SCALE=1", "--constant", "SCALE=2"], "`--constant SCALE` is given twice"),
        (&["--constant", "SCALE"], "expected NAME=VALUE"),
    ] {
        let error = refused(lines, body, arguments);
        assert!(error.contains(reason), "{error}");
    }
    let rounds = "let rounds: i32 = ROUNDS;\n    matmul(x, w) + rounds as f32";
    let error = refused("", rounds, &["--constant", "ROUNDS=1.5"]);
    assert!(error.contains("`1.5` is not a value of i32"), "{error}");
    let error = refused("", "matmul(x, w)", &["--constant", "SCALE=1"]);
    assert!(error.contains("names no constant `SCALE`: it names none"), "{error}");
}

#[test]
fn a_right_kernel_is_right_where_values_are_not_finite() {
    for body in ["matmul(x, w).sqrt()", "relu(matmul(x, w)).ln()", "(60.0 * matmul(x, w)).exp()"] {
        let page = right("", body, &[]);
        assert!(page.contains(" elements are NaN or infinite, as the reference\n"), "{page}");
    }
}
