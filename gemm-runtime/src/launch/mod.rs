//! Arguments → a launch. `#[gemm]` writes calls of these functions; they can also be called directly
//! with a [`Kernel`](gemm_codegen::Kernel) that was made at run time.
//!
//! Everything that can be wrong with the arguments is found before anything is allocated, compiled,
//! launched or written.

mod alignment;
mod axis_extents;
mod backend;
mod bound;
mod choice;
mod claim;
mod claims;
mod copies;
mod extents;
mod graph;
mod measure;
mod outputs;
mod overlap;
mod packs;
mod prepared;
mod problem;
mod run;
mod steps;
mod tensor;
mod tiles;
mod workspace;

pub(crate) use copies::split;
pub(crate) use extents::agree;
pub(crate) use packs::{pack, unpack};

pub use crate::output_form::OutputForm;
pub use choice::choose::{choose, prepare_chosen};
pub use choice::kernels::{Choice, Kernels};
pub use graph::Graph;
pub use outputs::{NewOutput, NewOutputs, OutputExtents, OutputKind};
pub use prepared::Prepared;
pub use run::{into, prepare, report, run, run_batched, run_reduced, run_several};
