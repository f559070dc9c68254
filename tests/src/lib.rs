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

pub mod bits;
pub mod cases;
pub mod check;
pub mod goldens;
pub mod instructions;
pub mod ownership;
mod pinned;
pub mod planted;
pub mod random;
pub mod raw;
pub mod stored;

pub use gemm_check::{FAR_MEMORY, Failure, Problem, data, judge, operand};
pub use goldens::Golden;
pub use pinned::require_pinned_nvrtc;

use std::fmt::Display;
use std::process::ExitCode;

/// The tests of this library, for the suite to run. As `#[test]`s they would have all of it compiled
/// a second time.
pub fn self_tests() -> Vec<(&'static str, fn())> {
    [
        bits::approximate::tests::ALL,
        bits::tally::tests::ALL,
        cases::tests::ALL,
        instructions::convert::tests::ALL,
        planted::plant::tests::ALL,
        planted::report::tests::ALL,
        stored::changes::tests::ALL,
        stored::cut::tests::ALL,
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
