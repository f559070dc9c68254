//! What the fuzz targets do, apart from libFuzzer, so that the tests of `gemm-emulator` can do it too.
//!
//! [`check`] has what must hold of any text; a [`Case`] is a real kernel with random edits and a random launch.

pub mod case;
pub mod check;
pub mod edit;
pub mod kernels;
pub mod words;

pub use case::Case;
