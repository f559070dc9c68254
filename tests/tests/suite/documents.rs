//! What the documents say about the sources is true.

use std::collections::HashSet;
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
        the_documents_link_to_files_and_sections_that_exist,
        the_readme_shows_the_quickstart_from_its_first_line_to_its_last,
        the_readme_shows_an_error_as_rustc_prints_it,
        the_readme_names_the_rust_version_and_the_nvrtc_of_the_workspace,
        the_generator_depends_on_nothing,
        the_other_crates_forbid_unsafe_code,
        unsafe_code_is_where_the_architecture_says,
        no_source_has_more_than_300_lines,
        the_glossary_names_what_the_sources_contain,
        the_mistakes_are_answered_as_they_are_quoted,
        the_runtime_suggests_the_pinned_nvrtc
    ]
}

fn every_invariant_has_a_test_that_exists() {
    let architecture = read("ARCHITECTURE.md");
    let (_, after) = architecture.split_once("## Invariants").expect("a section of invariants");
    let section = after.split("\n## ").next().unwrap_or(after);
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| invariant");
    let rows = section.lines().filter(is_row).filter(|line| !line.starts_with("| ---"));
    let rows: Vec<&str> = rows.collect();
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

fn the_documents_link_to_files_and_sections_that_exist() {
    let docs = files(&["docs"], &["md"]);
    let others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let crates = ["candle", "check", "cli", "codegen", "emulator", "language", "macros", "runtime"];
    let crates = crates.map(|name| format!("gemm-{name}")).into_iter();
    let of_crates =
        crates.chain(["examples/candle".to_owned()]).map(|folder| folder + "/README.md");
    let others = others.map(PathBuf::from).into_iter().chain(of_crates.map(PathBuf::from));
    for document in docs.into_iter().chain(others).chain(["gemm-macros/language.md".into()]) {
        let text = read(&document);
        for (_, target) in links(&text).into_iter().filter(|(_, to)| !to.starts_with("https://")) {
            let (file, section) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => document.clone(),
                _ => document.with_file_name("").join(file),
            };
            let shown = document.display();
            assert!(root().join(&file).exists(), "{shown} links to {target}");
            let mut sections = ["".to_owned()].into_iter().chain(anchors(&file));
            assert!(sections.any(|one| one == section), "{shown} links to {target}");
        }
    }
}

/// The anchors of a Markdown file's headings; none of any other file.
fn anchors(file: &Path) -> Vec<String> {
    if file.extension().is_none_or(|extension| extension != "md") {
        return Vec::new();
    }
    let headings = read(file);
    let headings = headings.lines().filter_map(|line| line.strip_prefix('#'));
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let anchor = |heading: &str| heading.trim_start_matches('#').trim().to_lowercase();
    headings
        .map(|heading| anchor(heading).chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}

/// The fenced block of README.md that opens like this and comes first.
fn readme_block(fence: &str) -> String {
    let readme = read("README.md");
    let block = readme.split(fence).nth(1).and_then(|rest| rest.split("```").next());
    block.unwrap_or_else(|| panic!("README.md has no {fence}")).to_owned()
}

/// The tests of the examples run it.
fn the_readme_shows_the_quickstart_from_its_first_line_to_its_last() {
    let example = read("examples/quickstart.rs");
    let code = example.lines().skip_while(|line| line.starts_with("//!")).skip(1);
    let code: String = code.map(|line| line.to_owned() + "\n").collect();
    assert_eq!(readme_block("```rust\n"), code);
}

fn the_readme_shows_an_error_as_rustc_prints_it() {
    let printed = read("tests/ui/cases/shared-memory-fits.stderr");
    let shown = readme_block("```text\n").replace("src/main.rs", "cases/shared-memory-fits.rs");
    assert_eq!(shown.trim_end(), printed.trim_end());
}

fn the_readme_names_the_rust_version_and_the_nvrtc_of_the_workspace() {
    let manifest = read("Cargo.toml");
    let version =
        manifest.split("rust-version = \"").nth(1).and_then(|rest| rest.split('"').next());
    let version = format!("Rust {}", version.expect("a version of Rust"));
    for named in [version, pinned_nvrtc()] {
        assert!(read("README.md").contains(&named), "{named}");
    }
}

fn the_generator_depends_on_nothing() {
    let manifest = read("gemm-codegen/Cargo.toml");
    assert!(!manifest.lines().any(|line| line.trim() == "[dependencies]"), "{manifest}");
}

fn the_other_crates_forbid_unsafe_code() {
    let libraries = ["check", "codegen", "emulator", "language", "macros", "pictures"];
    let roots = libraries.map(|name| format!("gemm-{name}/src/lib.rs"));
    for root in roots.into_iter().chain(["gemm-cli/src/main.rs".to_owned()]) {
        assert!(read(&root).contains("#![forbid(unsafe_code)]"), "{root}");
    }
}

fn unsafe_code_is_where_the_architecture_says() {
    let architecture = read("ARCHITECTURE.md");
    let (_, after) = architecture.split_once("### Where `unsafe` is").expect("the section");
    let section = after.split("\n## ").next().unwrap_or(after);
    let mut named: Vec<_> = section.split('`').filter(|t| t.ends_with(".rs")).collect();
    named.sort_unstable();

    let folders = [
        "gemm-candle/src",
        "gemm-runtime/src",
        "bench/src",
        "examples",
        "tests/src",
        "tests/brute_force/src",
        "xtask/src",
    ];
    let is_unsafe = |line: &str| line.contains("unsafe {") || line.contains("unsafe impl");
    let code = |line: &str| is_unsafe(line.split("//").next().unwrap_or(line));
    let mut found = sources(&folders);
    found.retain(|path| read(path).lines().any(code));
    let mut found: Vec<_> = found.iter().map(|path| path.to_string_lossy()).collect();
    found.sort_unstable();
    assert_eq!(found, named);
}

/// A file is read in one sitting.
fn no_source_has_more_than_300_lines() {
    let crates = [
        "candle", "check", "cli", "codegen", "emulator", "language", "macros", "pictures",
        "runtime",
    ];
    let crates = crates.map(|name| format!("gemm-{name}"));
    let others = [
        "bench",
        "docs/book",
        "examples",
        "tests/src",
        "tests/brute_force",
        "tests/tests",
        "xtask",
    ];
    let folders: Vec<&str> = crates.iter().map(String::as_str).chain(others).collect();
    let long = |path: &PathBuf| read(path).lines().count() > 300;
    let long: Vec<_> = files(&folders, &["rs"]).into_iter().filter(long).collect();
    assert!(long.is_empty(), "longer than 300 lines: {long:?}");
}

/// The last column of a row names an item, a key, a constant of the emitted text or an option.
fn the_glossary_names_what_the_sources_contain() {
    let files = sources(&["gemm-codegen/src", "gemm-emulator/src", "gemm-language/src"]);
    let others = [
        "gemm-check/src",
        "gemm-runtime/src",
        "bench/src",
        "tests/src",
        "tests/brute_force/src",
        "xtask/src",
    ];
    let others = sources(&others);
    let text: String = files.iter().chain(&others).map(read).collect();
    let words: HashSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let glossary = read("docs/glossary.md");
    let rows: Vec<&str> = glossary.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(rows.len() > 50, "the tables of the glossary were not found");
    let names = rows.iter().flat_map(|row| {
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap_or(row);
        cell.split('`').skip(1).step_by(2)
    });
    for name in names {
        let parts = name.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut parts = parts.filter(|word| !word.is_empty() && word.parse::<u32>().is_err());
        assert!(parts.all(|word| words.contains(word)), "no source contains {name}");
    }
}

/// The Rust and CUDA sources in these folders, relative to the root.
fn sources(folders: &[&str]) -> Vec<PathBuf> {
    files(folders, &["rs", "cuh"])
}

/// The files with these extensions in these folders, relative to the root.
fn files(folders: &[&str], extensions: &[&str]) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder of sources") {
            let path = folder.join(entry.expect("an entry of the folder").file_name());
            let extension = path.extension().and_then(|extension| extension.to_str());
            match extension {
                _ if root().join(&path).is_dir() => open.push(path),
                Some(extension) if extensions.contains(&extension) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// The suggestion of a program that has no xtask at hand names the same version.
fn the_runtime_suggests_the_pinned_nvrtc() {
    assert!(read("gemm-runtime/src/library/wheel.rs").contains(&pinned_nvrtc()));
}

/// The wheel that `cargo xtask nvrtc` fetches, as pip names it.
fn pinned_nvrtc() -> String {
    let fetching = read("xtask/src/nvrtc.rs");
    let version = fetching.split("const VERSION: &str = \"").nth(1).expect("the version");
    format!("nvidia-cuda-nvrtc=={}", version.split('"').next().unwrap_or(version))
}

/// Those of launches are a test of the runtime.
fn the_mistakes_are_answered_as_they_are_quoted() {
    let (page, answers) = (read("docs/mistakes.md"), read("tests/ui/cases/newcomers.stderr"));
    let (of_compiler, _) = page.split_once("## When it runs").expect("two parts");
    let quotes = of_compiler.lines().filter_map(|line| line.trim_start().strip_prefix("> "));
    for quote in quotes.clone() {
        assert!(answers.contains(&format!(": {quote}")), "{quote}");
    }
    // Each error has a message and a help.
    assert_eq!(quotes.count(), 2 * answers.matches("= help: ").count());
}
