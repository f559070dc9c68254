//! Compares the text of every golden with `goldens/NAME.cu` and what it costs on each target
//! with `goldens/NAME.ptxas`. `cargo xtask bless` rewrites both.

use std::fmt::Write as _;
use std::fs;

use expect_test::{ExpectFile, expect_file};
use gemm_tests::{Golden, goldens, require_pinned_nvrtc};
use libtest_mimic::Failed;

use crate::{Test, ptxas};

pub(crate) fn tests() -> Vec<Test> {
    let texts = goldens::ALL.iter().map(|golden| {
        let file = expect_file![format!("../../goldens/{}.cu", golden.name)];
        Test::new(format!("{}.cu", golden.name), move || {
            file.assert_eq(&golden.kernel.text);
            Ok(())
        })
    });
    let costs = goldens::ALL.iter().map(|golden| {
        let file = expect_file![format!("../../goldens/{}.ptxas", golden.name)];
        Test::new(format!("{}.ptxas", golden.name), move || compare_costs(golden, &file))
    });
    let orphans = [Test::new("no_file_is_an_orphan", no_file_is_an_orphan)];
    texts.chain(costs).chain(orphans).collect()
}

fn no_file_is_an_orphan() -> Result<(), Failed> {
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/goldens"))? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default();
        if !goldens::ALL.iter().any(|golden| stem == golden.name) {
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
