//! [`Device`]: where memory is and kernels run.

mod batched;
mod emulated;
mod emulated_launch;
mod emulated_memory;
mod emulator_options;
mod gpu;
mod gpu_clock;
mod gpu_launch;
mod gpu_memory;
mod gpu_tensor;
mod launch_profile;
mod place;
mod scalar;
mod support;
mod tuning;

pub use emulated::Progress;
pub use emulator_options::EmulatorOptions;
pub use launch_profile::LaunchProfile;
pub use place::Place;

pub(crate) use emulated_launch::EmulatedLaunch;
pub(crate) use emulated_memory::{Allocation, EmulatedView};
pub(crate) use gpu_launch::GpuLaunch;
pub(crate) use gpu_memory::{GpuBuffer, GpuView, GpuViewMut};

use std::fmt;
use std::sync::Arc;

use cudarc::driver::CudaStream;

use gemm_codegen::Kernel;

use crate::argument::MatrixLayout;
use crate::element::Element;
use crate::error::Error;
use crate::launch::{Bound, Prepared};
use crate::memory::{Buffer, DeviceVector, Matrix};
use crate::report::Report;
use crate::tuning::Tuning;
use emulated::Emulated;
use gpu::Gpu;

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
    Emulated(Emulated),
}

impl Device {
    fn of(inner: Inner) -> Device {
        Device { inner, tuning: None }
    }

    /// The first GPU if there is one, else the emulator; a `tracing` event says which.
    ///
    /// # Errors
    /// [`Error::Driver`] if there is a GPU and it does not work: that is not covered up by the
    /// emulator.
    pub fn auto() -> Result<Device, Error> {
        match Device::gpu(0) {
            Ok(device) => {
                tracing::info!("computing on {device}");
                Ok(device)
            }
            Err(reason @ (Error::LibraryNotFound { .. } | Error::NoGpu)) => {
                let device = Device::emulator();
                tracing::warn!("computing on {device}, slowly: there is no GPU");
                tracing::debug!("{reason}");
                Ok(device)
            }
            Err(error) => Err(error),
        }
    }

    /// The GPU of this number, on its default stream. Never the emulator.
    ///
    /// # Errors
    /// [`Error::LibraryNotFound`] without a driver, [`Error::NoGpu`], [`Error::NoSuchGpu`],
    /// [`Error::Driver`].
    pub fn gpu(ordinal: usize) -> Result<Device, Error> {
        Gpu::new(ordinal).map(|gpu| Device::of(Inner::Gpu(Arc::new(gpu))))
    }

    /// A new emulated device with a memory of its own.
    ///
    /// It runs what NVRTC makes of a kernel and reports every access that is out of bounds,
    /// misaligned or too early, and races in shared memory. It needs `libnvrtc`, which needs no GPU.
    pub fn emulator() -> Device {
        Device::emulator_with(EmulatorOptions::default())
    }

    /// A new emulated device that looks for, counts and allows what these options say.
    pub fn emulator_with(options: EmulatorOptions) -> Device {
        Device::of(Inner::Emulated(Emulated::new(options)))
    }

    /// The GPU of a stream of cudarc's; memory is allocated and kernels run on that stream.
    ///
    /// # Errors
    /// [`Error::Driver`] if the GPU cannot be asked what it is.
    pub fn from_stream(stream: Arc<CudaStream>) -> Result<Device, Error> {
        Gpu::from_stream(stream).map(|gpu| Device::of(Inner::Gpu(Arc::new(gpu))))
    }

    /// The same device, which calls `hook` as the blocks of a launch finish.
    ///
    /// Only the emulator calls it: from several threads but one at a time, with more and more
    /// blocks finished, and at the end with all of them. Not for every block, and no more after a
    /// fault.
    pub fn with_progress(self, hook: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Device {
        let inner = match self.inner {
            Inner::Gpu(gpu) => Inner::Gpu(gpu),
            Inner::Emulated(emulated) => Inner::Emulated(emulated.with_progress(Arc::new(hook))),
        };
        Device { inner, ..self }
    }

    /// What the emulator counted in the launch that ended last on this device or a clone of it.
    ///
    /// None before the first launch, after one that failed, without
    /// [`EmulatorOptions::profile`], and on a GPU. A launch whose output has no elements does not
    /// count: nothing runs. Where several threads launch at once, each is to have a device of its
    /// own, or the profile may be another's.
    pub fn last_profile(&self) -> Option<Arc<LaunchProfile>> {
        match &self.inner {
            Inner::Gpu(_) => None,
            Inner::Emulated(emulated) => emulated.last_profile(),
        }
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

    /// Copies a `rows` × `columns` matrix from the host; it has no gaps between its rows.
    ///
    /// # Errors
    /// [`Error::HostLength`] if `host` does not have `rows · columns` elements;
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    pub fn matrix<T: Element>(
        &self,
        rows: usize,
        columns: usize,
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::new(rows, columns, columns)?;
        check_host_length("matrix", layout.elements(), host.len())?;
        self.matrix_with(layout, host)
    }

    /// Copies a `rows` × `columns` matrix from the host, with `leading_dimension` elements from the
    /// start of a row to the start of the next, there and here. It ends with its last row: what
    /// follows in `host` is not copied.
    ///
    /// # Errors
    /// [`Error::LeadingDimension`] if a row is longer, [`Error::BufferTooSmall`] if `host` ends
    /// before the matrix does; [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    pub fn matrix_from<T: Element>(
        &self,
        rows: usize,
        columns: usize,
        leading_dimension: usize,
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::new(rows, columns, leading_dimension)?;
        layout.fits(host.len())?;
        self.matrix_with(layout, &host[..layout.elements()])
    }

    /// Copies a `rows` × `columns` matrix with these strides from the host, in elements: from a row
    /// to the next, and from a column to the next. For views of other libraries, which have strides
    /// for both; that of an extent of 1 is of no importance. The matrix begins with `host`, and what
    /// follows its last row is not copied.
    ///
    /// # Errors
    /// [`Error::Strides`] if it is not stored row by row; otherwise as
    /// [`matrix_from`](Self::matrix_from).
    pub fn matrix_strided<T: Element>(
        &self,
        rows: usize,
        columns: usize,
        strides: [isize; 2],
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::strided(rows, columns, strides)?;
        self.matrix_from(rows, columns, layout.leading_dimension, host)
    }

    /// A `rows` × `columns` matrix of zeros.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    pub fn zeros<T: Element>(&self, rows: usize, columns: usize) -> Result<Matrix<T>, Error> {
        let mut matrix = self.uninitialized(rows, columns)?;
        matrix.view_mut().into_storage().clear()?;
        Ok(matrix)
    }

    /// A `rows` × `columns` matrix of which nothing is known but that something will be written to
    /// it. On a GPU its elements are whatever was there.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`].
    pub fn uninitialized<T: Element>(
        &self,
        rows: usize,
        columns: usize,
    ) -> Result<Matrix<T>, Error> {
        let layout = MatrixLayout::new(rows, columns, columns)?;
        Ok(Matrix::from_parts(self.allocate(layout.elements() * size_of::<T>())?, layout))
    }

    /// Copies a vector from the host.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Driver`].
    pub fn vector<T: Element>(&self, host: &[T]) -> Result<DeviceVector<T>, Error> {
        let mut buffer = self.allocate(size_of_val(host))?;
        buffer.view_mut().upload(bytemuck::cast_slice(host))?;
        Ok(DeviceVector::from_parts(buffer, host.len()))
    }

    fn matrix_with<T: Element>(
        &self,
        layout: MatrixLayout,
        host: &[T],
    ) -> Result<Matrix<T>, Error> {
        let mut buffer = self.allocate(size_of_val(host))?;
        buffer.view_mut().upload(bytemuck::cast_slice(host))?;
        Ok(Matrix::from_parts(buffer, layout))
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

fn check_host_length(operand: &str, expected: usize, got: usize) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::HostLength { operand: operand.to_owned(), expected, got })
}
