//! Compares the text of every golden with its files in `goldens` and what it costs on each target
//! with `goldens/NAME.ptxas`. `cargo xtask bless` rewrites both.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use expect_test::{ExpectFile, expect_file};
use gemm_tests::stored::{Changes, Stored, read};
use gemm_tests::{Golden, goldens, require_pinned_nvrtc};
use libtest_mimic::Failed;

use crate::shared::check_emitted;
use crate::{Test, ptxas};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/goldens");

pub(crate) fn tests() -> Vec<Test> {
    let texts = goldens::ALL
        .iter()
        .map(|golden| Test::new(format!("{}.cu", golden.name), || compare_text(golden)));
    let costs = goldens::ALL.iter().map(|golden| {
        let file = expect_file![format!("../../goldens/{}.ptxas", golden.name)];
        Test::new(format!("{}.ptxas", golden.name), move || compare_costs(golden, &file))
    });
    let folder = [
        Test::new("no_file_is_an_orphan", no_file_is_an_orphan),
        Test::new("the_files_are_those_of_the_texts", the_files_are_those_of_the_texts),
    ];
    texts.chain(costs).chain(folder).collect()
}

/// Rewrites files instead of comparing them.
fn updates() -> bool {
    env::var_os("UPDATE_EXPECT").is_some()
}

/// The text that the files determine is the one that was emitted, byte for byte.
fn compare_text(golden: &Golden) -> Result<(), Failed> {
    if updates() {
        return Ok(()); // another test is writing the files, of the same texts
    }
    let (kept, emitted) = (read::text(Path::new(FOLDER), golden.name)?, &*golden.kernel.text);
    check_emitted(golden.kernel)?;
    if kept == emitted {
        return Ok(());
    }
    let mut lines = (1..).zip(kept.lines().zip(emitted.lines()));
    let (number, (kept, emitted)) =
        lines.find(|(_, (kept, emitted))| kept != emitted).ok_or("the length differs")?;
    Err(format!("line {number}\nof the golden: {kept}\nas emitted:    {emitted}").into())
}

/// What the texts have in common is in one file, each file is used, and together they determine the texts.
/// Says what changed.
fn the_files_are_those_of_the_texts() -> Result<(), Failed> {
    let texts: Vec<_> =
        goldens::ALL.iter().map(|golden| (golden.name, &*golden.kernel.text)).collect();
    let emitted = Stored::of(&texts);
    for (name, text) in texts {
        if emitted.text(name)? != text {
            return Err(format!("the files of {name} determine another text").into());
        }
    }
    let kept = Stored::read(Path::new(FOLDER))?;
    let changes = Changes::new(&kept, &emitted);
    if updates() {
        emitted.write(Path::new(FOLDER), &kept)?;
        print!("{changes}");
    } else if kept != emitted {
        return Err(format!("{changes}`cargo xtask bless` rewrites the files").into());
    }
    Ok(())
}

fn no_file_is_an_orphan() -> Result<(), Failed> {
    for entry in fs::read_dir(FOLDER)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default();
        if path.is_file() && !goldens::ALL.iter().any(|golden| stem == golden.name) {
            return Err(format!("{} belongs to no golden", path.display()).into());
        }
    }
    Ok(())
}

fn compare_costs(golden: &Golden, file: &ExpectFile) -> Result<(), Failed> {
    let version = require_pinned_nvrtc()?;
    let kernel = golden.kernel;
    let mut costs = format!("NVRTC {version}\n");
    for target in golden.compiled_for() {
        let cost = ptxas::cost(kernel, target)?;
        if !cost.fits() && kernel.launch.targets.contains(&target) {
            return Err(format!("{target}: {cost:?}: a golden has to fit its registers").into());
        }
        writeln!(
            costs,
            "{:<7}{:>4} registers, {} B spilled, {:>6} B shared",
            target.name(),
            cost.registers,
            cost.spilled,
            kernel.launch.shared_bytes + cost.shared,
        )?;
    }
    file.assert_eq(&costs);
    Ok(())
}
