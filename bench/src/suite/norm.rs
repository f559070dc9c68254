//! A linear layer with the sum of squares of each row, bf16, against the layer alone, both by this crate: what
//! RMSNorm costs where the product that precedes it sums.

use anyhow::{Context as _, Error, Result, ensure};
use cudarc::driver::CudaSlice;
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsMatrix as _, AsMatrixMut as _, AsVectorMut as _, Prepared};

use super::runner::{self, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, Tuned};
use crate::operands::{Sample as _, random, sets_to_rotate};
use crate::report::{Row, Versus, Work};
use crate::task::{Compute, Task};
use crate::timing::Batch;

/// The layer alone.
#[gemm]
fn plain(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

/// The same with its norms.
#[gemm]
fn norms(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> (Mat<bf16, M, N>, Vector<f32, M>) {
    let h = matmul(x, w);
    (h, sum(h * h))
}

/// Operands, and the outputs of each kernel.
struct Set {
    x: CudaSlice<bf16>,
    w: CudaSlice<bf16>,
    outputs: Vec<(CudaSlice<bf16>, CudaSlice<f32>)>,
}

/// The kernels, each with whether it reduces.
fn kernels() -> [(bool, Named); 4] {
    [
        (false, ("plain", Chosen(&plain::KERNELS))),
        (true, ("norms", Chosen(&norms::KERNELS))),
        (false, ("plain, tuned", Tuned(&plain::KERNELS))),
        (true, ("norms, tuned", Tuned(&norms::KERNELS))),
    ]
}

/// The lines of each product.
pub(super) fn run(arena: &Arena, products: &[Task]) -> Vec<Row> {
    let shapes = products.iter().map(|task| task.shape).collect();
    let name = |shape: &[usize; 3]| Task::plain(*shape, Compute::F32).name();
    runner::each(arena, shapes, name, |shape, _: &dyn Fn(Error)| rows(arena, shape))
}

fn rows(arena: &Arena, shape: [usize; 3]) -> Result<Vec<Row>> {
    let kernels = kernels();
    let mut sets = sets(arena, shape, kernels.len())?;
    let mut launches: Vec<Vec<Prepared<'_>>> = kernels.iter().map(|_| Vec::new()).collect();
    for set in &mut sets {
        let of_set = arguments(set, shape, kernels.iter().map(|(reduces, _)| *reduces))?;
        for ((launches, (_, (name, kernel))), arguments) in
            launches.iter_mut().zip(&kernels).zip(of_set)
        {
            launches.push(arena.prepare_with(*kernel, arguments).context(*name)?);
        }
    }
    let batches = launches.iter_mut().map(|launches| arena.capture(launches));
    let batches = batches.collect::<Result<Vec<Batch>>>()?;
    let rounds = arena.in_turns(&batches.iter().collect::<Vec<_>>())?;
    drop((batches, launches));
    judge(arena, shape, sets.first().context("no operands")?)?;
    let task = Task::plain(shape, Compute::F32);
    let row = |(at, (reduces, (name, _))): (usize, &(bool, Named))| Row {
        work: Some(Work::of_task(&task)),
        // Each kernel with norms follows the one without.
        peer: reduces.then(|| Versus::of(&rounds, at - 1, at)),
        ..Row::new(task.name(), (*name).to_owned(), rounds.us(at))
    };
    Ok(kernels.iter().enumerate().map(row).collect())
}

/// Sets of random operands.
fn sets(arena: &Arena, [m, n, k]: [usize; 3], kernels: usize) -> Result<Vec<Set>> {
    let stream = &arena.stream;
    let x = stream.clone_htod(&random::<bf16>(m * k, bf16::LARGEST))?;
    let w = stream.clone_htod(&random::<bf16>(n * k, bf16::LARGEST))?;
    let bytes = (m * k + n * k + m * n) * size_of::<bf16>();
    let set = |_| -> Result<Set> {
        let outputs =
            (0..kernels).map(|_| Ok((stream.alloc_zeros(m * n)?, stream.alloc_zeros(m)?)));
        let outputs = outputs.collect::<Result<_>>()?;
        Ok(Set { x: stream.clone_dtod(&x)?, w: stream.clone_dtod(&w)?, outputs })
    };
    (0..sets_to_rotate(bytes)).map(set).collect()
}

/// The arguments of each kernel.
fn arguments(
    set: &mut Set,
    [m, n, k]: [usize; 3],
    reduces: impl Iterator<Item = bool>,
) -> Result<Vec<Vec<Argument<'_>>>> {
    let Set { x, w, outputs } = set;
    let (x, w) = (&*x, &*w);
    let mut all = Vec::new();
    for ((out, sums), reduces) in outputs.iter_mut().zip(reduces) {
        let mut arguments =
            vec![MatrixRef::new(x, m, k)?.argument(), MatrixRef::new(w, n, k)?.argument()];
        arguments.push(MatrixMut::new(out, m, n)?.argument());
        if reduces {
            arguments.push(VectorMut::new(sums, m)?.argument());
        }
        all.push(arguments);
    }
    Ok(all)
}

/// The norms are those of the stored matrix, but for the rounding of that.
fn judge(arena: &Arena, [m, n, _]: [usize; 3], set: &Set) -> Result<()> {
    for ((reduces, (name, _)), (out, sums)) in kernels().iter().zip(&set.outputs) {
        if !reduces {
            continue;
        }
        let (out, sums) = (arena.stream.clone_dtoh(out)?, arena.stream.clone_dtoh(sums)?);
        for (row, sum) in out.chunks_exact(n).zip(&sums).take(m) {
            let expected: f64 = row.iter().map(|h| f64::from(h.to_f32()).powi(2)).sum();
            let error = (f64::from(*sum) - expected).abs();
            ensure!(error <= 2e-3 * expected, "{name}: {sum} for {expected}");
        }
    }
    Ok(())
}
