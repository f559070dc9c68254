//! The inputs that fuzzing found to be unlike each other, and those that once failed.

use std::collections::HashSet;
use std::mem::discriminant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use gemm_emulator::Violation;

use super::fuzz::{Case, check};

/// Gives each kept input of a target to `f`, as libFuzzer would.
fn replay(target: &str, mut f: impl FnMut(&[u8])) -> usize {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let folders = ["corpus", "regressions"].map(|kind| home.join(kind).join(target));
    let files = folders.into_iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let mut paths: Vec<_> = files.map(|file| file.expect("a file of a folder").path()).collect();
    paths.sort();
    for path in &paths {
        let bytes = std::fs::read(path).expect("an input");
        let result = catch_unwind(AssertUnwindSafe(|| f(&bytes)));
        assert!(result.is_ok(), "{} fails", path.display());
    }
    paths.len()
}

#[test]
fn texts_are_parsed_or_refused_with_their_line() {
    let (mut parsed, mut reasons) = (0, HashSet::new());
    let texts = replay("parse", |bytes| {
        let text = <&str>::arbitrary_take_rest(Unstructured::new(bytes)).expect("some text");
        match check::parse(text) {
            Ok(_) => parsed += 1,
            Err(error) => drop(reasons.insert(error.what)),
        }
    });
    assert!(texts >= 30 && parsed >= 5 && reasons.len() >= 15, "{texts}, {parsed}, {reasons:?}");
}

#[test]
fn edited_kernels_run_or_stop_at_their_place() {
    let (mut finished, mut kinds) = (0, HashSet::new());
    let cases = replay("run", |bytes| {
        let case = Case::arbitrary_take_rest(Unstructured::new(bytes)).expect("a case");
        let result = case.run();
        if case.is_of_one_block() {
            assert_eq!(result, case.run(), "it depends on chance\n{}", case.text().1);
        }
        match result {
            Ok(_) => finished += 1,
            Err(fault) => kinds.extend(fault.violation().map(discriminant::<Violation>)),
        }
    });
    let kinds = kinds.len();
    assert!(cases >= 30 && finished >= 3 && kinds >= 6, "{cases}, {finished}, {kinds} kinds");
}
