//! What the documents say about the sources is true.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Test;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Text and target of each Markdown link.
fn links(text: &str) -> Vec<(&str, &str)> {
    let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or(rest));
    let texts = text.split("](").map(|before| before.rsplit('[').next().unwrap_or(before));
    texts.zip(targets).collect()
}

pub(crate) fn tests() -> Vec<Test> {
    tests![
        every_invariant_has_a_test_that_exists,
        the_documents_link_to_files_that_exist,
        the_readme_shows_the_quickstart_as_it_is,
        the_generator_depends_on_nothing,
        three_crates_forbid_unsafe_code,
        unsafe_code_is_where_the_architecture_says,
        the_runtime_suggests_the_pinned_nvrtc
    ]
}

fn every_invariant_has_a_test_that_exists() {
    let architecture = read("ARCHITECTURE.md");
    let (_, after) = architecture.split_once("## Invariants").expect("a section of invariants");
    let section = after.split("\n## ").next().unwrap_or(after);
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() > 5, "the table of invariants was not found");
    for row in rows {
        let tests = links(row);
        assert!(!tests.is_empty(), "no test holds this invariant: {row}");
        for (name, file) in tests {
            let name = name.trim_matches('`');
            assert!(read(file).contains(&format!("fn {name}(")), "{file} has no test `{name}`");
        }
    }
}

fn the_documents_link_to_files_that_exist() {
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        let text = read(document);
        for (_, target) in links(&text).into_iter().filter(|(_, to)| !to.starts_with("https://")) {
            let file = target.split('#').next().unwrap_or(target);
            assert!(root().join(file).exists(), "{document} links to {target}");
        }
    }
}

fn the_readme_shows_the_quickstart_as_it_is() {
    let (readme, example) = (read("README.md"), read("examples/quickstart.rs"));
    let block = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("a Rust block in README.md");
    assert!(example.contains(block), "README.md and examples/quickstart.rs differ in:\n{block}");
}

fn the_generator_depends_on_nothing() {
    let manifest = read("gemm-codegen/Cargo.toml");
    assert!(!manifest.lines().any(|line| line.trim() == "[dependencies]"), "{manifest}");
}

fn three_crates_forbid_unsafe_code() {
    for name in ["gemm-codegen", "gemm-macros", "gemm-emulator"] {
        assert!(read(format!("{name}/src/lib.rs")).contains("#![forbid(unsafe_code)]"), "{name}");
    }
}

fn unsafe_code_is_where_the_architecture_says() {
    let architecture = read("ARCHITECTURE.md");
    let (_, after) = architecture.split_once("### Where `unsafe` is").expect("the section");
    let section = after.split("\n## ").next().unwrap_or(after);
    let mut named: Vec<_> = section.split('`').filter(|t| t.ends_with(".rs")).collect();
    named.sort_unstable();

    let mut found = Vec::new();
    for folder in ["gemm-runtime/src", "bench/src", "examples", "tests/src", "xtask/src"] {
        files_with_unsafe_code(Path::new(folder), &mut found);
    }
    found.sort_unstable();
    assert_eq!(found, named);
}

fn files_with_unsafe_code(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).expect("a folder of sources") {
        let path = folder.join(entry.expect("an entry of the folder").file_name());
        if root().join(&path).is_dir() {
            files_with_unsafe_code(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let code = read(&path);
            let mut lines = code.lines().map(|line| line.split("//").next().unwrap_or(line));
            if lines.any(|line| line.contains("unsafe {") || line.contains("unsafe impl")) {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
}

/// The suggestion of a program that has no xtask at hand names the same version.
fn the_runtime_suggests_the_pinned_nvrtc() {
    let fetching = read("xtask/src/nvrtc.rs");
    let version = fetching.split("const VERSION: &str = \"").nth(1).expect("the version");
    let version = version.split('"').next().unwrap_or(version);
    let suggestion = format!("nvidia-cuda-nvrtc=={version}");
    assert!(read("gemm-runtime/src/library/search.rs").contains(&suggestion), "{suggestion}");
}
