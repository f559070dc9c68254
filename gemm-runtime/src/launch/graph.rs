//! [`Graph`]: prepared launches that are replayed at once.
//!
//! Capture records on a stream that exists for it alone. Work that another thread enqueues on the
//! device's stream meanwhile is not captured, and the default stream, which cannot be captured, has
//! graphs too. A replay is one call on the device's stream.

use std::fmt;

use crate::device::Device;
use crate::error::Error;
use crate::launch::backend::graph::Executable;
use crate::launch::prepared::{Prepared, Work};

/// Prepared launches that are replayed in their order: on a GPU as a CUDA graph, by one call of the
/// driver; on the emulator one by one.
///
/// It owns the launches, and with them what they borrow or share, so it cannot outlive its memory.
/// [`Shared`](crate::Shared) handles let one launch write what the next one reads. Each replay reads the
/// operands, [`DeviceScalar`](crate::DeviceScalar)s too, as they are then. Dropping a graph waits for its
/// replays. The documentation of [`Shared`](crate::Shared) has an example.
///
/// To put the launches into a graph with other work, capture [`Prepared::launch`] on a stream of yours.
pub struct Graph<'a> {
    /// Precedes the launches, whose memory it accesses. `None` on the emulator, and of no launches.
    executable: Option<Executable>,
    launches: Vec<Prepared<'a>>,
}

impl<'a> Graph<'a> {
    /// Captures the launches, which `device` prepared; none of them runs.
    ///
    /// Meanwhile no other thread may synchronise the whole context, as `cuCtxSynchronize` does, and cudarc
    /// before it creates the first stream of a context: both calls fail (CUDA Driver API, "Stream
    /// Management").
    ///
    /// # Errors
    /// [`Error::GraphMismatch`] if one was prepared for another device, or the same GPU with another
    /// stream; [`Error::Driver`] if the driver refuses the capture.
    pub fn capture(
        device: &Device,
        launches: impl IntoIterator<Item = Prepared<'a>>,
    ) -> Result<Graph<'a>, Error> {
        let mut launches: Vec<_> = launches.into_iter().collect();
        for prepared in &mut launches {
            if !prepared.works().all(|work| work.is_on(device)) {
                return Err(Error::GraphMismatch { function: prepared.function().to_owned() });
            }
        }
        let executable = executable(device, &mut launches)?;
        Ok(Graph { executable, launches })
    }

    /// Enqueues all launches on the device's stream; on the emulator, runs them. Like
    /// [`Prepared::launch`] it allocates nothing and does not wait.
    ///
    /// # Errors
    /// As [`Prepared::launch`].
    pub fn launch(&mut self) -> Result<(), Error> {
        match &mut self.executable {
            None => self.launches.iter_mut().try_for_each(Prepared::launch),
            Some(executable) => {
                let works = self.launches.iter_mut().flat_map(Prepared::works);
                executable.launch(works.filter_map(Work::as_gpu))
            }
        }
    }
}

/// The captured launches, if there are any on a GPU.
fn executable(device: &Device, launches: &mut [Prepared<'_>]) -> Result<Option<Executable>, Error> {
    let Some(gpu) = device.as_gpu() else { return Ok(None) };
    let works = launches.iter_mut().flat_map(Prepared::works);
    let mut kernels = works.filter_map(Work::as_gpu).peekable();
    if kernels.peek().is_none() {
        return Ok(None);
    }
    Executable::capture(gpu, kernels).map(Some)
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Graph").field(&self.launches).finish()
    }
}
