//! The host's time to enqueue a product. The GPU's own time is short and waited for.

use std::time::Instant;

use anyhow::{Context as _, Result};
use gemm_runtime::compile::{Format, Program};
use gemm_runtime::prelude::*;
use gemm_runtime::{Kernel, launch};

use crate::arena::{Arena, Selection, arguments};
use crate::bare::{Bare, Grid, Loaded, Word};
use crate::gpu::Gpu;
use crate::operands::{Operands, sets};
use crate::report::{Row, Versus};
use crate::task::{Compute, Task};
use crate::timing::Rounds;

/// Small, so that the queue never fills.
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 2)]
fn small(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// One tile.
const SHAPE: [usize; 3] = [64; 3];

/// Enqueued between two waits, and so measured together.
const BATCH: usize = 64;

/// Rounds of a batch by each; the medians count.
const ROUNDS: usize = 200;

/// A way to enqueue, by a name.
type Way<'a> = (&'static str, Box<dyn FnMut() -> Result<()> + 'a>);

/// A prepared launch, one that checks its arguments, and the driver's call alone, each against a
/// product of cuBLASLt's whose algorithm was chosen before.
pub(super) fn run(arena: &Arena) -> Result<Vec<Row>> {
    let task = Task::plain(SHAPE, Compute::F32);
    let mut sets = sets::<f16, f16>(&arena.stream, &task)?;
    let mut operands = sets.iter_mut().flat_map(|set| set.split());
    let mut next = || operands.next().context("too few operands");
    let multiplication = arena.cublas.plan::<f16, f16>(&task)?;
    let (mut of_peer, mut of_asking, mut of_checked) = (next()?, next()?, next()?);
    let mut prepared = arena.prepare(Selection::One(&small::KERNEL), &task, next()?)?;
    let mut bare = bare(arena, &small::KERNEL, next()?)?;
    let ways: Vec<Way<'_>> = vec![
        ("cuBLASLt", Box::new(|| multiplication.enqueue(0, &mut of_peer))),
        ("prepared", Box::new(|| Ok(prepared.launch()?))),
        (
            "checked",
            Box::new(|| {
                let arguments = arguments(&task, of_checked.reborrow())?;
                Ok(launch::into(&arena.device, &small::KERNEL, arguments)?)
            }),
        ),
        ("cuLaunchKernel alone", Box::new(|| bare.launch())),
        (
            "cuBLASLt, asked each time",
            Box::new(|| arena.cublas.plan::<f16, f16>(&task)?.enqueue(0, &mut of_asking)),
        ),
    ];
    rows(arena, ways)
}

/// Our kernel with the arguments that a launch would pass, without what else a launch does.
fn bare<'a>(arena: &Arena, kernel: &Kernel, of: Operands<'a, f16, f16>) -> Result<Bare<'a>> {
    let stream = &arena.stream;
    let gpu = Gpu::of(stream.context())?;
    let program = Program {
        name: "small.cu",
        text: &kernel.text,
        architecture: &gpu.architecture,
        options: Vec::new(),
        format: Format::Cubin,
    };
    let grid = Grid {
        blocks: 1,
        threads: kernel.launch.threads,
        shared_bytes: kernel.launch.shared_bytes,
    };
    let [m, n, k] = SHAPE.map(|extent| Word::number(extent as u64));
    let (a, b) = (Word::address(of.a, stream), Word::address(of.b, stream));
    let out = Word::address(of.out, stream);
    // After each address the distance of its rows.
    let words = [m, n, k, a, k, b, k, out, n];
    Ok(Loaded::new(stream, &program, &kernel.entry, grid)?.with(&words))
}

/// The host's time for one call of each, batch by batch in turns; the first is the peer.
fn rows(arena: &Arena, mut ways: Vec<Way<'_>>) -> Result<Vec<Row>> {
    let mut times = vec![Vec::with_capacity(ROUNDS); ways.len()];
    for _ in 0..ROUNDS {
        for ((_, enqueue), times) in ways.iter_mut().zip(&mut times) {
            arena.stream.synchronize()?;
            let start = Instant::now();
            (0..BATCH).try_for_each(|_| enqueue())?;
            times.push((start.elapsed() / BATCH as u32).as_secs_f32() * 1e3);
        }
    }
    arena.stream.synchronize()?;
    let rounds = Rounds::of(times);
    let row = |(way, (name, _)): (usize, &Way<'_>)| Row {
        peer: Some(Versus::of(&rounds, 0, way)),
        ..Row::new("enqueue", *name, rounds.us(way))
    };
    Ok(ways.iter().enumerate().skip(1).map(row).collect())
}
