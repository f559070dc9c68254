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
            gemm_emulator::MemoryError::OutOfMemory { requested, limit, .. } => {
                Error::OutOfMemory { kernel: None, bytes: requested as usize, limit: Some(limit) }
            }
            source => Error::Memory { kernel: None, source },
        }
    }
}
