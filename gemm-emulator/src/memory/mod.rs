//! The memories of the emulated device.

mod buffer;
mod clocks;
mod global;
mod landing;
mod mbarrier;
mod order;
mod paged;
mod race;
mod reader;
mod shared;
mod thread;
mod tracks;
mod view;
mod writers;

pub(crate) use buffer::Buffer;
pub use global::{Memory, MemoryError};
pub(crate) use landing::Landing;
pub(crate) use mbarrier::{MbarrierArrival, Phase, Waiter};
pub(crate) use order::{BlockOrder, Order, Span};
pub(crate) use race::Race;
pub(crate) use reader::ReadingId;
pub(crate) use shared::{Shared, SharedProblem};
pub(crate) use thread::{Fixed, LocalLayout, Locals};
pub(crate) use view::{GlobalView, Miss, Need, Region};

use crate::ptx::Space;

/// Generic addresses of the spaces other than global lie in windows of this size.
const WINDOW_BYTES: u64 = 1 << 32;
const SHARED_WINDOW: u64 = 0x1000_0000_0000;
const LOCAL_WINDOW: u64 = 0x2000_0000_0000;
const PARAMETER_WINDOW: u64 = 0x3000_0000_0000;
/// Where the variables of a module start.
pub(crate) const MODULE_BASE: u64 = 0x6000_0000_0000;
/// Where allocations start; its low half is not a shared address, in case a pointer is cut to 32 bits.
const HEAP_BASE: u64 = 0x7000_4000_0000;
/// Alignment of allocations, and the least space left untouched between two.
pub(crate) const ALIGNMENT: u64 = 256;

/// The difference of a generic address of a space and the address within the space.
pub(crate) fn window(space: Space) -> u64 {
    match space {
        Space::Shared => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Parameter => PARAMETER_WINDOW,
        Space::Global | Space::Constant | Space::Generic => 0,
    }
}

/// The space a generic address lies in, and the address within it.
pub(crate) fn resolve(address: u64) -> (Space, u64) {
    for space in [Space::Shared, Space::Local, Space::Parameter] {
        let within = address.wrapping_sub(window(space));
        if within < WINDOW_BYTES {
            return (space, within);
        }
    }
    (Space::Global, address)
}
