//! Several schedules of one spec, among which a launch chooses by its shape.
//!
//! No schedule suits every shape: a block of 128 × 256 is best for large products, few rows want
//! warps along K and many bytes in flight, small products many small blocks. [`candidates`] proves
//! a list of schedules; [`Footprint::seconds`] estimates for a launch which is the fastest. Of a function
//! that is `invariant` it chooses within a [class](fastest_class), which the rows do not decide.

mod class;
mod cost;
mod fitted;
mod footprint;
mod presets;

use std::thread;

use crate::plan::Plan;
use crate::proof;
use crate::rule::Diagnostics;
use crate::spec::Spec;
use presets::{CONVERTED, PRESETS, Preset};

pub use crate::hardware::Machine;
pub use class::{Member, fastest_class};
pub use cost::Shares;
pub use footprint::Footprint;

/// The id of the schedule that is derived as a whole.
pub const DERIVED: &str = "derived";

/// Threads that plan.
const MAX_THREADS: usize = 8;

/// A legal schedule of a spec.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Tells it from the other candidates of any spec, in all releases that have it: [`DERIVED`], or
    /// what is fixed of its schedule, such as `64x64x256B-2x2x2-4-split4`.
    pub id: String,
    /// Whether the factors of the product are exchanged: M of the plan is N of the spec.
    pub swapped: bool,
    /// Its proof.
    pub plan: Plan,
    /// The number of the first candidate whose bits its results have, of a spec that is `invariant`: a launch
    /// chooses among those of [one class](fastest_class). Those of any other spec are one class.
    pub class: usize,
}

/// The derived schedule, and after it the others that are legal: on all targets of the spec, or on
/// those whose shared memory holds them. The first is legal on all. Of a spec that is `invariant` they are those
/// whose sums depend on their factors and on K alone.
///
/// # Errors
/// What is wrong with the spec itself.
pub fn candidates(spec: &Spec) -> Result<Vec<Candidate>, Diagnostics> {
    let derived = Plan::new(spec)?;
    let plan = |preset: Preset| {
        let plan = proof::check(&preset.spec(spec, &derived)?).ok()?;
        Some(Candidate { id: preset.to_string(), swapped: preset.swapped, plan, class: 0 })
    };
    let legal = |preset: &Preset| {
        let candidate = plan(*preset)?;
        let fetching = if candidate.plan.loads_matrices() {
            let mut fewer = preset.with_fewer_stages().filter_map(plan);
            fewer.find(|other| other.plan.epilogue.fetched().is_some())
        } else {
            None
        };
        let candidate = fetching.unwrap_or(candidate);
        let is_one = !spec.schedule.invariant || candidate.plan.keeps_bits();
        is_one.then_some(candidate)
    };
    // The first launch of a function waits for this.
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    let converted = derived.mma.conversion().map_or(&CONVERTED[..0], |_| &CONVERTED);
    let presets: Vec<Preset> = PRESETS.iter().chain(converted).copied().collect();
    let others: Vec<Candidate> = thread::scope(|scope| {
        let parts = presets.chunks(presets.len().div_ceil(threads)).map(<[Preset]>::to_vec);
        let plan = |part: Vec<Preset>| {
            scope.spawn(move || part.iter().filter_map(legal).collect::<Vec<Candidate>>())
        };
        let planned: Vec<_> = parts.map(plan).collect();
        planned.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    });
    let first = Candidate { id: DERIVED.to_owned(), swapped: false, plan: derived, class: 0 };
    let mut all: Vec<Candidate> = std::iter::once(first).chain(others).collect();
    if spec.schedule.invariant {
        class::number(&mut all);
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
