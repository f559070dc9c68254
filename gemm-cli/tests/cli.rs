//! The commands, on the functions of this file and on crates in a temporary folder.

mod common;

use std::fs;
use std::path::Path;

use common::{gemm_in, new_crate, write_crate};
use gemm_runtime::prelude::*;

/// y = gelu(alpha · x · wᵀ + bias)
#[gemm]
pub fn linear(
    x: Mat<f16, M, K>,
    w: Mat<f16, N, K>,
    bias: Vector<f16, N>,
    alpha: f32,
) -> Mat<f16, M, N> {
    gelu(alpha * matmul(x, w) + bias)
}

/// One function for two element types.
#[gemm(T = [bf16, f16], tile = [32, 16, 16], warps = [1, 1], stages = 2)]
pub fn product<T>(x: Mat<T, M, K>, w: Mat<T, N, K>) -> Mat<T, M, N> {
    matmul(x, w)
}

/// One function with two schedules.
#[gemm(tile = [32, 16, 16], warps = [1, 1])]
#[gemm(tile = [64, 64, 64], mma = wgmma, targets = [sm_90a])]
pub fn chosen(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(x, w)
}

mod inner {
    use gemm_runtime::prelude::*;

    #[gemm(tile = [32, 16, 32], warps = [1, 1], stages = 2)]
    pub(super) fn scaled(
        c: &mut Mat<f32, M, N>,
        a: Mat<f16, M, K>,
        b: Mat<f16, N, K>,
        beta: Scalar<f32>,
    ) {
        *c = if *c > 0.0 { beta * *c } else { matmul(a, b).max(0.25) };
    }
}

#[gemm]
mod layers {
    use gemm_runtime::prelude::*;

    fn bounded(z: f32) -> f32 {
        halved(z).min(1.0)
    }

    fn halved(z: f32) -> f32 {
        z / 2.0
    }

    #[gemm(tile = [32, 64, 16], warps = [1, 1], stages = 2)]
    pub(super) fn hidden(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        bounded(matmul(x, w))
    }
}

/// A type with a function.
pub struct Layer;

#[gemm]
impl Layer {
    #[gemm(tile = [32, 32, 16], warps = [1, 1], stages = 2)]
    pub fn gate(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
        Self::doubled(silu(matmul(x, w)))
    }

    fn doubled(z: f32) -> f32 {
        2.0 * z
    }
}

/// What it prints about this package.
#[track_caller]
fn gemm(arguments: &[&str]) -> String {
    let output = gemm_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_functions_are_listed_with_their_places() {
    let list = gemm(&["list"]);
    let row = |name: &str| {
        let row = list.lines().find(|line| line.starts_with(&format!("| {name} ")));
        row.unwrap_or_else(|| panic!("no {name} in\n{list}")).to_owned()
    };
    assert_eq!(list.lines().count(), 9, "{list}");
    let source = include_str!("cli.rs");
    let line = 1 + source.lines().position(|line| line.starts_with("pub fn linear")).unwrap();
    assert!(row("linear").contains(&format!("| tests/cli.rs:{line} ")), "{list}");
    assert!(row("product::bf16").contains("| mma.sync | 32x16x16 "), "{list}");
    assert!(row("inner::scaled").contains("| mma.sync | 32x16x32 "), "{list}");
    assert!(row("layers::hidden").contains("| mma.sync | 32x64x16 "), "{list}");
    assert!(row("gate").contains("| mma.sync | 32x32x16 "), "{list}");
}

#[test]
fn a_function_is_read_as_the_compiler_reads_it() {
    assert_eq!(gemm(&["plan", "scaled"]), inner::scaled::PLAN);
    assert_eq!(gemm(&["plan", "gate"]), gate::PLAN);
    assert_eq!(gemm(&["plan", "hidden"]), layers::hidden::PLAN);
    assert_eq!(gemm(&["plan", "gate"]), gate::PLAN);
    assert_eq!(gemm(&["plan", "linear", "--candidate", "derived"]), linear::PLAN);
    assert_eq!(gemm(&["plan", "chosen", "--candidate", "schedule_2"]), chosen::schedule_2::PLAN);
    for (name, kernels) in [("linear", &linear::KERNELS), ("chosen", &chosen::KERNELS)] {
        let schedules = gemm(&["list", name]);
        for choice in kernels.choices() {
            assert!(schedules.contains(&format!("\n| {} ", choice.id())), "{}", choice.id());
        }
        // What a record of the tuning is found by.
        let last = format!("tuning records name it by {}\n", kernels.fingerprint());
        assert!(schedules.ends_with(&last), "{schedules}");
    }
}

#[test]
fn a_kernel_is_checked_as_check_kernel_does() {
    let page = gemm(&["check", "inner::scaled", "--shape", "33x20x40"]);
    assert!(page.starts_with("scaled, 33x20x40, rows aligned to 128 B, seed 1\n"), "{page}");
    assert!(page.contains("\noutput right: "), "{page}");
    // A schedule whose factors are exchanged, at the shape of the function.
    let swapped = linear::KERNELS.choices().find(|choice| choice.is_swapped()).expect("one");
    let page = gemm(&["check", "linear", "--candidate", swapped.id(), "--shape", "8x40x24"]);
    assert!(page.starts_with("linear, 40x8x24") && page.contains("\noutput right: "), "{page}");
}

#[test]
fn a_check_of_f32_by_tensor_cores_prints_the_errors_of_its_sums() {
    let page = |precision: &str, body: &str| {
        let layer = format!(
            "use gemm_runtime::prelude::*;\n#[gemm(tile = [64, 32, 32], mma = wgmma, precision = {precision})]\n\
             pub fn layer(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {{\n    {body}\n}}\n"
        );
        let folder = new_crate(&[("src/lib.rs", &layer)]);
        let output = gemm_in(folder.path(), &["check", "layer"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let halves = page("f16x3", "let sum = matmul(x, w);\n    sum");
    assert!(
        halves.contains("\nsums of f32 factors as sums of two f16, scaled by rows"),
        "{halves}"
    );
    for line in [" by f32 fused multiply-adds ", "\n   8.2e-6 is the bound: P · 2⁻²³ "] {
        assert!(halves.contains(line), "no {line} in {halves}");
    }
    let rounded = page("tf32", "matmul(x, w)");
    assert!(
        rounded.contains("\n   9.9e-4 is the bound: 2⁻¹⁰ + 2⁻²² for the rounding "),
        "{rounded}"
    );
    assert!(!page("f16x3", "relu(matmul(x, w))").contains("Σ abs(a·b)"));
}

#[test]
fn a_kernel_is_shown_in_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().to_str().expect("it is UTF-8");
    let report = gemm(&["show", "scaled", "--arch", "sm_90", "-o", output]);
    assert!(report.contains("| architecture             | sm_90"), "{report}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!(read("scaled.cu"), inner::scaled::SOURCE);
    assert!(read("scaled.ptx").contains(".target sm_90") && report.contains(&read("scaled.txt")));
}

/// A crate with a function that has a mistake.
const WRONG: [(&str, &str); 2] = [
    ("src/lib.rs", "mod attention;\nmod generated;\n"),
    (
        "src/attention.rs",
        "mod scores {\n    #[gemm(stages = 8, tile = [128, 128, 64])]\n    fn scores(q: Mat<f16, M, K>, k: \
         Mat<f16, N, K>) -> Mat<f16, M, N> {\n        matmul(q, k)\n    }\n}\n",
    ),
];

#[test]
fn a_mistake_is_printed_as_rustc_prints_it() {
    let folder = new_crate(&WRONG);
    let output = gemm_in(folder.path(), &["list"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("error: 8 stages of 32768 B need 262144 B"), "{errors}");
    assert!(errors.contains(" --> src/attention.rs:2:21\n"), "{errors}");
    assert!(errors.contains("    #[gemm(stages = 8, tile") && errors.contains(" ^\n"), "{errors}");
    assert!(
        errors.contains("= help: ") && errors.contains("= rule: shared-memory-fits"),
        "{errors}"
    );

    let output = gemm_in(folder.path(), &["plan", "softmax"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("error: no function `softmax`") && !output.status.success(),
        "{errors}"
    );
}

/// A module whose kernels call a function that has a mistake.
const WRONG_FUNCTION: [(&str, &str); 1] = [(
    "src/lib.rs",
    "#[gemm]\nmod layers {\n    fn twice(x: f32) -> f32 {\n        2.0 * missing\n    }\n\n    #[gemm]\n    \
     fn one(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {\n        twice(matmul(x, w))\n    }\n\n    \
     #[gemm]\n    fn other(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N> {\n        twice(matmul(x, \
     w))\n    }\n}\n",
)];

#[test]
fn a_mistake_of_several_kernels_is_printed_once() {
    let folder = new_crate(&WRONG_FUNCTION);
    let output = gemm_in(folder.path(), &["list"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors.matches("unknown name `missing`").count(), 1, "{errors}");
    assert!(errors.contains(" --> src/lib.rs:4:15\n"), "{errors}");
}

#[test]
fn a_crate_is_read_whatever_lies_above_it() {
    let above = tempfile::tempdir().expect("a temporary folder");
    // That of another workspace, whose members do not exist, and no TOML at all.
    for hostile in ["[workspace]\nmembers = [\"elsewhere\"]\n", "[package\n"] {
        fs::write(above.path().join("Cargo.toml"), hostile).expect("a file");
        let folder = above.path().join("layers");
        write_crate(&folder, &WRONG);
        let output = gemm_in(&folder, &["list"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with("error: 8 stages of 32768 B need 262144 B"), "{errors}");
    }
}

#[test]
fn tuning_without_a_gpu_says_what_it_needs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("tuning.toml");
    let arguments = ["tune", "linear", "--shapes", "8x64x64", "-o", file.to_str().expect("UTF-8")];
    let output = gemm_in(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments);
    if output.status.success() {
        let record = fs::read_to_string(&file).expect("the record");
        assert!(record.contains(linear::KERNELS.fingerprint()), "{record}");
        return;
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("error: tuning measures on a GPU: "), "{errors}");

    // Which of the two?
    let output = gemm_in(Path::new(env!("CARGO_MANIFEST_DIR")), &["plan", "product"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("\n  product::bf16 tests/cli.rs:"), "{errors}");
    let arguments = ["tune", "scaled", "--shapes", "8x64x64"];
    let output = gemm_in(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("inner::scaled has one schedule: remove the keys"), "{errors}");
}

#[test]
fn a_report_shows_the_times_of_a_tuning_record() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [record, page] = ["tuning.toml", "report.html"].map(|name| folder.path().join(name));
    let kernels = linear::KERNELS.fingerprint();
    let bucket = |n: usize, kernels: &str| {
        format!(
            "[[measured]]\ndevice = \"NVIDIA H200, sm_90, 132 multiprocessors\"\nfunction = \"linear\"\n\
             kernels = \"{kernels}\"\nalignment = [16, 16, 16]\nm = 512\nn = {n}\nk = 4096\nbatch = 1\n\
             fastest = \"derived\"\nmicroseconds = 100.0\n"
        )
    };
    let records = [bucket(4096, kernels), bucket(8192, kernels), bucket(4096, "another")];
    fs::write(&record, records.concat()).expect("a file");
    let [record, file] = [&record, &page].map(|path| path.to_str().expect("a name"));
    gemm(&["report", "linear", "--shape", "500x4096x4096", "--tuning", record, "-o", file]);
    let page = fs::read_to_string(&page).expect("the report");
    // 2 · 512 · 4096 · 4096 operations in 100 µs.
    assert_eq!(page.matches("<td>derived</td><td>100 µs</td><td>171.8</td>").count(), 1);
    assert_eq!(page.matches("<td>derived</td><td>100 µs</td>").count(), 2, "of its kernels alone");
    assert_eq!(page.matches("data-point=\"measured\"").count(), 1);
}
