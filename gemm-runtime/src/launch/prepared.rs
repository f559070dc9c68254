//! [`Prepared`]: a launch that is checked, compiled and loaded.

use std::fmt;

use gemm_codegen::Kernel;

use crate::device::{Backend, Device};
use crate::error::Error;
#[cfg(feature = "emulator")]
use crate::launch::backend::emulated::EmulatedLaunch;
use crate::launch::backend::gpu::GpuLaunch;
use crate::launch::bound::Bound;
use crate::launch::copies;
use crate::report::{ChosenBy, LaunchReport};

/// A launch that has been checked, compiled and loaded.
///
/// It borrows its operands, and its outputs mutably, so that they can be neither moved nor changed. Of
/// [`Shared`](crate::Shared) arguments it owns a handle instead: so one launch can write what the next
/// one reads, and a struct can have both. A [`Graph`](crate::Graph) of such launches replays them at once.
/// [`launch`](Prepared::launch) allocates nothing and waits for nothing but another thread that enqueues on the same
/// stream, so it is fit for inner loops and for the capture of a stream.
///
/// In place, each launch reads the output of the previous one.
///
/// A kernel that splits K has a workspace for the sums of the blocks of a tile. Each prepared launch
/// owns one, which `prepare` clears on the device's stream. Its launches follow each other on one
/// stream.
///
/// Tensor copies read rows and matrices that begin at multiples of 16 bytes. An operand of a kernel with
/// `copy = tma` or `mma = wgmma` that has others is copied to rows that do, in memory which the
/// prepared launch owns. Each launch copies it, since it may have changed since the previous one;
/// [`report`](Prepared::report) names it.
///
/// Inside a capture no event is waited for or recorded: the captured graph orders the work of other
/// streams on the operands. The operands must outlive the graph, which holds only their addresses,
/// and so must the prepared launch if K is split or an operand is copied.
#[must_use = "nothing runs before `launch`"]
pub struct Prepared<'a> {
    /// The copies of operands, which precede the kernel.
    copies: Vec<Work<'a>>,
    work: Work<'a>,
    report: LaunchReport,
    /// Its name, for errors.
    function: String,
}

/// A launch of one kernel.
pub(super) enum Work<'a> {
    /// The output has no elements.
    Nothing,
    Gpu(Box<GpuLaunch<'a>>),
    #[cfg(feature = "emulator")]
    Emulated(Box<EmulatedLaunch<'a>>),
}

impl<'a> Prepared<'a> {
    /// Enqueues the kernel on the device's stream; on the emulator, runs it.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver refuses the launch or reports an earlier one's error,
    /// [`Error::Fault`] if the emulator finds one.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// /// y = x · wᵀ
    /// #[gemm]
    /// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    ///     matmul(x, w)
    /// }
    ///
    /// let x = device.matrix(2, 3, &[f16::ONE; 6])?;
    /// let w = device.matrix(4, 3, &[f16::ONE; 12])?;
    /// let mut y = device.zeros(2, 4)?;
    /// let mut prepared = linear::prepare(&device, &x, &w, &mut y)?;
    /// for _ in 0..2 {
    ///     prepared.launch()?; // allocates nothing
    /// }
    /// println!("{}", prepared.report());
    /// drop(prepared);
    /// assert_eq!(y.to_vec()?, [f16::from_f32(3.0); 8]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn launch(&mut self) -> Result<(), Error> {
        let copied = self.copies.iter_mut().try_for_each(Work::launch);
        copied.and_then(|()| self.work.launch()).map_err(|error| error.of_function(&self.function))
    }

    /// The name of its function.
    pub(super) fn function(&self) -> &str {
        &self.function
    }

    /// Its launches in their order.
    pub(super) fn works(&mut self) -> impl Iterator<Item = &mut Work<'a>> {
        self.copies.iter_mut().chain([&mut self.work])
    }

    /// The kernel that it runs, and the operands that it copies.
    ///
    /// # Example
    /// ```
    /// # use gemm_runtime::prelude::*;
    /// # let device = Device::emulator();
    /// #[gemm]
    /// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    ///     matmul(x, w)
    /// }
    ///
    /// let x = device.matrix(2, 3, &[f16::ONE; 6])?;
    /// let w = device.matrix(4, 3, &[f16::ONE; 12])?;
    /// let mut y = device.zeros(2, 4)?;
    /// let prepared = linear::prepare(&device, &x, &w, &mut y)?;
    /// assert!(prepared.report().copies.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn report(&self) -> &LaunchReport {
        &self.report
    }

    /// The same launch, with what its kernel was chosen by.
    pub(super) fn chosen(mut self, by: ChosenBy) -> Prepared<'a> {
        self.report.chosen = by;
        self
    }

    /// Compiles and loads `kernel`, and allocates its workspace and the copies of operands.
    pub(super) fn new(
        device: &Device,
        kernel: &Kernel,
        bound: Bound<'a>,
    ) -> Result<Prepared<'a>, Error> {
        let function = kernel.name.to_string();
        let mut report = LaunchReport::new(kernel, bound.problem.blocks);
        if bound.problem.is_empty() {
            return Ok(Prepared { copies: Vec::new(), work: Work::Nothing, report, function });
        }
        let mut bound = bound.with_workspace(device, kernel)?;
        let mut copies = Vec::new();
        for copy in copies::copy(device, kernel, &mut bound)? {
            tracing::debug!("{}: {}", kernel.name, copy.report);
            report.copies.push(copy.report);
            copies.push(Work::new(device, copy.kernel, copy.bound)?);
        }
        let work = Work::new(device, kernel, bound)?;
        Ok(Prepared { copies, work, report, function })
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(
        device: &Device,
        kernel: &Kernel,
        bound: Bound<'a>,
    ) -> Result<Work<'a>, Error> {
        Ok(match device.backend() {
            Backend::Gpu(gpu) => Work::Gpu(Box::new(GpuLaunch::new(gpu, kernel, bound)?)),
            #[cfg(feature = "emulator")]
            Backend::Emulated(emulated) => {
                Work::Emulated(Box::new(EmulatedLaunch::new(emulated, kernel, bound)?))
            }
        })
    }

    pub(super) fn launch(&mut self) -> Result<(), Error> {
        match self {
            Work::Nothing => Ok(()),
            Work::Gpu(launch) => launch.launch(),
            #[cfg(feature = "emulator")]
            Work::Emulated(launch) => launch.launch(),
        }
    }
}

impl<'a> Work<'a> {
    /// The launch of a GPU.
    pub(super) fn as_gpu(&mut self) -> Option<&mut GpuLaunch<'a>> {
        match self {
            Work::Gpu(launch) => Some(launch),
            _ => None,
        }
    }

    /// Whether it is enqueued on the stream of this device, or runs on this emulator.
    pub(super) fn is_on(&self, device: &Device) -> bool {
        match (self, device.backend()) {
            (Work::Nothing, _) => true,
            (Work::Gpu(launch), Backend::Gpu(gpu)) => launch.is_on(gpu.stream()),
            #[cfg(feature = "emulator")]
            (Work::Emulated(launch), Backend::Emulated(device)) => launch.is_on(device),
            #[cfg(feature = "emulator")]
            (Work::Gpu(_) | Work::Emulated(_), _) => false,
        }
    }
}

impl fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.work {
            Work::Nothing => "Prepared (nothing to do)",
            Work::Gpu(_) => "Prepared (GPU)",
            #[cfg(feature = "emulator")]
            Work::Emulated(_) => "Prepared (emulator)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceVector, Graph, Matrix, MatrixMut, MatrixRef, Shared};

    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}

    #[test]
    fn devices_memory_and_launches_can_go_to_another_thread() {
        is_send::<Prepared<'static>>();
        is_send::<Graph<'static>>();
        is_send::<Shared<Matrix<f32>>>();
        is_sync::<Shared<Matrix<f32>>>();
        is_send::<MatrixMut<'static, f32>>();
        is_send::<MatrixRef<'static, f32>>();
        is_send::<Error>();
        is_sync::<Error>();
        is_send::<Device>();
        is_sync::<Device>();
        is_send::<Matrix<f32>>();
        is_sync::<Matrix<f32>>();
        is_send::<DeviceVector<f32>>();
        is_sync::<DeviceVector<f32>>();
    }
}
