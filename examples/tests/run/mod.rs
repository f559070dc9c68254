//! Runs examples.

use std::process::Command;

/// The output of an example, which sees no GPU and must succeed.
pub(crate) fn output(example: &str) -> String {
    // target/debug/deps/output-0123 → target/debug/examples
    let test = std::env::current_exe().expect("this program has a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("cargo's folders");
    let program = folder.join("examples").join(example);
    let output = Command::new(&program)
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; cargo test builds it", program.display()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example} failed: {errors}");
    String::from_utf8(output.stdout).expect("text")
}
