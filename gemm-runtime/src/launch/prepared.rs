//! [`Prepared`]: a launch with everything done that can be done before it.

use std::fmt;

use crate::device::{EmulatedLaunch, GpuLaunch};
use crate::error::Error;

/// A launch that has been checked, compiled and loaded.
///
/// It borrows its operands, and its output mutably, so they stay where they are and as they are.
/// [`launch`](Prepared::launch) allocates nothing, takes no lock and does not wait, so it can stand
/// in an inner loop or inside the capture of a stream.
///
/// In place, each launch reads what the one before wrote.
///
/// A kernel that splits K has a workspace, in which the blocks of a tile leave their sums. A
/// prepared launch owns its own, so that no two share one; `prepare` clears it on the device's
/// stream. The launches of one follow one another, on one stream.
///
/// Inside a capture the order of other streams' work on the operands is the captured graph's
/// concern: no event is waited for or recorded. The operands must outlive the graph, which knows
/// their addresses alone, and so must the prepared launch where K is split.
#[must_use = "nothing runs before `launch`"]
pub struct Prepared<'a>(Work<'a>);

enum Work<'a> {
    /// The output has no elements.
    Nothing,
    Gpu(GpuLaunch<'a>),
    Emulated(EmulatedLaunch<'a>),
}

impl<'a> Prepared<'a> {
    /// Enqueues the kernel on the device's stream; on the emulator, runs it.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver refuses the launch or reports an earlier one's error,
    /// [`Error::Fault`] if the emulator finds one.
    pub fn launch(&mut self) -> Result<(), Error> {
        match &mut self.0 {
            Work::Nothing => Ok(()),
            Work::Gpu(launch) => launch.launch(),
            Work::Emulated(launch) => launch.launch(),
        }
    }

    pub(super) fn nothing() -> Prepared<'a> {
        Prepared(Work::Nothing)
    }
}

impl<'a> From<GpuLaunch<'a>> for Prepared<'a> {
    fn from(launch: GpuLaunch<'a>) -> Prepared<'a> {
        Prepared(Work::Gpu(launch))
    }
}

impl<'a> From<EmulatedLaunch<'a>> for Prepared<'a> {
    fn from(launch: EmulatedLaunch<'a>) -> Prepared<'a> {
        Prepared(Work::Emulated(launch))
    }
}

impl fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Work::Nothing => "Prepared (nothing to do)",
            Work::Gpu(_) => "Prepared (GPU)",
            Work::Emulated(_) => "Prepared (emulator)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceVector, Matrix, MatrixMut, MatrixRef};

    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}

    #[test]
    fn devices_memory_and_launches_can_go_to_another_thread() {
        is_send::<Prepared<'static>>();
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
