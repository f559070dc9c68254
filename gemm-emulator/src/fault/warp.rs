//! Wrong uses of the instructions of a warp.

use thiserror::Error;

/// A wrong use of an instruction that the lanes of a warp execute together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WarpProblem {
    /// Not all lanes that it needs execute it together.
    #[error("warp instruction needs lanes {needed:#010x}, but only {active:#010x} execute it")]
    InactiveLanes {
        /// The lanes that must take part.
        needed: u32,
        /// Those that do.
        active: u32,
    },
    /// A lane executes a warp-wide instruction whose member mask leaves it out.
    #[error("member mask {members:#010x} leaves out the executing lane")]
    NotAMember {
        /// The mask.
        members: u32,
    },
    /// A shuffle that reads from a lane that takes no part in it.
    #[error("shuffle reads from lane {lane}, which takes no part in it")]
    ShuffleSource {
        /// The lane read from.
        lane: u32,
    },
}
