//! The program, and crates in folders of their own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Variables by which cargo looks elsewhere than in the folder of a crate.
const ELSEWHERE: [&str; 2] = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];

/// What the program says in a folder.
pub(crate) fn gemm_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-gemm"));
    for variable in ELSEWHERE {
        command.env_remove(variable);
    }
    command.arg("gemm").args(arguments).current_dir(folder);
    command.output().expect("it starts")
}

/// A crate with these files, in a temporary folder: a workspace of its own, so that a `Cargo.toml` in a
/// folder above has no part in it.
pub(crate) fn new_crate(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_crate(folder.path(), files);
    folder
}

/// The same in a folder that exists.
pub(crate) fn write_crate(folder: &Path, files: &[(&str, &str)]) {
    let manifest =
        "[package]\nname = \"layers\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    for (name, text) in [("Cargo.toml", manifest)].iter().chain(files) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}
