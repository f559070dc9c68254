//! Faults of a launch.

mod access;
mod cluster;
mod launch;
mod mbarrier;
mod place;
mod tensor_store;
mod text;
mod violation;
mod warp;
mod warpgroup;

use thiserror::Error;

pub use access::{Allocation, Direction, Nearest};
pub use cluster::ClusterProblem;
pub use launch::LaunchError;
pub use mbarrier::{BarrierWait, MbarrierProblem, PhaseWait};
pub use place::{Place, SourceLine};
pub use tensor_store::TensorStoreProblem;
pub use violation::Violation;
pub use warp::WarpProblem;
pub use warpgroup::WarpgroupProblem;

/// Why a launch did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The launch could not start.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The kernel did something it must not.
    #[error("{violation}\n  {place}")]
    Violation {
        /// The violation.
        violation: Violation,
        /// Where.
        place: Box<Place>,
    },
}

impl Fault {
    /// The violation, if the launch started.
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Fault::Violation { violation, .. } => Some(violation),
            Fault::Launch(_) => None,
        }
    }

    /// Where it happened, if the launch started.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Fault::Violation { place, .. } => Some(place),
            Fault::Launch(_) => None,
        }
    }
}
