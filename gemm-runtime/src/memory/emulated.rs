//! The memory of an emulated device, as bytes.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gemm_emulator::Memory;

use crate::error::Error;
use crate::place::Place;

/// The memory of one emulated device.
#[derive(Debug)]
pub(crate) struct EmulatedMemory {
    pub(crate) bytes: Memory,
    number: u64,
}

impl EmulatedMemory {
    /// A memory of at most `limit` bytes.
    pub(crate) fn new(limit: Option<u64>) -> EmulatedMemory {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        EmulatedMemory { bytes: limit.map_or_else(Memory::new, Memory::with_limit), number }
    }

    pub(crate) fn place(&self) -> Place {
        Place::Emulator { number: self.number }
    }
}

/// Owned bytes in an emulated memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    memory: Arc<EmulatedMemory>,
    address: u64,
    /// Without the padding of an empty buffer.
    bytes: usize,
}

impl Allocation {
    pub(crate) fn new(memory: Arc<EmulatedMemory>, bytes: usize) -> Result<Allocation, Error> {
        // An empty buffer has an address too.
        let address = memory.bytes.allocate(bytes.max(1) as u64)?;
        Ok(Allocation { memory, address, bytes })
    }

    pub(crate) fn view(&self) -> EmulatedView<'_> {
        EmulatedView { allocation: self, range: 0..self.bytes }
    }

    pub(crate) fn view_mut(&mut self) -> EmulatedView<'_> {
        self.view()
    }

    pub(crate) fn write(&self, start: usize, bytes: &[u8]) -> Result<(), Error> {
        self.view().slice(start..self.bytes).upload(bytes)
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if let Err(error) = self.memory.bytes.free(self.address) {
            tracing::error!(%error, "cannot free emulated memory at {:#x}", self.address);
        }
    }
}

/// Borrowed bytes in an emulated memory. The maker of a view decides whether it is written.
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
        self.allocation.memory.place()
    }

    pub(crate) fn slice(mut self, range: Range<usize>) -> EmulatedView<'a> {
        self.range = self.range.start + range.start..self.range.start + range.end;
        self
    }

    pub(crate) fn reborrow(&mut self) -> EmulatedView<'_> {
        self.clone()
    }

    pub(crate) fn as_ref(&self) -> EmulatedView<'_> {
        self.clone()
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        Ok(self.allocation.memory.bytes.read(self.address(), bytes)?)
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(self.allocation.memory.bytes.write(self.address(), bytes)?)
    }

    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        self.upload(&vec![0; self.bytes()])
    }
}
