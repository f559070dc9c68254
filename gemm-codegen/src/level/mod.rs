//! The levels of the tiling, outermost first. Each has its rules, its part of the plan and its
//! part of the emitted text.

pub mod epilogue;
pub mod feed;
pub mod global_to_shared;
pub mod mma;
pub mod pdl;
pub mod pipeline;
pub mod scheduler;
pub mod shared_tile;
pub mod shared_to_register;
pub mod warps;
