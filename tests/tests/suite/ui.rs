//! What rustc says about wrong `#[gemm]` functions.
//!
//! `ui/<rule id>.rs` breaks that rule; other names in `ui` say what is wrong in a sentence.
//! `TRYBUILD=overwrite cargo test -p gemm-tests --test suite ui::` blesses the texts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gemm_codegen::Rule;

use crate::Test;

pub(crate) fn tests() -> Vec<Test> {
    tests![errors_are_as_blessed, every_rule_has_a_case_that_breaks_it, no_case_is_an_orphan]
}

fn errors_are_as_blessed() {
    // Cases that pass would make of this one build for each case instead of one check of all.
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
}

fn every_rule_has_a_case_that_breaks_it() {
    for rule in Rule::ALL {
        let blessed = ui(&format!("{rule}.stderr"));
        let text = std::fs::read_to_string(&blessed)
            .unwrap_or_else(|error| panic!("{}: {error}", blessed.display()));
        assert!(text.contains(&format!("= rule: {rule}\n")), "{rule} is not what {rule}.rs breaks");
    }
}

fn no_case_is_an_orphan() {
    let (mut cases, mut texts) = (BTreeSet::new(), BTreeSet::new());
    for entry in std::fs::read_dir(ui("")).expect("the folder of cases is there") {
        let path = entry.expect("the folder can be read").path();
        let stem = path.file_stem().expect("a case has a name").to_string_lossy().into_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => cases.insert(stem),
            Some("stderr") => texts.insert(stem),
            _ => panic!("{} is no case", path.display()),
        };
    }
    assert_eq!(cases, texts, "each case has its text");
    // Cases of rules are named by an id, with dashes; the others by a sentence, with underscores.
    for case in cases.iter().filter(|case| case.contains('-')) {
        assert!(Rule::ALL.iter().any(|rule| rule.id() == case), "{case} is no rule");
    }
}

/// A file of the folder of cases.
fn ui(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(name)
}
