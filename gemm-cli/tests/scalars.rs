//! `cargo gemm check` of bodies with scalars that are compared with positions, and of reductions.

mod common;

use std::process::Output;

use common::{gemm_in, new_crate};

/// The scores of a window of positions; those outside are -∞.
const WINDOWED: &str = "#[gemm]\npub fn windowed(q: Mat<bf16, S, D>, k: Mat<bf16, T, D>, past: i32, window: i32) \
    -> Vector<f32, S> {\n    let d = row() + past - column();\n    max(if d < 0 || d >= window { \
    f32::NEG_INFINITY } else { matmul(q, k) })\n}\n";

/// A layer and the sum of squares of each row of it.
const LAYER: &str = "#[gemm]\npub fn layer(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> (Mat<f16, M, N>, \
    Vector<f32, M>) {\n    let h = matmul(x, w);\n    (h, sum(h * h))\n}\n";

fn check(text: &str, arguments: &[&str]) -> Output {
    let folder = new_crate(&[("src/lib.rs", text)]);
    gemm_in(folder.path(), &[&["check"], arguments].concat())
}

#[track_caller]
fn right(text: &str, arguments: &[&str]) -> String {
    let output = check(text, arguments);
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && page.contains("\noutput right: "), "{page}{errors}");
    page
}

const NOTHING: &str =
    "note: every element of an output is -inf, as the reference: nothing was distinguished";

#[test]
fn a_mask_of_positions_cuts_through_the_output() {
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let pages = seeds.map(|seed| right(WINDOWED, &["windowed", "--seed", seed]));
    let constant = pages.iter().filter(|page| page.contains(NOTHING)).count();
    assert!(constant <= 2, "{constant} of 8 seeds distinguish nothing");
    let exact = pages.iter().filter(|page| page.contains("relative error 0.0e0")).count();
    assert!(exact <= 2, "{exact} of 8 seeds compare no sum");
}

#[test]
fn exponentials_of_scores_and_their_sums_are_right() {
    let weights = "#[gemm]\nfn weights(q: Mat<f16, S, D>, k: Mat<f16, T, D>, largest: Vector<f32, S>, scale: f32) -> \
        (Mat<f16, S, T>, Vector<f32, S>) {\n    let weight = (matmul(q, k) * scale - largest).exp();\n    \
        (weight, sum(weight))\n}\n";
    for seed in ["1", "3", "6"] {
        right(weights, &["weights", "--seed", seed]);
    }
}

#[test]
fn scalars_are_given() {
    let page = right(WINDOWED, &["windowed", "--scalar", "past=0", "--scalar", "window=7"]);
    assert!(
        page.contains("\nscalar past: i32 = 0, --scalar\n") && !page.contains(NOTHING),
        "{page}"
    );
    let page = right(WINDOWED, &["windowed", "--scalar", "window=-1"]);
    assert!(page.contains(NOTHING), "{page}");
    // In device memory.
    let scaled = "#[gemm]\npub fn scaled(x: Mat<f16, M, K>, w: Mat<f16, N, K>, by: Scalar<f32>) -> Mat<f32, M, N> \
        {\n    by * matmul(x, w)\n}\n";
    let page = right(scaled, &["scaled", "--scalar", "by=0.0"]);
    assert!(page.contains("note: every element of an output is 0, "), "{page}");
    for (arguments, reason) in [
        (
            ["--scalar", "windows=1"],
            "windowed has no scalar `windows` among its parameters: it has past, window",
        ),
        (["--scalar", "window=1.5"], "`--scalar window=1.5`: `1.5` is not a value of i32"),
        (["--scalar", "window"], "expected NAME=VALUE"),
    ] {
        let output = check(WINDOWED, &[&["windowed"][..], &arguments].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(reason), "{errors}");
    }
}

#[test]
fn a_conflict_of_a_reduction_is_a_note() {
    let page = right(LAYER, &["layer"]);
    let of_reduction =
        page.split("\nnote: ").filter(|note| note.contains(" in Rows<RowReductions>"));
    let notes: Vec<&str> = of_reduction.collect();
    assert!(!notes.is_empty() && !page.contains("\nwarning: "), "{page}");
    assert!(
        notes.iter().all(|note| note.contains("how the parts of a row, a column or a sum")),
        "{page}"
    );
}

#[test]
fn an_ambiguous_name_lists_those_that_have_it() {
    let text = format!("{WINDOWED}mod a {{\n{LAYER}}}\nmod b {{\n{LAYER}}}\n");
    let error = |name: &str| {
        let output = check(&text, &[name]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let ambiguous = error("layer");
    assert!(
        ambiguous.contains("\n  a::layer src/lib.rs:8\n  b::layer src/lib.rs:15\n"),
        "{ambiguous}"
    );
    assert!(!ambiguous.contains("windowed"), "{ambiguous}");
    let nearest = error("src/lib.rs:14");
    assert!(
        nearest.ends_with("at `src/lib.rs:14`; the nearest:\n  b::layer src/lib.rs:15\n"),
        "{nearest}"
    );
    assert!(error("src/other.rs:14").contains("; there are\n  windowed src/lib.rs:2\n"));
}
