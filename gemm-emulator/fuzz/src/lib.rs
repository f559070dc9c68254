//! The fuzz targets without libFuzzer, so that the tests of `gemm-emulator` can run them.
//!
//! [`check`] has what must hold of any text; a [`Case`] is a real kernel with random edits and a random launch.

pub mod case;
pub mod check;
pub mod edit;
pub mod kernels;
pub mod words;

pub use case::Case;
