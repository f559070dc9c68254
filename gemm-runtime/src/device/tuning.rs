//! How a device chooses among kernels: what it is, and what measures on it.

use std::sync::Arc;

use gemm_codegen::auto::Machine;

use gemm_codegen::LaunchShape;

use crate::device::gpu_clock::GpuClock;
use crate::device::{Device, Inner};
use crate::error::Error;
use crate::tuning::{Clock, Tuning};

impl Device {
    /// The same device, on which a launch of several schedules chooses by measurement: see [`Tuning`], which several
    /// devices can share.
    pub fn with_tuning(self, tuning: impl Into<Arc<Tuning>>) -> Device {
        Device { tuning: Some(tuning.into()), ..self }
    }

    /// What was given to [`with_tuning`](Self::with_tuning).
    pub fn tuning(&self) -> Option<&Tuning> {
        self.tuning.as_deref()
    }

    /// What of it the speed of a kernel depends on.
    pub(crate) fn machine(&self) -> Machine {
        match &self.inner {
            Inner::Gpu(gpu) => gpu.machine(),
            Inner::Emulated(emulated) => emulated.machine(),
        }
    }

    /// Whether it can run a kernel: has the architecture, and the shared memory of a block.
    pub(crate) fn supports(&self, name: &str, launch: &LaunchShape) -> Result<(), Error> {
        match &self.inner {
            Inner::Gpu(gpu) => gpu.supports(name, launch),
            Inner::Emulated(emulated) => emulated.supports(name, launch),
        }
    }

    /// Its model, the same for all devices on which the same kernels are fast.
    pub(crate) fn model(&self) -> String {
        let Machine { target, processors, .. } = self.machine();
        let name = match &self.inner {
            Inner::Gpu(gpu) => gpu.name(),
            Inner::Emulated(_) => "emulator",
        };
        format!("{name}, {}, {processors} multiprocessors", target.name())
    }

    /// Whether its stream is captured, so that nothing can be waited for.
    pub(crate) fn is_capturing(&self) -> bool {
        match &self.inner {
            // An error: the stream's order depends on a capture of another stream.
            Inner::Gpu(gpu) => gpu.is_capturing().unwrap_or(true),
            Inner::Emulated(_) => false,
        }
    }

    /// What times launches on it. The emulator has none: how long it takes says nothing of a GPU.
    pub(crate) fn clock(&self) -> Option<Box<dyn Clock>> {
        match &self.inner {
            Inner::Gpu(gpu) => Some(Box::new(GpuClock::new(gpu.stream().clone()))),
            Inner::Emulated(_) => None,
        }
    }
}
