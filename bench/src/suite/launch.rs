//! What it costs the host to enqueue a product. The GPU's own time is kept short and waited for.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use gemm_runtime::prelude::*;

use crate::arena::{Arena, arguments};
use crate::operands::sets;
use crate::report::{Row, Versus};
use crate::timing::Ratio;

/// Small, so that the queue never fills.
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 2)]
fn small(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Enqueued between two waits, and so measured together.
const BATCH: usize = 64;

/// Batches; the medians count.
const BATCHES: usize = 200;

/// A prepared launch, and a launch that checks its arguments, each against a product of cuBLASLt's.
pub(super) fn run(arena: &Arena) -> Result<Vec<Row>> {
    const SHAPE: [usize; 3] = [64; 3];
    let mut sets = sets::<f16>(&arena.stream, SHAPE)?;
    let set = sets.first_mut().context("no operands")?;
    let peers = time(arena, || arena.multiply(SHAPE, set))?;
    let slices = (&set.a, &set.b, &set.bias, &mut set.ours);
    let mut prepared = gemm_runtime::launch::prepare(
        &arena.device,
        &small::KERNEL,
        arguments(SHAPE, slices, false)?,
    )?;
    let launch = time(arena, || Ok(prepared.launch()?))?;
    drop(prepared);
    let checked = time(arena, || {
        let slices = (&set.a, &set.b, &set.bias, &mut set.ours);
        let arguments = arguments(SHAPE, slices, false)?;
        Ok(gemm_runtime::launch::into(&arena.device, &small::KERNEL, arguments)?)
    })?;
    Ok(vec![row("prepared", launch, peers), row("checked", checked, peers)])
}

fn row(kernel: &'static str, ours: Duration, peers: Duration) -> Row {
    let [ours_us, peers_us] = [ours, peers].map(|time| time.as_secs_f64() * 1e6);
    Row {
        case: "enqueue".to_owned(),
        kernel: kernel.into(),
        ours_us,
        work: None,
        peer: Some(Versus { peers_us, ratio: Ratio::of(vec![peers_us / ours_us]) }),
    }
}

/// The host's time for one call: the median over batches.
fn time(arena: &Arena, mut enqueue: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut times = Vec::with_capacity(BATCHES);
    for _ in 0..BATCHES {
        arena.stream.synchronize()?;
        let start = Instant::now();
        (0..BATCH).try_for_each(|_| enqueue())?;
        times.push(start.elapsed() / BATCH as u32);
    }
    arena.stream.synchronize()?;
    times.sort_unstable();
    Ok(times[BATCHES / 2])
}
