//! The properties of a device by which a launch chooses among kernels.

use std::sync::Arc;

use gemm_codegen::LaunchShape;
use gemm_codegen::auto::Machine;

use crate::device::gpu::Gpu;
use crate::device::gpu_clock::GpuClock;
use crate::device::{Backend, Device};
use crate::either::either;
use crate::error::Error;
use crate::tuning::{Clock, Tuning};

impl Device {
    /// The same device, on which a launch chooses among several schedules by measurement: see
    /// [`Tuning`]. Several devices can share one.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// use gemm_runtime::Tuning;
    ///
    /// let device = Device::emulator().with_tuning(Tuning::new());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_tuning(self, tuning: impl Into<Arc<Tuning>>) -> Device {
        Device { tuning: Some(tuning.into()), ..self }
    }

    /// The tuning given to [`with_tuning`](Self::with_tuning).
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// assert!(device.tuning().is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tuning(&self) -> Option<&Tuning> {
        self.tuning.as_deref()
    }

    /// The numbers on which the speed of a kernel depends, and how its tiles are dealt to blocks.
    pub fn machine(&self) -> Machine {
        either!(Backend, &self.backend, device => device.machine())
    }

    /// Fails unless it has the architecture of a kernel and the shared memory of a block.
    pub(crate) fn supports(&self, name: &str, launch: &LaunchShape) -> Result<(), Error> {
        either!(Backend, &self.backend, device => device.supports(name, launch))
    }

    /// Its model: the same kernels are fast on all devices of one model.
    pub(crate) fn model(&self) -> String {
        let Machine { target, processors, .. } = self.machine();
        let name = self.as_gpu().map_or("emulator", Gpu::name);
        format!("{name}, {}, {processors} multiprocessors", target.name())
    }

    /// Whether its stream is captured, so that the host cannot wait for it.
    pub(crate) fn is_capturing(&self) -> bool {
        // An error: the stream's order depends on a capture of another stream.
        self.as_gpu().is_some_and(|gpu| gpu.is_capturing().unwrap_or(true))
    }

    /// A clock for launches on it. `None` for the emulator: its time says nothing about a GPU.
    pub(crate) fn clock(&self) -> Option<Box<dyn Clock>> {
        let gpu = self.as_gpu()?;
        Some(Box::new(GpuClock::new(gpu.stream().clone())))
    }
}
