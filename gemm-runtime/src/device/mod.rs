//! [`Device`]: a GPU or the emulator.

mod batched;
#[cfg(feature = "emulator")]
pub(crate) mod emulated;
pub(crate) mod gpu;
mod gpu_clock;
mod matrix;
mod pack;
pub(crate) mod predecessor;
mod scalar;
mod split;
mod support;
mod tuning;

#[cfg(feature = "emulator")]
pub use emulated::{EmulatorOptions, LaunchProfile, Progress};

use std::fmt;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use gemm_codegen::Kernel;

use crate::either::either;
use crate::error::Error;
use crate::memory::Buffer;
use crate::place::Place;
use crate::report::Report;
use crate::tuning::Tuning;
#[cfg(feature = "emulator")]
use emulated::Emulated;
use gpu::Gpu;

/// A GPU or the emulator: it has memory and runs kernels.
///
/// Cheap to clone; the clones are the same device. Kernels that a GPU's context has loaded stay
/// loaded for the life of the process, whichever `Device` loaded them.
///
/// A `Device` and what lies in its memory are `Send` and `Sync`: several threads may launch on one at a time. A GPU
/// runs their launches one after the other, in the order of the calls, on the stream of the device; the emulator runs each
/// before its call returns.
#[derive(Clone)]
pub struct Device {
    backend: Backend,
    /// Measures where kernels are chosen.
    tuning: Option<Arc<Tuning>>,
}

/// Which kind of device it is.
#[derive(Clone)]
pub(crate) enum Backend {
    Gpu(Arc<Gpu>),
    #[cfg(feature = "emulator")]
    Emulated(Emulated),
}

impl Device {
    fn of(backend: Backend) -> Device {
        Device { backend, tuning: None }
    }

    /// The first GPU if there is one, otherwise the emulator; a `tracing` event says which.
    ///
    /// # Errors
    /// [`Error::Driver`] if there is a GPU that does not work: the emulator does not replace it.
    /// Without the feature `emulator` also the errors of [`gpu`](Self::gpu) without a GPU.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// let device = Device::auto()?;
    /// println!("computing on {device}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn auto() -> Result<Device, Error> {
        let device = match Device::gpu(0) {
            Err(reason @ (Error::LibraryNotFound { .. } | Error::NoGpu)) => without_gpu(reason)?,
            result => result?,
        };
        tracing::info!("computing on {device}");
        Ok(device)
    }

    /// The GPU of this number, on its default stream. Never the emulator.
    ///
    /// # Errors
    /// [`Error::LibraryNotFound`] without a driver, [`Error::FunctionNotFound`] for one that lacks a function
    /// that is called, [`Error::NoGpu`], [`Error::NoSuchGpu`], [`Error::Driver`].
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// match Device::gpu(0) {
    ///     Ok(device) => println!("{device}"),
    ///     Err(error) => println!("no GPU: {error}"),
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn gpu(ordinal: usize) -> Result<Device, Error> {
        Gpu::new(ordinal).map(|gpu| Device::of(Backend::Gpu(Arc::new(gpu))))
    }

    /// The GPU of a stream of cudarc's; memory is allocated and kernels run on that stream.
    ///
    /// # Errors
    /// [`Error::Driver`] if the properties of the GPU cannot be read, [`Error::FunctionNotFound`] if the
    /// driver lacks a function that is called.
    pub fn from_stream(stream: Arc<CudaStream>) -> Result<Device, Error> {
        Gpu::from_stream(stream).map(|gpu| Device::of(Backend::Gpu(Arc::new(gpu))))
    }

    /// Whether it is the emulator.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert!(device.is_emulator());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_emulator(&self) -> bool {
        self.as_gpu().is_none()
    }

    /// Which device it is.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// let x = device.vector(&[1.0f32])?;
    /// assert_ne!(device.place(), Device::emulator().place());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn place(&self) -> Place {
        either!(Backend, &self.backend, device => device.place())
    }

    /// The stream that kernels run on; `None` for the emulator.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert!(device.stream().is_none(), "the emulator has none");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        self.as_gpu().map(Gpu::stream)
    }

    /// Waits until everything that was enqueued is done.
    ///
    /// # Errors
    /// [`Error::Driver`] with the error of whatever failed since the last time.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// // launches are enqueued; a copy to the host waits for them, and so does this
    /// device.synchronize()?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<(), Error> {
        self.stream().map_or(Ok(()), |stream| Ok(stream.synchronize()?))
    }

    pub(crate) fn allocate(&self, bytes: usize) -> Result<Buffer, Error> {
        Ok(either!(Backend, &self.backend, device => Buffer of device.allocate(bytes)?))
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Compiles and loads `kernel` and returns its resources.
    pub(crate) fn report(&self, kernel: &Kernel) -> Result<Report, Error> {
        either!(Backend, &self.backend, device => device.report(kernel))
    }

    pub(crate) fn as_gpu(&self) -> Option<&Gpu> {
        match &self.backend {
            Backend::Gpu(gpu) => Some(gpu),
            #[cfg(feature = "emulator")]
            Backend::Emulated(_) => None,
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        either!(Backend, &self.backend, device => device.fmt(f))
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

/// The device to use if no GPU was found.
#[cfg(feature = "emulator")]
fn without_gpu(reason: Error) -> Result<Device, Error> {
    tracing::warn!("no GPU found: kernels run on the emulator, slowly");
    tracing::debug!("{reason}");
    Ok(Device::emulator())
}

#[cfg(not(feature = "emulator"))]
fn without_gpu(reason: Error) -> Result<Device, Error> {
    Err(reason)
}
