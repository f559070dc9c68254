//! Runs every golden on the emulator, which refuses any access that a GPU might let pass, and
//! checks every element of the output.

use gemm_runtime::Device;
use gemm_tests::cases::{cases, slow};
use gemm_tests::{Golden, goldens};
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
    Ok(())
}
