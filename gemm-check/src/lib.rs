//! Checks a kernel on the emulator against a host reference, and counts what it does: the library
//! of `cargo gemm check` and of the tests of this workspace.
//!
//! [`check`] runs a [`Subject`] and returns a [`Report`], which [`page`] and [`overview`] print. A
//! [`Problem`] is one launch: operands of random data inside guards, at a shape and an alignment,
//! and the verdict of [`judge`] on what was written. [`dynamic`] launches and judges the kernel of
//! any [`Plan`](gemm_codegen::Plan); its reference evaluates the body.

#![forbid(unsafe_code)]

mod bar;
mod constant;
pub mod data;
pub mod dynamic;
mod exactness;
mod failure;
pub mod judge;
mod machine;
mod numbers;
pub mod operand;
mod problem;
pub mod record;
mod report;

pub use bar::with_bar;
pub use constant::Constant;
pub use exactness::Exactness;
pub use failure::Failure;
pub use machine::{SLOW, deep_enough, slow, usual_target, whole_tiles};
pub use problem::{FAR_MEMORY, Problem};
pub use report::{
    Conflict, Counts, Executed, Finding, Function, Global, Line, Options, Report, Shared, Subject,
    access, check, check_plan, overview, page, parse_shape, parse_target, trace_plan,
};
