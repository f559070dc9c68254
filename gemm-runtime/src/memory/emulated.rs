//! The memory of an emulated device, as bytes.

use std::ops::Range;
use std::sync::Arc;

use crate::device::emulated::Shared;
use crate::error::Error;
use crate::place::Place;

/// Owned bytes in an emulated memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    shared: Arc<Shared>,
    address: u64,
    /// Without the padding of an empty buffer.
    bytes: usize,
}

impl Allocation {
    pub(super) fn new(shared: Arc<Shared>, bytes: usize) -> Result<Allocation, Error> {
        // An empty buffer has an address too.
        let address = shared.memory.allocate(bytes.max(1) as u64)?;
        Ok(Allocation { shared, address, bytes })
    }

    pub(crate) fn view(&self) -> EmulatedView<'_> {
        EmulatedView { allocation: self, range: 0..self.bytes }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if let Err(error) = self.shared.memory.free(self.address) {
            tracing::error!(%error, "cannot free emulated memory at {:#x}", self.address);
        }
    }
}

/// Borrowed bytes in an emulated memory. Who makes a view decides whether it is written.
#[derive(Clone, Debug)]
pub(crate) struct EmulatedView<'a> {
    allocation: &'a Allocation,
    range: Range<usize>,
}

impl<'a> EmulatedView<'a> {
    pub(crate) fn bytes(&self) -> usize {
        self.range.len()
    }

    pub(crate) fn address(&self) -> u64 {
        self.allocation.address + self.range.start as u64
    }

    pub(crate) fn place(&self) -> Place {
        self.allocation.shared.place()
    }

    pub(crate) fn slice(mut self, range: Range<usize>) -> EmulatedView<'a> {
        self.range = self.range.start + range.start..self.range.start + range.end;
        self
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        Ok(self.allocation.shared.memory.read(self.address(), bytes)?)
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.allocation.shared.memory.write(self.address(), bytes)?)
    }
}
