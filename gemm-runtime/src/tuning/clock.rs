//! [`Clock`]: measures the time of a launch.

use gemm_codegen::Kernel;

use crate::error::Error;

/// Launches a kernel once.
pub(crate) type Launch<'a> = dyn FnMut() -> Result<(), Error> + 'a;

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
    fn seconds(&mut self, kernel: &Kernel, launch: &mut Launch<'_>) -> Result<f64, Error>;
}
