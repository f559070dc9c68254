//! Each bug that is planted in a golden is found by the emulator as what it is and where it is. Each is a
//! compilation: the gate looks for one of each kind in a group, `cargo xtask test --long` for all.

use std::collections::BTreeSet;
use std::env;

use expect_test::expect_file;
use gemm_runtime::{Device, EmulatorOptions};
use gemm_tests::cases::tries_every_kernel;
use gemm_tests::planted::{Bug, GROUPS, Group, row, table};
use gemm_tests::{FAR_MEMORY, goldens, require_pinned_nvrtc};
use libtest_mimic::Failed;

use crate::Test;
use crate::shared::{table_in, with_table};

pub(crate) fn tests() -> Vec<Test> {
    let found = tried().map(|bug| Test::new(bug.name, || Ok(bug.find().map(|_| ())?)));
    let others = [
        Test::new("every bug can be planted", every_bug_can_be_planted),
        Test::new("without bugs nothing is found", without_bugs_nothing_is_found),
        Test::new("names are unique", names_are_unique),
        Test::new("docs/emulator.md has the table", the_document_has_the_table),
    ];
    found.chain(others).collect()
}

fn bugs() -> impl Iterator<Item = &'static Bug> {
    GROUPS.iter().flat_map(|group| group.bugs)
}

/// Those that are looked for: in the gate the first one of each kind of violation in a group.
fn tried() -> impl Iterator<Item = &'static Bug> {
    let of_group = |group: &'static Group| {
        let mut seen = BTreeSet::new();
        group.bugs.iter().filter(move |bug| seen.insert(bug.pattern()) || tries_every_kernel())
    };
    GROUPS.iter().flat_map(of_group)
}

fn every_bug_can_be_planted() -> Result<(), Failed> {
    for bug in bugs() {
        bug.plant(goldens::named(bug.golden)?).map_err(|what| format!("{}: {what}", bug.name))?;
    }
    Ok(())
}

/// At the shapes that show the bugs.
fn without_bugs_nothing_is_found() -> Result<(), Failed> {
    let mut seen = BTreeSet::new();
    let device = Device::emulator_with(EmulatorOptions::default().memory_limit(FAR_MEMORY));
    let problem = |bug: &Bug| (bug.golden, bug.shape, bug.alignment, bug.is_far);
    for bug in tried().filter(|bug| seen.insert(problem(bug))) {
        let golden = goldens::named(bug.golden)?;
        (golden.check)(&mut bug.problem(&device)).map_err(|failure| {
            format!("{} at {:?}, {} B: {failure}", bug.golden, bug.shape, bug.alignment)
        })?;
    }
    Ok(())
}

fn names_are_unique() -> Result<(), Failed> {
    let mut seen = BTreeSet::new();
    match bugs().find(|bug| !seen.insert(bug.name)) {
        Some(bug) => Err(format!("there are two bugs {:?}", bug.name).into()),
        None => Ok(()),
    }
}

fn the_document_has_the_table() -> Result<(), Failed> {
    require_pinned_nvrtc()?;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/emulator.md");
    let document = std::fs::read_to_string(path)?;
    if tries_every_kernel() || env::var_os("UPDATE_EXPECT").is_some() {
        let expected = with_table(&document, "planted-bugs", &format!("{}\n", table()?));
        expect_file![path].assert_eq(&expected);
        return Ok(());
    }
    let table = table_in(&document, "planted-bugs");
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| Planted |");
    let rows: Vec<&str> =
        table.lines().filter(is_row).filter(|line| !line.starts_with("| --- |")).collect();
    let names: Vec<&str> = rows.iter().filter_map(|line| line.split(" | ").next()).collect();
    let expected: Vec<String> = bugs().map(|bug| format!("| {}", bug.name)).collect();
    if names != expected {
        return Err(format!("{path} has other bugs: {names:#?}").into());
    }
    for bug in tried() {
        let row = row(bug)?;
        if !rows.contains(&row.trim_end()) {
            return Err(format!("{path} has no line {row}").into());
        }
    }
    Ok(())
}
