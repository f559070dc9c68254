//! The time of every schedule of a product of integer weights.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::CudaStream;
use gemm_runtime::launch::{self, Kernels};
use gemm_runtime::{Kernel, Prepared};
use half::bf16;

use super::super::compile;
use super::{Format, Scaled, arguments, sets};
use crate::arena::{Arena, Selection};
use crate::task::Task;

/// A product that every schedule can compute.
const COMPILED_FOR: [usize; 3] = [64, 64, 4096];

/// Prints the times of all schedules of each product in a format, the fastest first.
pub(super) fn list<F: Format>(
    arena: &Arena,
    products: &[Task],
    kernels: &'static Kernels<'static>,
) -> Result<()> {
    compile::<F>(kernels)?;
    products.iter().try_for_each(|task| of_product::<F>(arena, task, kernels))
}

/// Compiles all schedules.
fn compile<F: Format>(kernels: &Kernels<'static>) -> Result<()> {
    let [m, n, k] = COMPILED_FOR;
    let operands = |stream: &Arc<CudaStream>| {
        let scales = || stream.clone_htod(&vec![F::Scale::default(); n * k]);
        let factors = Scaled::<F> {
            x: stream.alloc_zeros(m * k)?,
            w: stream.clone_htod(&vec![F::Weight::default(); n * k])?,
            s: scales()?,
            c: F::OFFSETS.then(scales).transpose()?,
        };
        Ok((factors, stream.alloc_zeros::<bf16>(m * n)?))
    };
    let kernels: Vec<&Kernel> = kernels.iter().collect();
    compile::all(&kernels, operands, |device, kernel, (factors, out)| {
        // One that cannot run here is not timed either.
        let _ = launch::prepare(device, kernel, arguments(COMPILED_FOR, factors, out)?);
        Ok(())
    })
}

fn of_product<F: Format>(
    arena: &Arena,
    task: &Task,
    kernels: &'static Kernels<'static>,
) -> Result<()> {
    let shape = task.shape;
    let mut sets = sets::<F>(arena, shape, 1)?;
    let (mut lines, count) = (Vec::new(), sets.len());
    for choice in kernels.choices() {
        let mut launches: Vec<Prepared<'_>> = Vec::new();
        for set in &mut sets {
            let out = set.ours.first_mut().context("no output")?;
            let arguments = arguments(shape, &set.factors, out)?;
            launches.extend(arena.prepare_with(Selection::One(choice.kernel()), arguments));
        }
        if launches.len() == count {
            let milliseconds = arena.capture(&mut launches)?.glance(&arena.stream)?;
            lines.push((milliseconds, choice.id()));
        }
    }
    lines.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for (milliseconds, id) in lines {
        println!("{} {}  {:8.2} µs  {id}", F::NAME, task.name(), 1e3 * milliseconds);
    }
    Ok(())
}
