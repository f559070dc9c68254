//! Runs the PTX of a CUDA kernel on the CPU and checks every access.
//!
//! The text that NVRTC makes is parsed into a [`Module`]; [`Module::launch`] executes a grid over a [`Memory`]. The
//! emulator is strict: what the hardware leaves undefined is a [`Fault`] with its place in PTX and source.
//!
//! ```
//! use gemm_emulator::{Launch, Memory, Module};
//!
//! let ptx = ".version 8.0
//! .target sm_80
//! .address_size 64
//! .visible .entry store(.param .u64 out) {
//!     .reg .b32 %r<2>;
//!     .reg .b64 %rd<3>;
//!     ld.param.u64 %rd1, [out];
//!     mov.u32 %r1, %tid.x;
//!     mad.wide.u32 %rd2, %r1, 4, %rd1;
//!     st.global.u32 [%rd2], %r1;
//!     ret;
//! }";
//! let module = Module::parse(ptx)?;
//! let memory = Memory::new();
//! let out = memory.allocate(16)?;
//! let arguments = [out.to_le_bytes().to_vec()];
//! let launch = Launch { arguments: &arguments, ..Launch::new("store", [1, 1, 1], [4, 1, 1]) };
//! module.launch(&memory, &launch)?;
//! let mut bytes = [0; 16];
//! memory.read(out, &mut bytes)?;
//! assert_eq!(bytes[12..], [3, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod decode;
mod exec;
mod fault;
mod fragment;
mod lanes;
mod launch;
mod memory;
mod module;
mod number;
mod operand;
mod profile;
mod program;
mod ptx;
mod statistics;
mod tensor_map;
pub mod trace;

pub use fault::{
    Allocation, BarrierWait, ClusterProblem, Direction, Fault, LaunchError, MbarrierProblem,
    Nearest, PhaseWait, Place, SourceLine, TensorStoreProblem, Violation, WarpProblem,
    WarpgroupProblem,
};
pub use launch::{Launch, Progress};
pub use memory::{Memory, MemoryError};
pub use module::Module;
pub use operand::Operand;
pub use profile::{Class, Count, GlobalTraffic, InstructionProfile, Profile, SharedTraffic};
pub use ptx::{ParseError, Space};
pub use statistics::Statistics;
pub use tensor_map::{Swizzle, TensorMap, TensorMapError};
pub use trace::{Trace, TraceOptions};

/// Whether this crate was compiled with optimisation; without, a launch takes 25 to 60 times as long.
pub const IS_OPTIMISED: bool = cfg!(not(unoptimised));
