//! Functions of emulated devices only.

use std::sync::Arc;

use gemm_emulator::Trace;

use crate::device::emulated::options::EmulatorOptions;
use crate::device::emulated::profile::LaunchProfile;
use crate::device::emulated::{Emulated, Progress};
use crate::device::{Backend, Device};

impl Device {
    /// A new emulated device with a memory of its own.
    ///
    /// It runs the PTX that NVRTC makes of a kernel, and reports out-of-bounds, misaligned and
    /// premature accesses and races. It needs `libnvrtc`, which needs no GPU.
    pub fn emulator() -> Device {
        Device::emulator_with(EmulatorOptions::default())
    }

    /// A new emulated device with these checks, counters and limits.
    pub fn emulator_with(options: EmulatorOptions) -> Device {
        Device::of(Backend::Emulated(Emulated::new(options)))
    }

    /// The same device, which calls `hook` as the blocks of a launch finish.
    ///
    /// Only the emulator calls it: from several threads but one at a time, with an increasing number
    /// of finished blocks, at the end with all of them. It is not called for every block, and not
    /// after a fault.
    ///
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// let device = Device::emulator().with_progress(|progress| {
    ///     eprintln!("{}: {} of {} blocks", progress.kernel, progress.finished, progress.blocks);
    /// });
    /// ```
    pub fn with_progress(self, hook: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Device {
        let backend = match self.backend {
            Backend::Emulated(device) => Backend::Emulated(device.with_progress(Arc::new(hook))),
            gpu => gpu,
        };
        Device { backend, ..self }
    }

    /// The counts of the last launch that ended on this device or a clone of it.
    ///
    /// `None` before the first launch, after one that failed, without
    /// [`EmulatorOptions::profile`], and on a GPU. A launch whose output has no elements does not
    /// count, since nothing runs. If several threads launch at once, use a device per thread:
    /// otherwise the profile may be that of another thread.
    pub fn last_profile(&self) -> Option<Arc<LaunchProfile>> {
        match &self.backend {
            Backend::Gpu(_) => None,
            Backend::Emulated(emulated) => emulated.last_profile(),
        }
    }

    /// The trace of the last launch that ended on this device or a clone of it.
    ///
    /// `None` before the first launch, after one that failed, without
    /// [`EmulatorOptions::trace`], for a grid without that block, and on a GPU. Of launches of several
    /// threads see [`Device::last_profile`].
    pub fn last_trace(&self) -> Option<Arc<Trace>> {
        match &self.backend {
            Backend::Gpu(_) => None,
            Backend::Emulated(emulated) => emulated.last_trace(),
        }
    }
}
