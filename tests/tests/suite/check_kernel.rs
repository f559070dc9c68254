//! docs/emulator.md shows what `cargo xtask check-kernel` prints. `UPDATE_EXPECT=1` rewrites it.

use std::path::PathBuf;
use std::{env, fs};

use gemm_runtime::{Kernel, Shape, Target};
use gemm_tests::check::{Counts, Finding, Options, Report, check, check_kernel, overview, page};
use gemm_tests::data::Alignment;
use gemm_tests::{Golden, goldens, require_pinned_nvrtc};

use crate::Test;

/// The goldens in docs/emulator.md, each with the beginnings of the paragraphs that are shown.
const SHOWN: [(&str, &[&str]); 2] = [
    ("km_kn_nm", &["km_kn_nm, ", "no fault", "| global", "| shared", "| device"]),
    ("conflicts_no_swizzle", &["conflicts_no_swizzle, ", "no fault", "| shared", "| conflicts"]),
];

/// What the command does without options.
const USUAL: Options = Options {
    shape: None,
    alignment: Alignment::LINES,
    seed: 1,
    target: None,
    constants: Vec::new(),
};

fn golden(name: &str) -> &'static Golden {
    goldens::named(name).expect("it is a golden")
}

fn report(name: &str) -> Report {
    check(golden(name), &USUAL).expect("it can be checked")
}

/// The report of a golden whose text was edited.
fn edited(name: &str, from: &str, to: &str) -> Report {
    let golden = golden(name);
    assert!(golden.kernel.text.contains(from), "{from}");
    let kernel =
        Kernel { text: golden.kernel.text.replace(from, to).into(), ..golden.kernel.clone() };
    check_kernel(golden, &kernel, &USUAL).expect("it can be checked")
}

pub(crate) fn tests() -> Vec<Test> {
    tests![
        the_document_shows_what_the_command_prints,
        a_kernel_that_is_not_legal_on_sm_80_is_checked_on_its_lowest_target,
        a_check_counts_the_same_each_time,
        a_fault_is_shown_in_full_and_counts_nothing,
        a_wrong_output_is_shown_with_what_was_counted,
        the_counts_are_those_of_the_shape,
        narrow_rows_waste_sectors_and_the_plan_is_silent_about_narrow_copies,
        an_edge_is_checked_as_well_as_whole_tiles
    ]
}

fn the_document_shows_what_the_command_prints() {
    require_pinned_nvrtc().expect("the pinned NVRTC");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/emulator.md");
    let mut document = fs::read_to_string(&path).expect("docs/emulator.md");
    for (name, paragraphs) in SHOWN {
        let prints = excerpt(&page(&report(name)), paragraphs);
        let start = format!("```text\n$ cargo xtask check-kernel {name}\n");
        let shows = document.split_once(&start).and_then(|(_, rest)| rest.split_once("```"));
        let shows = shows.unwrap_or_else(|| panic!("docs/emulator.md has no {start}")).0.to_owned();
        if masked(&shows) == masked(&prints) {
            continue;
        }
        if env::var_os("UPDATE_EXPECT").is_none() {
            panic!("docs/emulator.md shows\n{shows}\nbut the command prints\n{prints}");
        }
        document = document.replace(&(start.clone() + &shows), &(start + &prints));
        fs::write(&path, &document).expect("docs/emulator.md can be written");
    }
}

/// The paragraphs that begin like this, with `...` where others are left out.
fn excerpt(page: &str, beginnings: &[&str]) -> String {
    let shown = |paragraph: &str| beginnings.iter().any(|start| paragraph.starts_with(start));
    let mut kept: Vec<&str> = Vec::new();
    for paragraph in page.trim_end().split("\n\n") {
        if shown(paragraph) {
            kept.push(paragraph);
        } else if kept.last() != Some(&"...") {
            kept.push("...");
        }
    }
    assert_eq!(kept.iter().filter(|one| **one != "...").count(), beginnings.len(), "{page}");
    kept.join("\n\n") + "\n"
}

/// Without what differs from run to run and from machine to machine.
fn masked(text: &str) -> String {
    let mask = |line: &str| match line.split_once(" warp instructions in ") {
        Some((count, _time)) => format!("{count} warp instructions"),
        None => match line.split_once(", NVRTC ") {
            Some((before, _version)) => before.to_owned(),
            None => line.to_owned(),
        },
    };
    text.lines().map(mask).collect::<Vec<_>>().join("\n")
}

fn a_kernel_that_is_not_legal_on_sm_80_is_checked_on_its_lowest_target() {
    let mut lowest: Vec<String> = Vec::new();
    for name in ["tensor", "float8", "derived_sm_75"] {
        let report = report(name);
        assert!(report.is_right(), "{report:?}");
        lowest.push(report.target);
    }
    assert_eq!(lowest, ["sm_90", "sm_89", "sm_75"]);
}

fn a_check_counts_the_same_each_time() {
    let [first, second] = [(), ()].map(|()| report("small_tile"));
    assert!(first.is_right(), "{first:?}");
    assert_eq!(first.counts, second.counts);
    assert_eq!(first.finding, second.finding);
}

fn a_fault_is_shown_in_full_and_counts_nothing() {
    let report = edited("small_tile", "cp_async_wait<STAGES - 2>();", "");
    let Finding::Fault(what) = &report.finding else { panic!("{report:?}") };
    assert!(what.contains("cp.async") && what.contains("small_tile.cu:"), "{what}");
    assert!(!report.is_right() && report.counts.is_none());
    assert!(page(&report).ends_with(&format!("\nfault: {what}\n")), "{}", page(&report));
    assert!(overview(&[report]).contains("FAULT"));
}

fn a_wrong_output_is_shown_with_what_was_counted() {
    let report = edited("small_tile", "return acc;", "return acc + 1.0f;");
    assert!(matches!(report.finding, Finding::Wrong(_)) && !report.is_right(), "{report:?}");
    let page = page(&report);
    assert!(page.contains("\noutput wrong: row 0, column 0 is "), "{page}");
    assert!(page.contains("| mma "), "{page}");
    assert!(overview(&[report]).contains("WRONG"));
}

/// What whole tiles decide: 2 × 2 blocks of 32 × 16 × 32 and 4 tiles along K, in f16.
fn the_counts_are_those_of_the_shape() {
    let report = report("small_tile");
    let counts: &Counts = report.counts.as_ref().expect("it ran");
    assert_eq!((report.shape, report.blocks, report.threads), ([64, 32, 128], 4, 32));
    let executed = |name: &str| {
        counts.classes.iter().find(|class| class.name == name).map(|class| class.executed)
    };
    // Atoms of 16 × 8 × 16, by one warp.
    assert_eq!(executed("mma"), Some(4 * 4 * (2 * 2 * 2)));
    assert_eq!(counts.classes.iter().map(|class| class.executed).sum::<u64>(), counts.instructions);
    let of_functions = counts.functions.iter().map(|function| function.executed.executed);
    assert_eq!(of_functions.sum::<u64>(), counts.instructions);
    let [a, b, stores] = &*counts.global else { panic!("{counts:?}") };
    // Each block copies its rows of A and its columns of B; rows of 32 bytes are whole sectors.
    assert_eq!((a.bytes, b.bytes), (4 * 32 * 128 * 2, 4 * 16 * 128 * 2));
    assert_eq!(stores.bytes, 64 * 32 * 2);
    assert!(counts.global.iter().all(|global| global.bytes_per_sector == 32.0), "{counts:?}");
}

fn narrow_rows_waste_sectors_and_the_plan_is_silent_about_narrow_copies() {
    let narrow = Options { alignment: Alignment::Bytes(4), ..USUAL };
    let report = check(golden("small_tile"), &narrow).expect("it can be checked");
    let counts = report.counts.as_ref().expect("it ran");
    assert!(counts.global[0].bytes_per_sector < 29.0, "{:?}", counts.global[0]);
    assert!(counts.shared.iter().all(|shared| shared.plan.is_none()));
}

fn an_edge_is_checked_as_well_as_whole_tiles() {
    let shape = Some(Shape { m: 33, n: 17, k: 65 });
    let options = Options { shape, target: Some(Target::Sm90), ..USUAL };
    let report = check(golden("small_tile"), &options).expect("it can be checked");
    assert!(report.is_right(), "{report:?}");
    assert_eq!((report.shape, report.target.as_str()), ([33, 17, 65], "sm_90"));
    assert!(page(&report).starts_with("small_tile, 33x17x65, rows aligned to 128 B, seed 1\n"));
}
