//! A linear layer with a low-rank update, bf16, against the layer alone, both by this crate: what `alpha · t · bᵀ`
//! of a small rank costs in the same launch.

use anyhow::{Context as _, Error, Result, ensure};
use cudarc::driver::CudaSlice;
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsMatrix as _, AsMatrixMut as _, Prepared};

use super::runner::{self, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, Tuned};
use crate::operands::{Sample as _, random, sets_to_rotate};
use crate::report::{Row, Versus, Work};
use crate::task::{Compute, Task};
use crate::timing::Batch;

/// What the update is multiplied by: a power of two, so that nothing of it is rounded.
const ALPHA: f32 = 0.5;

/// Rows whose elements are compared with sums in f64.
const JUDGED: usize = 4;

/// The layer alone.
#[gemm]
fn plain(x: Mat<bf16, M, K>, w: Mat<bf16, N, K>) -> Mat<bf16, M, N> {
    matmul(x, w)
}

/// The same with the update.
#[gemm]
fn lora(
    x: Mat<bf16, M, K>,
    w: Mat<bf16, N, K>,
    t: Mat<bf16, M, R>,
    b: Mat<bf16, N, R>,
    alpha: f32,
) -> Mat<bf16, M, N> {
    matmul(x, w) + alpha * matmul(t, b)
}

/// Operands, and the output of each kernel.
struct Set {
    x: CudaSlice<bf16>,
    w: CudaSlice<bf16>,
    t: CudaSlice<bf16>,
    b: CudaSlice<bf16>,
    outputs: Vec<CudaSlice<bf16>>,
}

/// A layer and the rank of its update.
#[derive(Clone, Copy)]
struct Layer {
    shape: [usize; 3],
    rank: usize,
}

/// The kernels, each with whether it updates.
fn kernels() -> [(bool, Named); 4] {
    [
        (false, ("plain", Chosen(&plain::KERNELS))),
        (true, ("lora", Chosen(&lora::KERNELS))),
        (false, ("plain, tuned", Tuned(&plain::KERNELS))),
        (true, ("lora, tuned", Tuned(&lora::KERNELS))),
    ]
}

/// The lines of each product.
pub(super) fn run(arena: &Arena, products: &[Task], rank: usize) -> Vec<Row> {
    let layers = products.iter().map(|task| Layer { shape: task.shape, rank }).collect();
    runner::each(arena, layers, Layer::name, |layer, _: &dyn Fn(Error)| layer.rows(arena))
}

impl Layer {
    fn name(&self) -> String {
        format!("{}, rank {}", Task::plain(self.shape, Compute::F32).name(), self.rank)
    }

    fn rows(&self, arena: &Arena) -> Result<Vec<Row>> {
        let kernels = kernels();
        let mut sets = self.sets(arena, kernels.len())?;
        let mut launches: Vec<Vec<Prepared<'_>>> = kernels.iter().map(|_| Vec::new()).collect();
        for set in &mut sets {
            let of_set = self.arguments(set, kernels.iter().map(|(updates, _)| *updates))?;
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
        self.judge(arena, sets.first().context("no operands")?)?;
        let row = |(at, (updates, (name, _))): (usize, &(bool, Named))| Row {
            work: Some(Work::of_task(&Task::plain(self.shape, Compute::F32))),
            // Each kernel with an update follows the one without.
            peer: updates.then(|| Versus::of(&rounds, at - 1, at)),
            ..Row::new(self.name(), (*name).to_owned(), rounds.us(at))
        };
        Ok(kernels.iter().enumerate().map(row).collect())
    }

    /// Sets of random operands.
    fn sets(&self, arena: &Arena, kernels: usize) -> Result<Vec<Set>> {
        let (Layer { shape: [m, n, k], rank }, stream) = (*self, &arena.stream);
        let of = |elements: usize| stream.clone_htod(&random::<bf16>(elements, bf16::LARGEST));
        let [x, w, t, b] = [of(m * k)?, of(n * k)?, of(m * rank)?, of(n * rank)?];
        let bytes = (m * k + n * k + m * n + (m + n) * rank) * size_of::<bf16>();
        let set = |_| -> Result<Set> {
            let outputs = (0..kernels).map(|_| stream.alloc_zeros(m * n));
            Ok(Set {
                x: stream.clone_dtod(&x)?,
                w: stream.clone_dtod(&w)?,
                t: stream.clone_dtod(&t)?,
                b: stream.clone_dtod(&b)?,
                outputs: outputs.collect::<Result<_, _>>()?,
            })
        };
        (0..sets_to_rotate(bytes)).map(set).collect()
    }

    /// The arguments of each kernel.
    fn arguments<'s>(
        &self,
        set: &'s mut Set,
        updates: impl Iterator<Item = bool>,
    ) -> Result<Vec<Vec<Argument<'s>>>> {
        let Layer { shape: [m, n, k], rank } = *self;
        let Set { x, w, t, b, outputs } = set;
        let (x, w, t, b) = (&*x, &*w, &*t, &*b);
        let mut all = Vec::new();
        for (out, updates) in outputs.iter_mut().zip(updates) {
            let mut arguments =
                vec![MatrixRef::new(x, m, k)?.argument(), MatrixRef::new(w, n, k)?.argument()];
            if updates {
                arguments.push(MatrixRef::new(t, m, rank)?.argument());
                arguments.push(MatrixRef::new(b, n, rank)?.argument());
                arguments.push(Argument::from(ALPHA));
            }
            arguments.push(MatrixMut::new(out, m, n)?.argument());
            all.push(arguments);
        }
        Ok(all)
    }

    /// Rows of each output are those of sums in f64.
    fn judge(&self, arena: &Arena, set: &Set) -> Result<()> {
        let Layer { shape: [m, n, k], rank } = *self;
        let host = |of: &CudaSlice<bf16>| arena.stream.clone_dtoh(of);
        let [x, w, t, b] = [host(&set.x)?, host(&set.w)?, host(&set.t)?, host(&set.b)?];
        let dot = |a: &[bf16], b: &[bf16]| -> [f64; 2] {
            let products = a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64());
            products.fold([0.0; 2], |[sum, size], of| [sum + of, size + of.abs()])
        };
        for ((updates, (name, _)), out) in kernels().iter().zip(&set.outputs) {
            let out = host(out)?;
            for row in (0..m).step_by(m.div_ceil(JUDGED)) {
                for column in 0..n {
                    let [sum, size] = dot(&x[row * k..][..k], &w[column * k..][..k]);
                    let update = dot(&t[row * rank..][..rank], &b[column * rank..][..rank]);
                    let scale = if *updates { f64::from(ALPHA) } else { 0.0 };
                    let expected = sum + scale * update[0];
                    let (got, size) = (out[row * n + column].to_f64(), size + update[1]);
                    let limit = expected.abs() / 128.0 + size * 1e-4;
                    ensure!((got - expected).abs() <= limit, "{name}: {got} for {expected}");
                }
            }
        }
        Ok(())
    }
}
