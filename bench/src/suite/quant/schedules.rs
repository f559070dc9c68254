//! The time of every schedule of a product of integer weights.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::CudaStream;
use gemm_runtime::launch::{self, Kernels};
use gemm_runtime::prelude::{i4x2, i4x32, i8x16};
use gemm_runtime::{Kernel, Prepared};
use half::bf16;

use super::super::compile;
use super::{Weight, arguments, of_bytes, of_pairs, packed_4, packed_8, sets};
use crate::arena::{Arena, Selection};
use crate::task::Task;

/// A product that every schedule can compute.
const COMPILED_FOR: [usize; 3] = [64, 64, 4096];

/// Prints the times of all schedules of each product, the fastest first.
pub(in crate::suite) fn list(arena: &Arena, products: &[Task]) -> Result<()> {
    each::<i4x2>(arena, products, of_pairs::AUTO)?;
    each::<i4x32>(arena, products, packed_4::AUTO)?;
    each::<i8>(arena, products, of_bytes::AUTO)?;
    each::<i8x16>(arena, products, packed_8::AUTO)
}

/// The times of one type of weights.
fn each<W: Weight>(
    arena: &Arena,
    products: &[Task],
    kernels: &'static Kernels<'static>,
) -> Result<()> {
    compile::<W>(kernels)?;
    products.iter().try_for_each(|task| of_weights::<W>(arena, task, kernels))
}

/// Compiles all schedules.
fn compile<W: Weight>(kernels: &Kernels<'static>) -> Result<()> {
    let [m, n, k] = COMPILED_FOR;
    let operands = |stream: &Arc<CudaStream>| {
        let [x, s] = [stream.alloc_zeros::<bf16>(m * k)?, stream.alloc_zeros::<bf16>(n * k)?];
        let (w, out) = (vec![W::default(); n * k], stream.alloc_zeros::<bf16>(m * n)?);
        Ok((x, stream.clone_htod(&w)?, s, out))
    };
    let kernels: Vec<&Kernel> = kernels.iter().collect();
    compile::all(&kernels, operands, |device, kernel, (x, w, s, out)| {
        // One that cannot run here is not timed either.
        let _ = launch::prepare(device, kernel, arguments(COMPILED_FOR, (x, w, s), out)?);
        Ok(())
    })
}

fn of_weights<W: Weight>(
    arena: &Arena,
    task: &Task,
    kernels: &'static Kernels<'static>,
) -> Result<()> {
    let shape = task.shape;
    let mut sets = sets::<W>(arena, shape, 1)?;
    let (mut lines, count) = (Vec::new(), sets.len());
    for choice in kernels.choices() {
        let mut launches: Vec<Prepared<'_>> = Vec::new();
        for set in &mut sets {
            let out = set.ours.first_mut().context("no output")?;
            let arguments = arguments(shape, (&set.x, &set.w, &set.s), out)?;
            launches.extend(arena.prepare_with(Selection::One(choice.kernel()), arguments));
        }
        if launches.len() == count {
            let milliseconds = arena.capture(&mut launches)?.glance(&arena.stream)?;
            lines.push((milliseconds, choice.id()));
        }
    }
    lines.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for (milliseconds, id) in lines {
        println!("{} {}  {:8.2} µs  {id}", W::NAME, task.name(), 1e3 * milliseconds);
    }
    Ok(())
}
