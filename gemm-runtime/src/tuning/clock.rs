//! [`Clock`]: what a launch takes, measured.

use gemm_codegen::Kernel;

use crate::error::Error;
use crate::launch::Prepared;

/// Times launches on a device.
pub(crate) trait Clock {
    /// Allocates what it needs, before the first launch is timed.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    fn ready(&mut self) -> Result<(), Error>;

    /// Seconds of a launch of `kernel`, which was launched before, so that it is loaded.
    ///
    /// # Errors
    /// Those of a launch.
    fn seconds(&mut self, kernel: &Kernel, launch: &mut Prepared<'_>) -> Result<f64, Error>;
}
