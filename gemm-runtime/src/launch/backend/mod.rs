//! The launch itself, on each kind of device.

pub(super) mod accesses;
#[cfg(feature = "emulator")]
pub(super) mod emulated;
pub(super) mod gpu;
pub(super) mod graph;
mod residency;
mod tensor_map;
