//! The commands.

pub(crate) mod check;
pub(crate) mod list;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod show;
pub(crate) mod tune;

use clap::Args;

/// A function, and one of its schedules.
#[derive(Args)]
pub(crate) struct Chosen {
    /// The function, by its name, its path or its place: `linear`, `layers::linear`, `linear::f16`
    /// of several element types, `src/layers.rs:12`
    name: String,
    /// The schedule, by the id that `cargo gemm list NAME` lists; by default the first
    #[arg(long, value_name = "ID")]
    candidate: Option<String>,
}
