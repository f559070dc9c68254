//! The types of the emulator's findings and counts, as in [`Error::Fault`](crate::Error::Fault),
//! [`Error::Parse`](crate::Error::Parse), [`Error::Memory`](crate::Error::Memory) and
//! [`LaunchProfile::statistics`](crate::LaunchProfile::statistics), and its traces.

pub use gemm_emulator::{
    Allocation, Class, Count, Direction, Fault, GlobalTraffic, InstructionProfile, LaunchError,
    MemoryError, Nearest, ParseError, Place, Profile, SharedTraffic, SourceLine, Space, Statistics,
    Trace, TraceOptions, Violation, trace,
};
