//! Errors of devices as errors of the runtime.

use super::{DriverError, Error};

impl From<DriverError> for Error {
    fn from(source: DriverError) -> Error {
        Error::Driver { kernel: None, source }
    }
}

#[cfg(feature = "emulator")]
impl From<gemm_emulator::MemoryError> for Error {
    fn from(source: gemm_emulator::MemoryError) -> Error {
        match source {
            // As on a GPU.
            gemm_emulator::MemoryError::OutOfMemory { requested, .. } => {
                Error::OutOfMemory { kernel: None, bytes: requested as usize }
            }
            source => Error::Memory { kernel: None, source },
        }
    }
}
