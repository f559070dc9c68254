//! [`Device`]: where memory is and kernels run.

mod batched;
#[cfg(feature = "emulator")]
mod emulated;
#[cfg(feature = "emulator")]
mod emulated_launch;
#[cfg(feature = "emulator")]
mod emulated_memory;
#[cfg(feature = "emulator")]
mod emulator;
#[cfg(feature = "emulator")]
mod emulator_options;
mod gpu;
mod gpu_clock;
mod gpu_launch;
mod gpu_memory;
mod gpu_tensor;
#[cfg(feature = "emulator")]
mod launch_profile;
mod matrix;
#[cfg(not(feature = "emulator"))]
mod no_emulator;
mod scalar;
mod support;
mod tuning;

#[cfg(feature = "emulator")]
pub use emulated::Progress;
#[cfg(feature = "emulator")]
pub use emulator_options::EmulatorOptions;
#[cfg(feature = "emulator")]
pub use launch_profile::LaunchProfile;

#[cfg(feature = "emulator")]
pub(crate) use emulated_launch::EmulatedLaunch;
#[cfg(feature = "emulator")]
pub(crate) use emulated_memory::{Allocation, EmulatedView};
pub(crate) use gpu_launch::GpuLaunch;
pub(crate) use gpu_memory::{GpuBuffer, GpuView, GpuViewMut};
pub(crate) use matrix::check_host_length;
#[cfg(not(feature = "emulator"))]
pub(crate) use no_emulator::{Allocation, EmulatedLaunch, EmulatedView};

use std::fmt;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use gemm_codegen::Kernel;

use crate::error::Error;
use crate::launch::{Bound, Prepared};
use crate::memory::Buffer;
use crate::place::Place;
use crate::report::Report;
use crate::tuning::Tuning;
#[cfg(feature = "emulator")]
use emulated::Emulated;
use gpu::Gpu;
#[cfg(not(feature = "emulator"))]
use no_emulator::Emulated;

/// A GPU or the emulator: where memory is and kernels run.
///
/// Cheap to clone; the clones are the same device. Kernels that a GPU's context has loaded stay
/// loaded for the life of the process, whichever `Device` loaded them.
#[derive(Clone)]
pub struct Device {
    inner: Inner,
    /// Measures where kernels are chosen.
    tuning: Option<Arc<Tuning>>,
}

#[derive(Clone)]
enum Inner {
    Gpu(Arc<Gpu>),
    #[cfg_attr(not(feature = "emulator"), expect(dead_code))]
    Emulated(Emulated),
}

impl Device {
    fn of(inner: Inner) -> Device {
        Device { inner, tuning: None }
    }

    /// The first GPU if there is one, otherwise the emulator; a `tracing` event says which.
    ///
    /// # Errors
    /// [`Error::Driver`] if there is a GPU that does not work: the emulator does not replace it.
    /// Without the feature `emulator` also the errors of [`gpu`](Self::gpu) without a GPU.
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
    /// [`Error::LibraryNotFound`] without a driver, [`Error::NoGpu`], [`Error::NoSuchGpu`],
    /// [`Error::Driver`].
    pub fn gpu(ordinal: usize) -> Result<Device, Error> {
        Gpu::new(ordinal).map(|gpu| Device::of(Inner::Gpu(Arc::new(gpu))))
    }

    /// The GPU of a stream of cudarc's; memory is allocated and kernels run on that stream.
    ///
    /// # Errors
    /// [`Error::Driver`] if the GPU cannot be asked what it is.
    pub fn from_stream(stream: Arc<CudaStream>) -> Result<Device, Error> {
        Gpu::from_stream(stream).map(|gpu| Device::of(Inner::Gpu(Arc::new(gpu))))
    }

    /// Whether it is the emulator.
    pub fn is_emulator(&self) -> bool {
        matches!(self.inner, Inner::Emulated(_))
    }

    /// Which device it is.
    pub fn place(&self) -> Place {
        match &self.inner {
            Inner::Gpu(gpu) => gpu.place(),
            Inner::Emulated(emulated) => emulated.place(),
        }
    }

    /// The stream that kernels run on; the emulator has none.
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        match &self.inner {
            Inner::Gpu(gpu) => Some(gpu.stream()),
            Inner::Emulated(_) => None,
        }
    }

    /// Waits until all that was enqueued is done.
    ///
    /// # Errors
    /// [`Error::Driver`] with the error of whatever failed since the last time.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &self.inner {
            Inner::Gpu(gpu) => Ok(gpu.stream().synchronize()?),
            Inner::Emulated(_) => Ok(()),
        }
    }

    pub(crate) fn allocate(&self, bytes: usize) -> Result<Buffer, Error> {
        match &self.inner {
            Inner::Gpu(gpu) => GpuBuffer::new(gpu.stream(), bytes).map(Buffer::Gpu),
            Inner::Emulated(emulated) => emulated.allocate(bytes).map(Buffer::Emulated),
        }
    }

    /// Compiles and loads `kernel` for arguments that fit it.
    pub(crate) fn prepare<'a>(
        &self,
        kernel: &Kernel,
        bound: Bound<'a>,
    ) -> Result<Prepared<'a>, Error> {
        match &self.inner {
            Inner::Gpu(gpu) => gpu.prepare(kernel, bound).map(Prepared::from),
            Inner::Emulated(emulated) => emulated.prepare(kernel, bound).map(Prepared::from),
        }
    }

    /// Compiles and loads `kernel` and says what it costs.
    pub(crate) fn report(&self, kernel: &Kernel) -> Result<Report, Error> {
        match &self.inner {
            Inner::Gpu(gpu) => gpu.report(kernel),
            Inner::Emulated(emulated) => emulated.report(kernel),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.inner {
            Inner::Gpu(gpu) => gpu.fmt(f),
            Inner::Emulated(emulated) => emulated.fmt(f),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

/// What takes the place of a GPU that is not there.
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
