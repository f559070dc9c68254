//! Times pieces of work against each other.
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
use serde::{Deserialize, Serialize};

use crate::nodes;

/// How warm the GPU is when it is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Clock {
    /// Each alone, back to back, until clocks and power have settled to its own: what a program sees
    /// that runs nothing else. Hot kernels meet the limit of power, each at another clock.
    Sustained,
    /// In short turns after a warm-up, all at the clock of their mixture: for what power does not
    /// limit, and some ten times as fast.
    Turns,
    /// The first milliseconds after a pause.
    Burst,
}

/// How long the GPU is kept busy before turns are timed, in milliseconds.
const WARM_UP_MS: f32 = 400.0;

/// How long a contestant runs alone before each of its sustained measurements, in milliseconds: the
/// limit of power follows it by some 150.
const SETTLE_MS: f32 = 300.0;

/// The shortest sustained measurement, in milliseconds: the clock swings around
/// the limit of power for longer than a short one takes.
const SUSTAINED_MS: f32 = 150.0;

/// The pause before each measurement of a burst.
const PAUSE: Duration = Duration::from_millis(200);

/// The shortest measurement, in milliseconds: far above the resolution of
/// the events.
const MEASUREMENT_MS: f32 = 5.0;

/// The shortest glance, in milliseconds.
const GLANCE_MS: f32 = 2.0;

/// Contestants that were measured in turns: of each the milliseconds of one run, round by round.
#[derive(Clone, Debug)]
pub(crate) struct Rounds(Vec<Vec<f32>>);

/// How many times as long as another a contestant takes: the median of the rounds, and the extremes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Ratio {
    pub(crate) ratio: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Rounds {
    /// Of milliseconds: as many rounds, at least one, of each contestant.
    pub(crate) fn of(times: Vec<Vec<f32>>) -> Rounds {
        Rounds(times)
    }

    /// The median of the microseconds of one run.
    pub(crate) fn us(&self, contestant: usize) -> f64 {
        let mut times = self.0[contestant].clone();
        times.sort_by(f32::total_cmp);
        f64::from(times[times.len() / 2]) * 1e3
    }

    /// The time of one over the time of another: above 1 the other is faster.
    pub(crate) fn ratio(&self, of: usize, over: usize) -> Ratio {
        let pairs = self.0[of].iter().zip(&self.0[over]);
        Ratio::of(pairs.map(|(of, over)| f64::from(of / over)).collect())
    }
}

impl Ratio {
    /// Of the ratios of single rounds, at least one.
    pub(crate) fn of(mut ratios: Vec<f64>) -> Ratio {
        ratios.sort_by(f64::total_cmp);
        let [least, ratio, most] = [0, ratios.len() / 2, ratios.len() - 1].map(|at| ratios[at]);
        Ratio { ratio, least, most }
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

    /// Milliseconds of one run, after one that is not counted, from a short measurement.
    pub(crate) fn glance(&self, stream: &Arc<CudaStream>) -> Result<f32> {
        self.measure(stream, 1)?;
        let once = self.measure(stream, 1)?.max(1e-4) * self.runs as f32;
        self.measure(stream, (GLANCE_MS / once).ceil() as usize)
    }

    /// The kernels of the first run.
    pub(crate) fn kernels_of_a_run(&self) -> Result<Vec<String>> {
        let mut kernels = nodes::kernels(&self.graph)?;
        kernels.truncate(kernels.len() / self.runs);
        Ok(kernels)
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

/// Measures all, one after the other, `rounds` times.
pub(crate) fn in_turns(
    stream: &Arc<CudaStream>,
    clock: Clock,
    rounds: usize,
    batches: &[&Batch],
) -> Result<Rounds> {
    let repeats = batches.iter().map(|batch| {
        let once = batch.measure(stream, 1)?.max(1e-4) * batch.runs as f32;
        let whole = if clock == Clock::Sustained { SUSTAINED_MS } else { MEASUREMENT_MS };
        Ok((whole / once).ceil() as usize)
    });
    let repeats = repeats.collect::<Result<Vec<usize>>>()?;
    if clock == Clock::Turns {
        let mut spent = 0.0;
        while spent < WARM_UP_MS {
            for (batch, repeats) in batches.iter().zip(&repeats) {
                spent += batch.measure(stream, *repeats)? * (repeats * batch.runs) as f32;
            }
        }
    }
    let mut times = vec![Vec::new(); batches.len()];
    for _ in 0..rounds.max(1) {
        for ((batch, repeats), times) in batches.iter().zip(&repeats).zip(&mut times) {
            match clock {
                Clock::Burst => {
                    stream.synchronize()?;
                    thread::sleep(PAUSE);
                }
                Clock::Sustained => {
                    let share = (SETTLE_MS / SUSTAINED_MS * *repeats as f32).ceil() as usize;
                    batch.measure(stream, share)?;
                }
                Clock::Turns => {}
            }
            times.push(batch.measure(stream, *repeats)?);
        }
    }
    Ok(Rounds::of(times))
}
