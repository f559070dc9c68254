//! Times two pieces of work against each other.
//!
//! Work is captured into graphs, so that the host's own time for a launch, ours or the peer's, does
//! not count: `launch` measures that by itself.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use cudarc::driver::sys::{CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaGraph, CudaStream};
use serde::Serialize;

/// How warm the GPU is when it is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Clock {
    /// Back to back after a warm-up: clocks and power have settled.
    Sustained,
    /// The first milliseconds after a pause.
    Burst,
}

/// How long the GPU is kept busy before sustained work is timed, in milliseconds.
const WARM_UP_MS: f32 = 400.0;

/// The pause before each measurement of a burst.
const PAUSE: Duration = Duration::from_millis(200);

/// What each measurement should take at the least, in milliseconds: far above the resolution of
/// the events.
const MEASUREMENT_MS: f32 = 5.0;

/// Two contestants, measured in turns.
#[derive(Clone, Debug)]
pub(crate) struct Duel {
    /// Milliseconds of one run: the medians of all rounds.
    pub(crate) ours_ms: f32,
    pub(crate) peers_ms: f32,
    /// `peers_ms / ours_ms` of each round, sorted: above 1 we are faster.
    ratios: Vec<f32>,
}

impl Duel {
    /// The median of the rounds' ratios.
    pub(crate) fn ratio(&self) -> f32 {
        median(&self.ratios)
    }

    /// The smallest and the largest ratio.
    pub(crate) fn spread(&self) -> (f32, f32) {
        (self.ratios[0], self.ratios[self.ratios.len() - 1])
    }
}

/// Work on a stream as a graph: `runs` calls, each told its number, so that it can rotate its
/// operands.
pub(crate) struct Batch {
    graph: CudaGraph,
    runs: usize,
}

impl Batch {
    /// Captures it; nothing has run yet.
    pub(crate) fn capture(
        stream: &Arc<CudaStream>,
        runs: usize,
        work: impl FnMut(usize) -> Result<()>,
    ) -> Result<Batch> {
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
        let enqueued = (0..runs).try_for_each(work);
        // Ended in any case, or the stream would stay in capture.
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = stream.end_capture(flags);
        enqueued?;
        let graph = graph?.context("the capture holds nothing")?;
        graph.upload()?;
        Ok(Batch { graph, runs })
    }

    /// Milliseconds of one run, after one that is not counted.
    pub(crate) fn glance(&self, stream: &Arc<CudaStream>) -> Result<f32> {
        self.measure(stream, 1)?;
        self.measure(stream, 2)
    }

    /// Milliseconds of one run, over `repeats` launches of the graph.
    fn measure(&self, stream: &Arc<CudaStream>, repeats: usize) -> Result<f32> {
        let event = || stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let start = event()?;
        (0..repeats).try_for_each(|_| self.graph.launch())?;
        let end = event()?;
        Ok(start.elapsed_ms(&end)? / (repeats * self.runs) as f32)
    }
}

/// Measures both in turns, `rounds` times.
pub(crate) fn duel(
    stream: &Arc<CudaStream>,
    clock: Clock,
    rounds: usize,
    [ours, peers]: [&Batch; 2],
) -> Result<Duel> {
    let once = ours.measure(stream, 1)?.max(peers.measure(stream, 1)?).max(1e-4);
    let repeats = (MEASUREMENT_MS / (once * ours.runs as f32)).ceil() as usize;
    if clock == Clock::Sustained {
        let mut spent = 0.0;
        while spent < WARM_UP_MS {
            let both = ours.measure(stream, repeats)? + peers.measure(stream, repeats)?;
            spent += both * (repeats * ours.runs) as f32;
        }
    }
    let measure = |batch: &Batch| {
        if clock == Clock::Burst {
            stream.synchronize()?;
            thread::sleep(PAUSE);
        }
        batch.measure(stream, repeats)
    };
    let (mut of_ours, mut of_peers, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let (our, peer) = (measure(ours)?, measure(peers)?);
        of_ours.push(our);
        of_peers.push(peer);
        ratios.push(peer / our);
    }
    for list in [&mut of_ours, &mut of_peers, &mut ratios] {
        list.sort_by(f32::total_cmp);
    }
    Ok(Duel { ours_ms: median(&of_ours), peers_ms: median(&of_peers), ratios })
}

fn median(sorted: &[f32]) -> f32 {
    sorted[sorted.len() / 2]
}
