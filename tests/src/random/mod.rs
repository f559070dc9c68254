//! Random specs of the whole key space: drawn, judged by brute force, run.
//!
//! What is right is decided without the generator: the laws are checked by simulation, the
//! numbers by a host function that is written beside each body.

pub mod brute_force;
pub mod draw;
mod operand;
pub mod run;
pub mod tensors;
mod written;
