//! Bytes in device memory, on either kind of device.

use std::ops::Range;

use crate::either::either;
use crate::error::Error;
#[cfg(feature = "emulator")]
use crate::memory::emulated::{Allocation, EmulatedView};
use crate::memory::gpu::{GpuBuffer, GpuView, GpuViewMut};
use crate::place::Place;

/// Owned bytes.
#[derive(Debug)]
pub(crate) enum Buffer {
    Gpu(GpuBuffer),
    #[cfg(feature = "emulator")]
    Emulated(Allocation),
}

impl Buffer {
    pub(crate) fn view(&self) -> Storage<'_> {
        either!(Self, self, buffer => Storage of buffer.view())
    }

    pub(crate) fn view_mut(&mut self) -> StorageMut<'_> {
        either!(Self, self, buffer => StorageMut of buffer.view_mut())
    }

    /// Copies from the host over the first bytes, borrowed or not, and waits for the copy.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        either!(Self, self, buffer => buffer.write(bytes))
    }
}

/// Borrowed bytes that are read.
#[derive(Clone, Debug)]
pub(crate) enum Storage<'a> {
    Gpu(GpuView<'a>),
    #[cfg(feature = "emulator")]
    Emulated(EmulatedView<'a>),
}

/// Borrowed bytes that are written; the borrow is exclusive.
#[derive(Debug)]
pub(crate) enum StorageMut<'a> {
    Gpu(GpuViewMut<'a>),
    #[cfg(feature = "emulator")]
    Emulated(EmulatedView<'a>),
}

macro_rules! borrowed {
    ($($storage:ident),+) => { $(
        impl<'a> $storage<'a> {
            pub(crate) fn bytes(&self) -> usize {
                either!(Self, self, view => view.bytes())
            }

            pub(crate) fn address(&self) -> u64 {
                either!(Self, self, view => view.address())
            }

            pub(crate) fn place(&self) -> Place {
                either!(Self, self, view => view.place())
            }

            /// The bytes in `range`, which lies within [`Self::bytes`].
            pub(crate) fn slice(self, range: Range<usize>) -> $storage<'a> {
                debug_assert!(range.start <= range.end && range.end <= self.bytes());
                either!(Self, self, view => Self of view.slice(range))
            }
        }
    )+ };
}

borrowed!(Storage, StorageMut);

impl Storage<'_> {
    /// Copies the first bytes to the host and waits for the copy.
    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        either!(Self, self, view => view.download(bytes))
    }
}

impl StorageMut<'_> {
    pub(crate) fn reborrow(&mut self) -> StorageMut<'_> {
        either!(Self, self, view => StorageMut of view.reborrow())
    }

    pub(crate) fn as_ref(&self) -> Storage<'_> {
        either!(Self, self, view => Storage of view.as_ref())
    }

    /// Copies from the host over the first bytes and waits for the copy.
    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        either!(Self, self, view => view.upload(bytes))
    }

    /// Sets every byte to zero.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        either!(Self, self, view => view.clear())
    }
}
