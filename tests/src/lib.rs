//! The goldens and the harness that runs them: on the emulator in `cargo test`, on a GPU in the
//! program `gpu_suite`; one of them with what it costs in the program `check_kernel`.

/// The list of a module's tests.
macro_rules! self_tests {
    ($($name:ident),+ $(,)?) => {
        /// Their names and functions.
        pub(crate) const ALL: &[(&str, fn())] =
            &[$((concat!(module_path!(), "::", stringify!($name)), $name)),+];
    };
}

pub mod cases;
pub mod check;
pub mod data;
pub mod goldens;
pub mod instructions;
pub mod judge;
pub mod operand;
pub mod ownership;
mod pinned;
pub mod planted;
mod problem;
pub mod random;
pub mod raw;

pub use goldens::Golden;
pub use pinned::require_pinned_nvrtc;
pub use problem::{FAR_MEMORY, Problem};

use std::fmt::Display;
use std::process::ExitCode;

use gemm_runtime::Error;

/// The tests of this library, for the suite to run. As `#[test]`s they would have all of it compiled
/// a second time.
pub fn self_tests() -> Vec<(&'static str, fn())> {
    [
        cases::tests::ALL,
        check::access::tests::ALL,
        check::tests::ALL,
        data::tests::ALL,
        instructions::convert::tests::ALL,
        judge::tests::ALL,
        operand::tests::ALL,
        planted::plant::tests::ALL,
        planted::report::tests::ALL,
        random::brute_force::limits::tests::ALL,
    ]
    .concat()
}

/// Ends a program: a failure if what it checked is wrong, or if it could not check.
pub fn exit(is_right: Result<bool, impl Display>) -> ExitCode {
    match is_right {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Why an output is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The launch or a copy failed.
    #[error(transparent)]
    Runtime(#[from] Error),
    /// An element outside the output was written.
    #[error("the guard of the output was written at row {row}, column {column}")]
    Guard {
        /// Row relative to the output: -1 is above it.
        row: i64,
        /// Column relative to the output: below 0 is left of it.
        column: i64,
    },
    /// An element was left as it was.
    #[error("row {row}, column {column} was not written")]
    NotWritten {
        /// Row in the output.
        row: usize,
        /// Column in the output.
        column: usize,
    },
    /// An element is too far off.
    #[error("row {row}, column {column} is {got}, expected {expected} (may differ by {limit:.1e})")]
    Element {
        /// Row in the output.
        row: usize,
        /// Column in the output.
        column: usize,
        /// What was written.
        got: f64,
        /// What the reference has.
        expected: f64,
        /// By how much it may differ.
        limit: f64,
    },
    /// Every element passes, their norm does not.
    #[error("the relative error is {relative_error:.2e}, it may be {limit:.2e}")]
    Norm {
        /// `‖y − r‖ / ‖r‖`.
        relative_error: f64,
        /// What it may be.
        limit: f64,
    },
}
