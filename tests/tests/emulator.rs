//! Runs every golden on the emulator, which refuses any access that a GPU might let pass, and
//! checks every element of the output.

use gemm_runtime::Device;
use gemm_tests::cases::{cases, slow};
use gemm_tests::{Golden, goldens};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let tests = goldens::ALL.iter().map(|golden| Trial::test(golden.name, || run(golden)));
    libtest_mimic::run(&Arguments::from_args(), tests.collect()).exit();
}

fn run(golden: &'static Golden) -> Result<(), Failed> {
    let device = Device::emulator_with(slow());
    for case in cases(golden) {
        (golden.check)(&mut case.problem(&device))
            .map_err(|failure| format!("{case}: {failure}"))?;
    }
    Ok(())
}
