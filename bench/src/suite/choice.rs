//! The choice of a launch of `#[gemm(auto)]`, against the fastest of its schedules.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use cudarc::driver::{CudaStream, ValidAsZeroBits};
use fastrand::Rng;
use gemm_runtime::launch::{self, Kernels};
use gemm_runtime::prelude::*;
use gemm_runtime::{Kernel, e4m3};
use indicatif::ProgressBar;

use super::{compare, compile, f16x3};
use crate::arena::{Arena, arguments};
use crate::operands::{Operands, Sample, Set, sets};
use crate::others::Others;
use crate::report::{Row, Versus, Work};
use crate::task::{Compute, Task};

/// Chosen by shape.
#[gemm(auto)]
fn auto(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// The same of batches.
#[gemm(auto)]
pub(super) fn batches(a: Batched<f16, B, M, K>, b: Batched<f16, B, N, K>) -> Batched<f16, B, M, N> {
    matmul(a, b)
}

/// A product that every schedule can compute: up to eight blocks share its sums.
const COMPILED_FOR: [usize; 3] = [64, 64, 4096];

/// Multiplications of the largest product.
const LARGEST: f64 = 5e10;

/// Which products are chosen.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Products {
    /// Of f16, to f16.
    F16,
    /// Of f32, by three products of halves.
    F16x3,
    /// Of e4m3, to bf16.
    E4m3,
}

/// An element whose products are chosen.
trait Choice: Sample + ValidAsZeroBits {
    /// The element of the output.
    type Out: Sample + ValidAsZeroBits;

    /// The kernels of a task.
    fn kernels(task: &Task) -> &'static Kernels<'static>;
}

impl Choice for f16 {
    type Out = f16;

    fn kernels(task: &Task) -> &'static Kernels<'static> {
        if task.batch.is_some() { &batches::KERNELS } else { &auto::KERNELS }
    }
}

impl Choice for f32 {
    type Out = f32;

    fn kernels(_task: &Task) -> &'static Kernels<'static> {
        f16x3::KERNELS
    }
}

impl Choice for e4m3 {
    type Out = bf16;

    fn kernels(_task: &Task) -> &'static Kernels<'static> {
        compare::FLOATS_OF_8_BITS
    }
}

/// The times of every schedule of the products that `listed` names, then the choices of all tasks.
pub(super) fn run(
    arena: &Arena,
    products: Products,
    listed: &[Task],
    tasks: &[Task],
) -> Result<Vec<Row>> {
    match products {
        Products::F16 => all::<f16>(arena, listed, tasks),
        Products::F16x3 => all::<f32>(arena, listed, tasks),
        Products::E4m3 => all::<e4m3>(arena, listed, tasks),
    }
}

fn all<T: Choice>(arena: &Arena, listed: &[Task], tasks: &[Task]) -> Result<Vec<Row>> {
    compile_all::<T>(tasks)?;
    listed.iter().try_for_each(|task| list::<T>(arena, task))?;
    choices::<T>(arena, tasks)
}

/// Compiles all schedules.
fn compile_all<T: Choice>(tasks: &[Task]) -> Result<()> {
    for batched in [false, true] {
        if let Some(task) = tasks.iter().find(|task| task.batch.is_some() == batched) {
            let batch = task.batch.map(|_| 1);
            compile::<T>(&Task { batch, ..Task::plain(COMPILED_FOR, Compute::F32) })?;
        }
    }
    Ok(())
}

fn compile<T: Choice>(task: &Task) -> Result<()> {
    let kernels: Vec<&Kernel> = T::kernels(task).iter().collect();
    let [a, b, out] = task.elements();
    let operands = |stream: &Arc<CudaStream>| {
        let factors = [stream.alloc_zeros::<T>(a)?, stream.alloc_zeros::<T>(b)?];
        let bias = stream.alloc_zeros::<T::Out>(1)?;
        Ok((factors, bias, stream.alloc_zeros::<T::Out>(out)?))
    };
    compile::all(&kernels, operands, |device, kernel, ([a, b], bias, out)| {
        let operands = Operands { a, b, bias, residual: bias, out };
        // One that cannot run here is not timed either.
        let _ = launch::prepare(device, kernel, arguments(task, operands)?);
        Ok(())
    })
}

/// Each task by what a launch chooses and by the fastest schedule.
fn choices<T: Choice>(arena: &Arena, tasks: &[Task]) -> Result<Vec<Row>> {
    let progress = ProgressBar::new(tasks.len() as u64);
    let mut rows = Vec::new();
    for task in tasks {
        rows.push(one::<T>(arena, task)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let near =
        rows.iter().filter(|row| row.peer.is_some_and(|peer| peer.ratio.ratio >= 0.95)).count();
    println!("chosen within 5 % of the fastest: {near} of {}", rows.len());
    Ok(rows)
}

/// As many shapes as asked for, each extent log-uniform.
pub(super) fn random_tasks(count: usize, seed: u64) -> Vec<Task> {
    let mut rng = Rng::with_seed(seed);
    (0..count).map(|_| Task::plain(random(&mut rng), Compute::F32)).collect()
}

/// The product that is written `MxNxK`, or the batch `BxMxNxK`.
pub(super) fn task(text: &str) -> Result<Task, String> {
    let extents: Result<Vec<usize>, _> = text.split('x').map(str::parse).collect();
    match extents.as_deref() {
        Ok([m, n, k]) => Ok(Task::plain([*m, *n, *k], Compute::F32)),
        Ok([b, m, n, k]) => Ok(Task { batch: Some(*b), ..Task::plain([*m, *n, *k], Compute::F32) }),
        _ => Err(format!("`{text}` is neither MxNxK nor BxMxNxK")),
    }
}

/// Schedules that take at most this number of times as long as the fastest are measured again.
const NEAR: f32 = 1.3;

/// Prints the time of every schedule for a shape, the fastest first, then cuBLASLt's algorithms. Of the
/// schedules near the fastest it is the median of several times, between which the others run: the clock
/// follows the load.
fn list<T: Choice>(arena: &Arena, task: &Task) -> Result<()> {
    let mut sets = sets::<T, T::Out>(&arena.stream, task)?;
    let choices: Vec<_> = T::kernels(task).choices().collect();
    let mut times = vec![Vec::new(); choices.len()];
    let mut near = f32::INFINITY;
    for _ in 0..arena.rounds {
        for (choice, times) in choices.iter().zip(&mut times) {
            if median(times).is_none_or(|time| time <= near) {
                times.extend(arena.glance(choice.kernel(), task, &mut sets)?);
            }
        }
        let fastest = times.iter().filter_map(|times| median(times)).fold(near, f32::min);
        near = NEAR * fastest;
    }
    let ids = choices.iter().map(|choice| choice.id());
    let medians = times.iter().map(|times| median(times)).zip(ids);
    let mut lines: Vec<_> = medians.filter_map(|(time, id)| Some((time?, id))).collect();
    lines.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for (milliseconds, id) in lines {
        println!("{}  {:8.2} µs  {id}", task.name(), 1e3 * milliseconds);
    }
    peers(arena, task, &mut sets)
}

/// Prints the time and the kernels of each algorithm of cuBLASLt, its first choice first.
fn peers<T: Choice>(arena: &Arena, task: &Task, sets: &mut [Set<T, T::Out>]) -> Result<()> {
    let mut operands: Vec<_> =
        sets.iter_mut().map(|set| set.split()).map(|[_, peers]| peers).collect();
    let mut others = Others::default();
    others.multiply(arena, task, &mut operands)?;
    for algorithm in others.algorithms().kernels() {
        let (milliseconds, kernels) = algorithm?;
        let kernels = kernels.join("; ");
        println!("{}  {:8.2} µs  cuBLASLt: {kernels}", task.name(), 1e3 * milliseconds);
    }
    Ok(())
}

fn median(times: &[f32]) -> Option<f32> {
    let mut times = times.to_vec();
    times.sort_by(f32::total_cmp);
    times.get(times.len() / 2).copied()
}

/// Extents that are multiples of 8, so that every copy is whole.
fn random(rng: &mut Rng) -> [usize; 3] {
    loop {
        let mut extent = |least: f64, most: f64| {
            let extent = (least.ln() + rng.f64() * (most / least).ln()).exp();
            (extent as usize).next_multiple_of(8)
        };
        let shape = [extent(1.0, 8192.0), extent(16.0, 16384.0), extent(32.0, 16384.0)];
        if shape.iter().map(|extent| *extent as f64).product::<f64>() <= LARGEST {
            return shape;
        }
    }
}

fn one<T: Choice>(arena: &Arena, task: &Task) -> Result<Row> {
    let mut sets = sets::<T, T::Out>(&arena.stream, task)?;
    let chosen = chosen(arena, task, &mut sets)?;
    let mut fastest: Option<(f32, &Kernel)> = None;
    for kernel in T::kernels(task).iter() {
        let Some(ms) = arena.glance(kernel, task, &mut sets)? else { continue };
        if fastest.is_none_or(|(least, _)| ms < least) {
            fastest = Some((ms, kernel));
        }
    }
    let (_, fastest) = fastest.context("no schedule can run")?;
    let rounds = arena.contest([chosen, fastest], task, &mut sets)?;
    Ok(Row {
        work: Some(Work::of_task(task)),
        peer: Some(Versus::of(&rounds, 1, 0)),
        ..Row::new(task.name(), "auto", rounds.us(0))
    })
}

/// The kernel of a launch.
fn chosen<T: Choice>(
    arena: &Arena,
    task: &Task,
    sets: &mut [Set<T, T::Out>],
) -> Result<&'static Kernel> {
    let [ours, _] = sets.first_mut().context("no operands")?.split();
    Ok(launch::choose(&arena.device, T::kernels(task), &arguments(task, ours)?))
}
