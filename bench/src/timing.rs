//! Times two pieces of work against each other.

use std::sync::Arc;

use anyhow::Result;
use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUevent_flags;

/// How long the GPU is kept busy before anything is timed, in milliseconds: clocks and power have
/// settled by then, so what is measured is the sustained speed.
const WARM_UP_MS: f32 = 400.0;

/// What each measurement should take at the least, in milliseconds: far above the resolution of
/// the events.
const MEASUREMENT_MS: f32 = 5.0;

/// Two contestants, measured in turns.
pub(crate) struct Duel {
    /// Milliseconds of one run: the medians of all rounds.
    pub(crate) ours_ms: f32,
    pub(crate) peers_ms: f32,
    /// `peers_ms / ours_ms` of each round, sorted: above 1 we are faster.
    pub(crate) ratios: Vec<f32>,
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

/// Runs both in turns, `rounds` times after a warm-up. Each is given the number of its run, so
/// that it can rotate its inputs.
pub(crate) fn duel(
    stream: &Arc<CudaStream>,
    rounds: usize,
    mut ours: impl FnMut(usize) -> Result<()>,
    mut peers: impl FnMut(usize) -> Result<()>,
) -> Result<Duel> {
    let once = measure(stream, 1, &mut ours)?.max(measure(stream, 1, &mut peers)?).max(1e-3);
    let repeats = (MEASUREMENT_MS / once).ceil() as usize;
    let mut spent = 0.0;
    while spent < WARM_UP_MS {
        let both = measure(stream, repeats, &mut ours)? + measure(stream, repeats, &mut peers)?;
        spent += both * repeats as f32;
    }
    let (mut of_ours, mut of_peers, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let our = measure(stream, repeats, &mut ours)?;
        let peer = measure(stream, repeats, &mut peers)?;
        of_ours.push(our);
        of_peers.push(peer);
        ratios.push(peer / our);
    }
    for list in [&mut of_ours, &mut of_peers, &mut ratios] {
        list.sort_by(f32::total_cmp);
    }
    Ok(Duel { ours_ms: median(&of_ours), peers_ms: median(&of_peers), ratios })
}

/// Milliseconds of one run, over `repeats` of them.
fn measure(
    stream: &Arc<CudaStream>,
    repeats: usize,
    work: &mut impl FnMut(usize) -> Result<()>,
) -> Result<f32> {
    let event = || stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    let start = event()?;
    (0..repeats).try_for_each(work)?;
    let end = event()?;
    Ok(start.elapsed_ms(&end)? / repeats as f32)
}

fn median(sorted: &[f32]) -> f32 {
    sorted[sorted.len() / 2]
}
