//! The kernels of one function, and the key of a choice among them.

pub(super) mod candidate;
pub(super) mod choose;
pub(super) mod kernels;
pub(super) mod memo;
pub(super) mod query;
