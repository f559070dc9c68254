//! The book says what its programs print, and includes what exists.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use gemm_book::OUTPUTS;
use gemm_book::candidates::linear;

fn chapters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters")
}

/// `UPDATE_EXPECT=1 cargo test -p gemm-book` rewrites what they print.
#[test]
fn the_outputs_are_those_of_the_programs() {
    for output in &OUTPUTS {
        let text = (output.text)().unwrap_or_else(|error| panic!("{}: {error}", output.name));
        expect_file![chapters().join(format!("output/{}.txt", output.name))].assert_eq(&text);
    }
}

#[test]
fn the_book_and_the_readme_count_the_candidates() {
    let ids: Vec<&str> = linear::KERNELS.choices().map(|choice| choice.id()).collect();
    let by_wgmma = ids.iter().filter(|id| id.contains("-wg")).count();
    let readme = fs::read_to_string(chapters().join("../../../README.md")).expect("the readme");
    let [all, by_wgmma] =
        [format!("up to {} candidates", ids.len()), format!("{by_wgmma} of them by `wgmma`")];
    assert!(readme.contains(&all) && readme.contains(&by_wgmma), "{all}, {by_wgmma}");
    let chapter = fs::read_to_string(chapters().join("candidates.md")).expect("the chapter");
    assert!(chapter.contains(&all), "{all}");
}

#[test]
fn each_output_is_in_a_chapter() {
    let included: Vec<String> = texts().iter().flat_map(|(_, text)| includes(text)).collect();
    for output in &OUTPUTS {
        let file = format!("../chapters/output/{}.txt", output.name);
        assert!(included.contains(&file), "{file}");
    }
}

#[test]
fn what_a_chapter_includes_exists() {
    for (chapter, text) in texts() {
        for include in includes(&text) {
            let (file, anchor) = include.split_once(':').unwrap_or((&include, ""));
            let included = fs::read_to_string(chapters().join(file))
                .unwrap_or_else(|error| panic!("{chapter}: {file}: {error}"));
            let has = |mark: &str| included.contains(&format!("// {mark}: {anchor}\n"));
            let complete = anchor.is_empty() || (has("ANCHOR") && has("ANCHOR_END"));
            assert!(complete, "{chapter}: {file} has no anchor {anchor}");
        }
    }
}

#[test]
fn the_summary_lists_each_chapter_once() {
    let summary = fs::read_to_string(chapters().join("SUMMARY.md")).expect("the summary");
    for (chapter, _) in texts() {
        assert_eq!(summary.matches(&format!("]({chapter})")).count(), 1, "{chapter}");
    }
    assert_eq!(summary.matches("](").count(), texts().len());
}

/// The chapters' files and texts.
fn texts() -> Vec<(String, String)> {
    let files = fs::read_dir(chapters()).expect("the folder of chapters");
    let paths = files.map(|file| file.expect("it can be read").path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a text"))
        })
        .filter(|(name, _)| name != "SUMMARY.md")
        .collect()
}

/// What the `{{#include ..}}` of a text name.
fn includes(text: &str) -> Vec<String> {
    let parts = text.split("{{#include ").skip(1);
    parts.filter_map(|part| Some(part.split_once("}}")?.0.to_owned())).collect()
}
