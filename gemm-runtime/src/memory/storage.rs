//! Bytes in device memory, on either kind of device.

use std::ops::Range;

use crate::either::either;
use crate::error::Error;
#[cfg(feature = "emulator")]
use crate::memory::emulated::{Allocation, EmulatedView};
use crate::memory::gpu::{GpuBuffer, GpuView, GpuViewMut};
use crate::memory::shared_bytes::SharedBytes;
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

    /// Copies from the host over the bytes from `start` on, borrowed or not, and waits for the copy.
    pub(crate) fn write(&self, start: usize, bytes: &[u8]) -> Result<(), Error> {
        either!(Self, self, buffer => buffer.write(start, bytes))
    }

    /// Makes its own stream wait for the work of other streams on it, so that the order of that stream
    /// alone is enough from now on.
    ///
    /// # Errors
    /// [`Error::PerThreadStream`], [`Error::Driver`].
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        match self {
            Buffer::Gpu(buffer) => buffer.settle(),
            #[cfg(feature = "emulator")]
            Buffer::Emulated(_) => Ok(()),
        }
    }
}

/// Bytes that are read, borrowed or shared.
#[derive(Clone, Debug)]
pub(crate) enum Storage<'a> {
    Gpu(GpuView<'a>),
    #[cfg(feature = "emulator")]
    Emulated(EmulatedView<'a>),
    Shared(SharedBytes),
}

/// Bytes that are written; a borrow is exclusive.
#[derive(Debug)]
pub(crate) enum StorageMut<'a> {
    Gpu(GpuViewMut<'a>),
    #[cfg(feature = "emulator")]
    Emulated(EmulatedView<'a>),
    Shared(SharedBytes),
}

/// As [`either!`](crate::either::either), for bytes that may be shared.
macro_rules! each {
    ($kind:ident, $value:expr, $it:ident => $target:ident of $result:expr) => {
        match $value {
            $kind::Gpu($it) => $target::Gpu($result),
            #[cfg(feature = "emulator")]
            $kind::Emulated($it) => $target::Emulated($result),
            $kind::Shared($it) => $target::Shared($result),
        }
    };
    ($kind:ident, $value:expr, $it:ident => $result:expr) => {
        match $value {
            $kind::Gpu($it) => $result,
            #[cfg(feature = "emulator")]
            $kind::Emulated($it) => $result,
            $kind::Shared($it) => $result,
        }
    };
}

macro_rules! borrowed {
    ($($storage:ident),+) => { $(
        impl<'a> $storage<'a> {
            pub(crate) fn bytes(&self) -> usize {
                each!(Self, self, view => view.bytes())
            }

            pub(crate) fn address(&self) -> u64 {
                each!(Self, self, view => view.address())
            }

            pub(crate) fn place(&self) -> Place {
                each!(Self, self, view => view.place())
            }

            /// The shared bytes that these are.
            pub(crate) fn shared(&self) -> Option<&SharedBytes> {
                match self {
                    Self::Shared(bytes) => Some(bytes),
                    _ => None,
                }
            }

            /// The bytes in `range`, which lies within [`Self::bytes`].
            pub(crate) fn slice(self, range: Range<usize>) -> $storage<'a> {
                debug_assert!(range.start <= range.end && range.end <= self.bytes());
                each!(Self, self, view => Self of view.slice(range))
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
        each!(Self, self, view => view.download(bytes))
    }
}

impl StorageMut<'_> {
    pub(crate) fn reborrow(&mut self) -> StorageMut<'_> {
        each!(Self, self, view => StorageMut of view.reborrow())
    }

    pub(crate) fn as_ref(&self) -> Storage<'_> {
        each!(Self, self, view => Storage of view.as_ref())
    }

    /// Copies from the host over the first bytes and waits for the copy.
    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        each!(Self, self, view => view.upload(bytes))
    }

    /// Sets every byte to zero.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        each!(Self, self, view => view.clear())
    }
}
