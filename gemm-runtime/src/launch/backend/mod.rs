//! The launch itself, on each kind of device.

#[cfg(feature = "emulator")]
pub(super) mod emulated;
pub(super) mod gpu;
pub(super) mod graph;
mod residency;
mod tensor_map;
