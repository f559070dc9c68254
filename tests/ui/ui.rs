//! What rustc says about wrong `#[gemm]` functions.
//!
//! `cases/<rule id>.rs` breaks that rule; other names say what is wrong in a sentence.
//! `TRYBUILD=overwrite cargo test -p gemm-ui-tests` blesses the texts.
//!
//! A package of its own: what it depends on is compiled once more for the cases.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gemm_codegen::Rule;

/// What a message does not say: it says `is not a`, `the nearest legal value is`, `after`, `before`.
const UNCLEAR: [&str; 4] = ["is no", "is near", "behind", "in front"];

#[test]
fn errors_are_as_blessed() {
    // trybuild is content with none.
    assert!(Path::new("cases").is_dir(), "the cases are looked for in the folder of the package");
    // Cases that pass would make of this one build for each case instead of one check of all.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("cases/*.rs");
}

#[test]
fn every_rule_has_a_case_that_breaks_it() {
    for rule in Rule::ALL {
        let blessed = case(&format!("{rule}.stderr"));
        let text = std::fs::read_to_string(&blessed)
            .unwrap_or_else(|error| panic!("{}: {error}", blessed.display()));
        assert!(text.contains(&format!("= rule: {rule}\n")), "{rule} is not what {rule}.rs breaks");
    }
}

#[test]
fn messages_name_the_limit_in_plain_words() {
    let mut messages = 0;
    for entry in std::fs::read_dir(case("")).expect("the folder of cases is there") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_none_or(|extension| extension != "stderr") {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for line in text.lines().filter(|line| is_ours(line)) {
            let words = line.split(|c: char| !c.is_alphanumeric());
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            let line_of_words = format!(" {} ", words.join(" "));
            for phrase in UNCLEAR {
                let found = line_of_words.contains(&format!(" {phrase} "));
                assert!(!found, "`{phrase}` in {}: {line}", path.display());
            }
            messages += 1;
        }
    }
    assert!(messages > Rule::ALL.len(), "the messages are found");
}

/// Whether this line of rustc's output has a message or a help of ours, not lines of a case.
fn is_ours(line: &str) -> bool {
    line.starts_with("error") || line.trim_start().starts_with("= help: ")
}

#[test]
fn no_case_is_an_orphan() {
    let (mut cases, mut texts) = (BTreeSet::new(), BTreeSet::new());
    for entry in std::fs::read_dir(case("")).expect("the folder of cases is there") {
        let path = entry.expect("the folder can be read").path();
        let stem = path.file_stem().expect("a case has a name").to_string_lossy().into_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => cases.insert(stem),
            Some("stderr") => texts.insert(stem),
            _ => panic!("{} is not a case", path.display()),
        };
    }
    assert_eq!(cases, texts, "each case has its text");
    // Cases of rules are named by an id, with dashes; the others by a sentence, with underscores.
    for case in cases.iter().filter(|case| case.contains('-')) {
        assert!(Rule::ALL.iter().any(|rule| rule.id() == case), "{case} is not a rule");
    }
}

/// A file of the folder of cases.
fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(name)
}
