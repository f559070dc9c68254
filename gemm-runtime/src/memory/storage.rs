//! Bytes in device memory, on either kind of device.

use std::ops::Range;

use crate::device::{Allocation, EmulatedView, GpuBuffer, GpuView, GpuViewMut};
use crate::error::Error;
use crate::place::Place;

/// Owned bytes.
#[derive(Debug)]
pub(crate) enum Buffer {
    Gpu(GpuBuffer),
    Emulated(Allocation),
}

impl Buffer {
    pub(crate) fn view(&self) -> Storage<'_> {
        match self {
            Buffer::Gpu(buffer) => Storage::Gpu(buffer.view()),
            Buffer::Emulated(allocation) => Storage::Emulated(allocation.view()),
        }
    }

    /// Copies from the host over the first bytes, borrowed or not, and waits for it.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Buffer::Gpu(buffer) => buffer.write(bytes),
            Buffer::Emulated(allocation) => allocation.view().upload(bytes),
        }
    }

    pub(crate) fn view_mut(&mut self) -> StorageMut<'_> {
        match self {
            Buffer::Gpu(buffer) => StorageMut::Gpu(buffer.view_mut()),
            Buffer::Emulated(allocation) => StorageMut::Emulated(allocation.view()),
        }
    }
}

/// Borrowed bytes that are read.
#[derive(Clone, Debug)]
pub(crate) enum Storage<'a> {
    Gpu(GpuView<'a>),
    Emulated(EmulatedView<'a>),
}

impl<'a> Storage<'a> {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Storage::Gpu(view) => view.bytes(),
            Storage::Emulated(view) => view.bytes(),
        }
    }

    pub(crate) fn address(&self) -> u64 {
        match self {
            Storage::Gpu(view) => view.address(),
            Storage::Emulated(view) => view.address(),
        }
    }

    pub(crate) fn place(&self) -> Place {
        match self {
            Storage::Gpu(view) => view.place(),
            Storage::Emulated(view) => view.place(),
        }
    }

    /// The bytes in `range`, which lies within [`Self::bytes`].
    pub(crate) fn slice(self, range: Range<usize>) -> Storage<'a> {
        debug_assert!(range.start <= range.end && range.end <= self.bytes());
        match self {
            Storage::Gpu(view) => Storage::Gpu(view.slice(range)),
            Storage::Emulated(view) => Storage::Emulated(view.slice(range)),
        }
    }

    /// Copies the first bytes to the host and waits for it.
    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            Storage::Gpu(view) => view.download(bytes),
            Storage::Emulated(view) => view.download(bytes),
        }
    }
}

/// Borrowed bytes that are written; nobody else can reach them during the borrow.
#[derive(Debug)]
pub(crate) enum StorageMut<'a> {
    Gpu(GpuViewMut<'a>),
    Emulated(EmulatedView<'a>),
}

impl<'a> StorageMut<'a> {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            StorageMut::Gpu(view) => view.bytes(),
            StorageMut::Emulated(view) => view.bytes(),
        }
    }

    pub(crate) fn address(&self) -> u64 {
        match self {
            StorageMut::Gpu(view) => view.address(),
            StorageMut::Emulated(view) => view.address(),
        }
    }

    pub(crate) fn place(&self) -> Place {
        match self {
            StorageMut::Gpu(view) => view.place(),
            StorageMut::Emulated(view) => view.place(),
        }
    }

    /// The bytes in `range`, which lies within [`Self::bytes`].
    pub(crate) fn slice(self, range: Range<usize>) -> StorageMut<'a> {
        debug_assert!(range.start <= range.end && range.end <= self.bytes());
        match self {
            StorageMut::Gpu(view) => StorageMut::Gpu(view.slice(range)),
            StorageMut::Emulated(view) => StorageMut::Emulated(view.slice(range)),
        }
    }

    pub(crate) fn reborrow(&mut self) -> StorageMut<'_> {
        match self {
            StorageMut::Gpu(view) => StorageMut::Gpu(view.reborrow()),
            StorageMut::Emulated(view) => StorageMut::Emulated(view.clone()),
        }
    }

    pub(crate) fn as_ref(&self) -> Storage<'_> {
        match self {
            StorageMut::Gpu(view) => Storage::Gpu(view.as_ref()),
            StorageMut::Emulated(view) => Storage::Emulated(view.clone()),
        }
    }

    /// Copies from the host over the first bytes and waits for it.
    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self {
            StorageMut::Gpu(view) => view.upload(bytes),
            StorageMut::Emulated(view) => view.upload(bytes),
        }
    }

    /// Sets every byte to zero.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        match self {
            StorageMut::Gpu(view) => view.clear(),
            StorageMut::Emulated(view) => view.upload(&vec![0; view.bytes()]),
        }
    }
}
