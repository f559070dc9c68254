//! Checks a golden on the emulator and counts what it does: `cargo xtask check-kernel`.

use gemm_runtime::{Error, Kernel};

use crate::{Golden, Problem};

pub use gemm_check::{
    Counts, Finding, Options, Report, Subject, access, overview, page, parse_shape, parse_target,
};

/// Runs a golden with every check, and counts.
///
/// # Errors
/// What keeps it from being run: a missing libnvrtc, a target it is not legal on. What is wrong
/// with the kernel is part of the report.
pub fn check(golden: &Golden, options: &Options) -> Result<Report, Error> {
    check_kernel(golden, golden.kernel, options)
}

/// The same with another kernel in its place: one of the same parameters, whose text was edited.
///
/// # Errors
/// As [`check`].
pub fn check_kernel(golden: &Golden, kernel: &Kernel, options: &Options) -> Result<Report, Error> {
    let run = |problem: &mut Problem<'_>| (golden.check_kernel)(problem, kernel);
    let subject = Subject { name: golden.name, kernel, run: &run };
    gemm_check::check(&subject, options)
}
