//! The choice of a launch of `#[gemm(auto)]`, against the fastest of its schedules.

use anyhow::{Context as _, Result};
use fastrand::Rng;
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, Kernel, launch};
use indicatif::ProgressBar;

use crate::arena::Arena;
use crate::operands::{Set, sets};
use crate::report::{Row, Versus, Work};
use crate::task::{Compute, Task};

/// Chosen by shape.
#[gemm(auto)]
fn auto(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Multiplications of the largest product.
const LARGEST: f64 = 5e10;

/// As many shapes as asked for, each extent log-uniform.
pub(super) fn run(arena: &Arena, shapes: usize, seed: u64) -> Result<Vec<Row>> {
    let mut rng = Rng::with_seed(seed);
    let progress = ProgressBar::new(shapes as u64);
    let mut rows = Vec::new();
    for _ in 0..shapes {
        rows.push(one(arena, shape(&mut rng))?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let near =
        rows.iter().filter(|row| row.peer.is_some_and(|peer| peer.ratio.ratio >= 0.95)).count();
    println!("chosen within 5 % of the fastest: {near} of {}", rows.len());
    Ok(rows)
}

/// Extents that are multiples of 8, so that every copy is whole.
fn shape(rng: &mut Rng) -> [usize; 3] {
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

fn one(arena: &Arena, shape: [usize; 3]) -> Result<Row> {
    let task = Task::plain(shape, Compute::F32);
    let mut sets = sets::<f16, f16>(&arena.stream, &task)?;
    let chosen = chosen(arena, shape, &sets)?;
    let mut fastest: Option<(f32, &Kernel)> = None;
    for kernel in auto::KERNELS.iter() {
        let Some(ms) = arena.glance(kernel, &task, &mut sets)? else { continue };
        if fastest.is_none_or(|(least, _)| ms < least) {
            fastest = Some((ms, kernel));
        }
    }
    let (_, fastest) = fastest.context("no schedule can run")?;
    let rounds = arena.contest([chosen, fastest], &task, &mut sets)?;
    Ok(Row {
        work: Some(Work::of_product(shape)),
        peer: Some(Versus { peers_us: rounds.us(1), ratio: rounds.ratio(1, 0) }),
        ..Row::new(task.name(), "auto", rounds.us(0))
    })
}

/// The kernel of a launch.
fn chosen(arena: &Arena, [m, n, k]: [usize; 3], sets: &[Set<f16, f16>]) -> Result<&'static Kernel> {
    let Set { a, b, .. } = sets.first().context("no operands")?;
    let matrix = |slice, rows| gemm_runtime::MatrixRef::new(slice, rows, k);
    let (a, b) = (matrix(a, m)?, matrix(b, n)?);
    Ok(launch::choose(&arena.device, &auto::KERNELS, &[a.argument(), b.argument()]))
}
