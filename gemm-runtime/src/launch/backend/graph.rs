//! [`Executable`]: a CUDA graph of launches.

use std::sync::Arc;

use cudarc::driver::CudaStream;
use cudarc::driver::result::{graph, stream};
use cudarc::driver::sys::{
    CUgraph, CUgraphExec, CUgraphInstantiate_flags, CUstream, CUstreamCaptureMode,
};

use crate::device::gpu::{Gpu, is_capturing};
use crate::device::predecessor::{Last, Predecessor};
use crate::error::Error;
use crate::launch::backend::gpu::GpuLaunch;

/// A CUDA graph that can be launched on a stream.
pub(in crate::launch) struct Executable {
    stream: Arc<CudaStream>,
    predecessor: Arc<Predecessor>,
    graph: CUgraphExec,
    /// Its last kernel.
    last: Last,
}

// SAFETY: the driver's graphs belong to no thread; calls on one must not overlap, and both its functions
// take `&mut self`.
unsafe impl Send for Executable {}

impl Executable {
    /// Captures launches of the context of `gpu`, whose stream will replay them.
    pub(in crate::launch) fn capture<'l, 'a: 'l>(
        gpu: &Gpu,
        launches: impl Iterator<Item = &'l mut GpuLaunch<'a>>,
    ) -> Result<Executable, Error> {
        let (stream, predecessor) = (gpu.stream().clone(), gpu.predecessor().clone());
        stream.context().bind_to_thread()?;
        let (graph, last) = Recorder::new()?.record(launches)?;
        // SAFETY: the graph is valid until it is dropped. What it is instantiated to does not need it.
        let graph = unsafe { graph::instantiate(graph.0, CUgraphInstantiate_flags(0)) }?;
        Ok(Executable { stream, predecessor, graph, last })
    }

    /// Enqueues the graph of these launches, which it was captured from.
    pub(in crate::launch) fn launch<'l, 'a: 'l>(
        &mut self,
        mut launches: impl Iterator<Item = &'l mut GpuLaunch<'a>>,
    ) -> Result<(), Error> {
        match launches.next() {
            Some(launch) => launch.ordered(|_| self.launch(launches)),
            None => {
                let mut last = self.predecessor.lock(is_capturing(&self.stream)?);
                // SAFETY: both are valid, and the stream's context is current. The nodes are launches that
                // were valid when they were captured, as `GpuLaunch::enqueue` says; their memory is still
                // borrowed or owned by the launches that the caller has, and ordered by the stream and by
                // the calls of `ordered` that surround this one.
                unsafe { graph::launch(self.graph, self.stream.cu_stream()) }?;
                *last = self.last.clone();
                Ok(())
            }
        }
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        let context = self.stream.context();
        context.record_err(context.bind_to_thread());
        // The driver does not document that a graph may be destroyed while it runs. A stream in capture
        // has not enqueued it since the capture began, and waiting would end the capture.
        if !is_capturing(&self.stream).unwrap_or(false) {
            context.record_err(self.stream.synchronize());
        }
        // SAFETY: it is valid and nothing uses it afterwards.
        context.record_err(unsafe { graph::exec_destroy(self.graph) });
    }
}

/// A stream of the current context that nothing else uses.
struct Recorder(CUstream);

impl Recorder {
    fn new() -> Result<Recorder, Error> {
        Ok(Recorder(stream::create(stream::StreamKind::NonBlocking)?))
    }

    /// The graph of the launches, and the last of them.
    fn record<'l, 'a: 'l>(
        self,
        mut launches: impl Iterator<Item = &'l mut GpuLaunch<'a>>,
    ) -> Result<(Captured, Last), Error> {
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream is valid.
        unsafe { stream::begin_capture(self.0, mode) }?;
        let mut last = Last::default();
        let enqueued = launches.try_for_each(|launch| launch.enqueue(self.0, &mut last, true));
        // SAFETY: the capture of this stream began above; it ends also after an error.
        let captured = unsafe { stream::end_capture(self.0) }.map(Captured);
        enqueued?;
        Ok((captured?, last))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: it is valid, and no one else has it. A stream that is not destroyed costs memory only.
        let _ = unsafe { stream::destroy(self.0) };
    }
}

/// A graph that was captured.
struct Captured(CUgraph);

impl Drop for Captured {
    fn drop(&mut self) {
        // SAFETY: it is valid, and no one else has it. A graph that is not destroyed costs memory only.
        let _ = unsafe { graph::destroy(self.0) };
    }
}
