//! Runs every golden on the emulator, which refuses any access that a GPU might let pass, and
//! checks every element of the output.

use gemm_runtime::Device;
use gemm_tests::cases::{cases, far_case, has_every_alignment, slow, tries_every_kernel};
use gemm_tests::{FAR_MEMORY, Golden, goldens};
use libtest_mimic::Failed;

use crate::Test;

pub(crate) fn tests() -> Vec<Test> {
    goldens::ALL.iter().map(|golden| Test::new(golden.name, || run(golden))).collect()
}

fn run(golden: &'static Golden) -> Result<(), Failed> {
    let device = Device::emulator_with(slow());
    for case in cases(golden) {
        (golden.check)(&mut case.problem(&device))
            .map_err(|failure| format!("{case}: {failure}"))?;
    }
    if !has_every_alignment(golden) && !tries_every_kernel() {
        return Ok(());
    }
    let device = Device::emulator_with(slow().memory_limit(FAR_MEMORY));
    let far = far_case(golden);
    (golden.check)(&mut far.problem(&device).with_far_rows())
        .map_err(|failure| format!("far rows, {far}: {failure}"))?;
    Ok(())
}
