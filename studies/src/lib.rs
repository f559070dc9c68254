//! Studies of the goldens and of the emulator that the gate does not run: mutants of three goldens,
//! the emulator's counts against those of a GPU's profiler, and its instructions against a GPU.

pub mod calibration;
pub mod mutants;
