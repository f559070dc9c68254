//! [`Place`]: the device that memory belongs to.

use std::fmt;

use cudarc::driver::CudaContext;

/// A device's identity: operands of one launch have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// A context on a GPU.
    Gpu {
        /// The driver's number of the GPU.
        ordinal: usize,
        /// Tells contexts on one GPU apart.
        context: usize,
    },
    /// An emulated device.
    Emulator {
        /// Counts the emulated devices of a process, from 1.
        number: u64,
    },
}

impl Place {
    /// The identity of a context.
    pub(crate) fn of(context: &CudaContext) -> Place {
        Place::Gpu { ordinal: context.ordinal(), context: context.cu_ctx() as usize }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Gpu { ordinal, .. } => write!(f, "GPU {ordinal}"),
            Place::Emulator { number } => write!(f, "emulator {number}"),
        }
    }
}
