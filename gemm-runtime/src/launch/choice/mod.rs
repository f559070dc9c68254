//! The kernels of one function, and what a choice among them depends on.

pub(super) mod candidate;
pub(super) mod kernels;
mod memo;
pub(super) mod query;
