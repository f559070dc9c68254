//! [`GpuClock`]: the time of a launch by the GPU's own clock.

use std::sync::Arc;

use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags};
use cudarc::driver::{CudaEvent, CudaSlice, CudaStream};

use gemm_codegen::Kernel;

use crate::error::Error;
use crate::library;
use crate::memory::gpu::allocate;
use crate::tuning::{Clock, Launch};

/// Seconds for the samples of a launch, and how many there are at least and at most.
const BUDGET: f64 = 0.03;
const FEWEST: usize = 3;
const MOST: usize = 21;

/// The fewest bytes that are written and read before a sample, so that the host is ahead of the device.
const LEAST_SWEPT: usize = 32 << 20;

/// Bytes of one read, and of the buffer that it goes to: few compared with L2.
const PAGE: usize = 4 << 20;

/// Times launches by events on their stream.
///
/// Each sample is one launch, after reads of other memory through the L2 cache: in a model other
/// layers run between two launches, so that weights come from memory. The reads also evict written
/// lines, whose write-back would count as the launch's time. While the device reads, the host
/// enqueues the launch and the events around it, so that host time is not in the sample.
pub(super) struct GpuClock {
    stream: Arc<CudaStream>,
    tools: Option<Tools>,
}

/// The events and buffers of a sample.
struct Tools {
    start: CudaEvent,
    end: CudaEvent,
    /// Twice the size of L2.
    swept: CudaSlice<u8>,
    page: CudaSlice<u8>,
}

impl GpuClock {
    pub(super) fn new(stream: Arc<CudaStream>) -> GpuClock {
        GpuClock { stream, tools: None }
    }

    /// The tools, which are made once.
    fn tools(&mut self) -> Result<&mut Tools, Error> {
        let tools = match self.tools.take() {
            Some(tools) => tools,
            None => Tools::new(&self.stream)?,
        };
        Ok(self.tools.insert(tools))
    }

    fn sample(&mut self, launch: &mut Launch<'_>) -> Result<f64, Error> {
        let stream = self.stream.clone();
        let Tools { start, end, swept, page } = self.tools()?;
        stream.memset_zeros(swept)?;
        for from in (0..swept.len()).step_by(PAGE) {
            stream.memcpy_dtod(&swept.slice(from..from + PAGE), page)?;
        }
        start.record(&stream)?;
        launch()?;
        end.record(&stream)?;
        // Waits for both.
        Ok(1e-3 * f64::from(start.elapsed_ms(end)?))
    }
}

impl Tools {
    fn new(stream: &Arc<CudaStream>) -> Result<Tools, Error> {
        let context = stream.context();
        let event = || context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let cache = context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?;
        let bytes = (2 * cache.unsigned_abs() as usize).max(LEAST_SWEPT).next_multiple_of(PAGE);
        let [swept, page] = [allocate(stream, bytes)?, allocate(stream, PAGE)?];
        Ok(Tools { start: event()?, end: event()?, swept, page })
    }
}

impl Clock for GpuClock {
    fn ready(&mut self) -> Result<(), Error> {
        library::ensure_event_timing()?;
        self.tools().map(drop)
    }

    /// The median of some samples; the first one is not counted.
    fn seconds(&mut self, _: &Kernel, launch: &mut Launch<'_>) -> Result<f64, Error> {
        self.sample(launch)?;
        let one = self.sample(launch)?.max(f64::MIN_POSITIVE);
        let count = ((BUDGET / one) as usize).clamp(FEWEST, MOST);
        let samples = (0..count).map(|_| self.sample(launch)).collect::<Result<Vec<f64>, Error>>();
        let mut samples = samples?;
        samples.sort_by(f64::total_cmp);
        Ok(samples[count / 2])
    }
}
