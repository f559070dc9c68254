//! [`SharedBytes`]: bytes that several handles and launches own together.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use crate::error::Error;
use crate::memory::storage::Buffer;
use crate::place::Place;

/// A part of a buffer that has several owners. It is written through any of them: no reference leads
/// into device memory, and the emulator's is made of atomics.
#[derive(Clone, Debug)]
pub(crate) struct SharedBytes {
    buffer: Arc<Buffer>,
    range: Range<usize>,
}

impl SharedBytes {
    /// All bytes of a buffer that is used on its own stream alone.
    pub(crate) fn new(buffer: Arc<Buffer>) -> SharedBytes {
        let range = 0..buffer.view().bytes();
        SharedBytes { buffer, range }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.range.len()
    }

    pub(crate) fn address(&self) -> u64 {
        self.buffer.view().address() + self.range.start as u64
    }

    pub(crate) fn place(&self) -> Place {
        self.buffer.view().place()
    }

    /// The stream that orders all work on them; `None` on the emulator.
    pub(crate) fn stream(&self) -> Option<&Arc<CudaStream>> {
        match &*self.buffer {
            Buffer::Gpu(buffer) => Some(buffer.stream()),
            #[cfg(feature = "emulator")]
            Buffer::Emulated(_) => None,
        }
    }

    pub(crate) fn slice(mut self, range: Range<usize>) -> SharedBytes {
        self.range = self.range.start + range.start..self.range.start + range.end;
        self
    }

    pub(crate) fn reborrow(&self) -> SharedBytes {
        self.clone()
    }

    pub(crate) fn as_ref(&self) -> SharedBytes {
        self.clone()
    }

    pub(crate) fn into_buffer(self) -> Arc<Buffer> {
        self.buffer
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        self.buffer.view().slice(self.range.clone()).download(bytes)
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<(), Error> {
        self.buffer.write(self.range.start, bytes)
    }

    pub(crate) fn clear(&self) -> Result<(), Error> {
        self.upload(&vec![0; self.bytes()])
    }
}
