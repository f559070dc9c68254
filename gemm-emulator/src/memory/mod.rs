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
pub(crate) use clocks::Team;
pub use global::{Memory, MemoryError};
pub(crate) use landing::Landing;
pub(crate) use mbarrier::{MbarrierArrival, Phase, Waiter};
pub(crate) use order::{BlockOrder, Order, Span};
pub(crate) use race::{Race, Timeline};
pub(crate) use reader::ReadingId;
pub(crate) use shared::{Left, Shared, SharedProblem, Start};
pub(crate) use thread::{Fixed, LocalLayout, Locals};
pub(crate) use view::{GlobalView, Miss, Need, Region};

use crate::ptx::Space;

/// Generic addresses of the spaces other than global lie in windows of this size.
const WINDOW_BYTES: u64 = 1 << 32;
const SHARED_WINDOW: u64 = 0x1000_0000_0000;
/// Above this bit, an address of shared memory has the rank of its block in the cluster, plus 1; 0 is the own block.
const RANK_SHIFT: u32 = 24;
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
        Space::Shared | Space::Cluster => SHARED_WINDOW,
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
            let elsewhere = space == Space::Shared && within >> RANK_SHIFT != 0;
            return (if elsewhere { Space::Cluster } else { space }, within);
        }
    }
    (Space::Global, address)
}

/// The address, in the space of its cluster, of what lies at an offset in the shared memory of a block.
pub(crate) fn cluster_address(rank: u32, offset: u64) -> u64 {
    u64::from(rank + 1) << RANK_SHIFT | offset & ((1 << RANK_SHIFT) - 1)
}

/// The rank of the block that an address in the space of a cluster belongs to, none for the own one, and the offset
/// in its shared memory.
pub(crate) fn cluster_place(address: u64) -> (Option<u32>, u64) {
    let rank = (address >> RANK_SHIFT).checked_sub(1);
    let rank = rank.map(|rank| u32::try_from(rank).unwrap_or(u32::MAX));
    (rank, address & ((1 << RANK_SHIFT) - 1))
}
