//! [`Request`]: the addresses of one load of fragments.

use crate::hardware::WARP;
use crate::layout::{group_passes, load_groups};

/// What the lanes of a warp read at a time: all 32, or the eight rows of one matrix of `ldmatrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    addresses: [u32; WARP as usize],
    lanes: usize,
    bytes: u32,
}

impl Request {
    /// A load of `bytes` bytes by this number of lanes, each at its address from the start of the tile.
    pub(super) fn new(lanes: u32, bytes: u32, address: impl Fn(u32) -> u32) -> Request {
        let mut addresses = [0; WARP as usize];
        (0..lanes).zip(&mut addresses).for_each(|(lane, to)| *to = address(lane));
        Request { addresses, lanes: lanes as usize, bytes }
    }

    /// Where each lane reads, in bytes from the start of the tile.
    pub fn addresses(&self) -> &[u32] {
        &self.addresses[..self.lanes]
    }

    /// Bytes that a lane reads there.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The addresses of the lanes that are served together, with the passes that the banks need for
    /// them.
    pub fn groups(&self) -> impl Iterator<Item = (&[u32], u32)> {
        load_groups(self.addresses(), self.bytes)
            .map(|group| (group, group_passes(group, self.bytes)))
    }

    /// Passes that the banks need; 1 is conflict-free.
    pub fn bank_passes(&self) -> u32 {
        self.groups().map(|(_, passes)| passes).max().unwrap_or(0)
    }
}
