//! The golden kernels. Their texts are kept in `goldens` ([`stored`](crate::stored)) and what they cost on
//! each target in `goldens/NAME.ptxas`; the emulator and the GPU suite run each of them.
//!
//! Together they cover the operand and the schedule space: a change of the generator shows here
//! as a difference that can be read.

#[macro_use]
mod macros;

pub mod batched;
pub mod batched_in_place;
pub mod bodies;
pub mod bytes;
pub mod cache_policies;
pub mod converted;
pub mod coordinates;
pub mod deep_doubles;
pub mod doubles;
pub mod float8;
pub mod fma;
pub mod fma_doubles;
pub mod fma_in_place;
pub mod fma_transposed;
pub mod halves;
pub mod in_place;
pub mod in_turn;
pub mod integers;
pub mod ld_global;
pub mod nested;
pub mod orders;
pub mod outputs;
pub mod own_functions;
pub mod packed;
pub mod pdl;
pub mod pdl_in_place;
pub mod planes;
pub mod products;
pub mod products_of_several;
pub mod reductions;
pub mod scalars;
pub mod scalars_in_place;
pub mod schedules;
pub mod singles;
pub mod splits;
pub mod splits_in_place;
pub mod splits_of_batches;
pub mod splits_of_doubles;
pub mod splits_of_tail;
pub mod tensor_copies;
pub mod tensor_panels;
pub mod terms;
pub mod unread;
pub mod unread_in_place;
pub mod warpgroups;
pub mod warpgroups_float8;
pub mod warpgroups_in_place;
pub mod warps_along_k;

use std::sync::LazyLock;

use gemm_runtime::{Batching, Kernel, LaunchShape, Target};

use crate::Failure;
use crate::judge::Verdict;
use gemm_check::Problem;

/// Which indices of the output an operand has, by their names: goldens call those of two `Outer` and
/// `Heads`, and those of three `Batch`, `Groups` and `Heads`.
fn along(names: &[&str]) -> Batching {
    let all: &[&str] = match names {
        _ if names.contains(&"Outer") => &["Outer", "Heads"],
        _ if names.contains(&"Batch") || names.contains(&"Groups") => &["Batch", "Groups", "Heads"],
        _ => names,
    };
    Batching(all.iter().map(|index| names.contains(index)).collect())
}

/// The names that a topic uses.
mod prelude {
    pub(super) use gemm_runtime::prelude::*;
    pub(super) use gemm_runtime::{
        AsBatched as _, AsBatchedMut as _, AsMatrix as _, AsMatrixMut as _, AsScalar as _,
        AsVector as _, AsVectorMut as _,
    };
}

/// One golden kernel.
#[derive(Clone, Copy, Debug)]
pub struct Golden {
    /// Name of the function and of its files.
    pub name: &'static str,
    /// What was emitted.
    pub kernel: &'static Kernel,
    /// Launches it on a problem and judges the output.
    pub check: fn(&mut Problem<'_>) -> Result<Verdict, Failure>,
    /// The same with another kernel in its place: one of the same parameters, whose text was edited.
    pub check_kernel: fn(&mut Problem<'_>, &Kernel) -> Result<Verdict, Failure>,
}

/// Blackwell of data centres and of workstations, whose devices the tests do not have.
const COMPILED_ONLY: [Target; 2] = [Target::Sm100, Target::Sm120];

impl Golden {
    /// What the kernel is compiled for: its targets, and the Blackwell ones that run one of them and
    /// have the shared memory of a block.
    pub fn compiled_for(&self) -> Vec<Target> {
        let LaunchShape { targets, shared_bytes, .. } = &self.kernel.launch;
        let runs = |target: &Target| {
            target.limits().shared_bytes_per_block >= *shared_bytes
                && targets.iter().any(|least| least.runs_on(target.capability()))
        };
        let others = COMPILED_ONLY.into_iter().filter(|target| !targets.contains(target));
        targets.iter().copied().chain(others.filter(runs)).collect()
    }
}

/// The goldens by topic.
const TOPICS: &[&[Golden]] = &[
    orders::ALL,
    schedules::ALL,
    bodies::ALL,
    own_functions::ALL,
    converted::ALL,
    packed::ALL,
    coordinates::ALL,
    integers::ALL,
    singles::ALL,
    doubles::ALL,
    deep_doubles::ALL,
    in_place::ALL,
    in_turn::ALL,
    ld_global::ALL,
    float8::ALL,
    batched::ALL,
    batched_in_place::ALL,
    nested::ALL,
    halves::ALL,
    splits::ALL,
    splits_in_place::ALL,
    splits_of_batches::ALL,
    splits_of_doubles::ALL,
    splits_of_tail::ALL,
    scalars::ALL,
    scalars_in_place::ALL,
    fma::ALL,
    bytes::ALL,
    fma_doubles::ALL,
    fma_transposed::ALL,
    fma_in_place::ALL,
    warps_along_k::ALL,
    outputs::ALL,
    reductions::ALL,
    cache_policies::ALL,
    tensor_copies::ALL,
    warpgroups::ALL,
    warpgroups_float8::ALL,
    warpgroups_in_place::ALL,
    planes::ALL,
    tensor_panels::ALL,
    terms::ALL,
    unread::ALL,
    unread_in_place::ALL,
    pdl::ALL,
    pdl_in_place::ALL,
    products::ALL,
    products_of_several::ALL,
];

/// Every golden.
pub static ALL: LazyLock<Vec<Golden>> = LazyLock::new(|| TOPICS.concat());

/// The golden of a function.
///
/// # Errors
/// There is none of that name; the message lists those that there are.
pub fn named(name: &str) -> Result<&'static Golden, String> {
    let found = ALL.iter().find(|golden| golden.name == name);
    let names = || ALL.iter().map(|golden| golden.name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("there is no golden {name}; there are {}", names()))
}
