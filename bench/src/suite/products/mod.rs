//! Several products that share their first factor in one launch of ours, against cuBLASLt's ways to compute
//! them.

mod check;
mod operands;
mod peers;
#[cfg(test)]
mod tests;

use anyhow::{Context as _, Error, Result};
use gemm_runtime::Prepared;
use half::bf16;

use self::check::Check;
use self::operands::{Set, sets};
use self::peers::Peers;
use super::runner::{self, Named};
use crate::arena::{Arena, Selection};
use crate::operands::Sample as _;
use crate::report::{Row, Versus, Work};
use crate::task::{Compute, Task};
use crate::timing::Batch;

/// sumᵢ(m×n) = x(m×k) · wᵢ, where each wᵢ is stored n×k, and what is stored of these sums, all bf16 and
/// summed in f32.
#[derive(Clone, Copy)]
pub(super) struct Products {
    pub(super) m: usize,
    /// n of each.
    pub(super) columns: &'static [usize],
    pub(super) k: usize,
    pub(super) stored: Stored,
}

/// What is stored of the sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    /// Each in a matrix of its own.
    Sums,
    /// silu of the first, times the second.
    Gated,
}

impl Products {
    /// Each of them alone.
    fn each(&self) -> impl Iterator<Item = Task> {
        let Products { m, columns, k, .. } = *self;
        columns.iter().map(move |n| Task::plain([m, *n, k], Compute::F32))
    }

    /// All as one product, whose second factor has the rows of all wᵢ one after the other.
    fn joined(&self) -> Task {
        Task::plain([self.m, self.columns.iter().sum(), self.k], Compute::F32)
    }

    /// The columns of the matrices that are stored.
    fn outputs(&self) -> &'static [usize] {
        match self.stored {
            Stored::Sums => self.columns,
            Stored::Gated => &self.columns[..1],
        }
    }

    /// The largest element of each wᵢ, with which the sums have unit variance: `silu` of larger sums is close
    /// to 0 or to its argument, so that a wrong one would agree.
    fn largest_weight(&self) -> f64 {
        3.0 / (bf16::LARGEST * (self.k as f64).sqrt())
    }

    fn name(&self) -> String {
        let Products { m, columns, k, .. } = self;
        match columns.iter().all(|n| *n == columns[0]) {
            true => format!("{} of {m}×{}×{k}", columns.len(), columns[0]),
            false => {
                let columns: Vec<String> = columns.iter().map(usize::to_string).collect();
                format!("{m}×({})×{k}", columns.join(" + "))
            }
        }
    }

    fn work(&self) -> Work {
        Work::of_task(&self.joined())
    }
}

/// The lines of each of `all`: of each kernel of ours, then of cuBLASLt by each form, all measured in turns
/// together. The peer of ours is the fastest form.
pub(super) fn run(arena: &Arena, all: Vec<Products>, kernels: &[Named]) -> Vec<Row> {
    let kernels: Vec<Named> =
        kernels.iter().copied().filter(|(name, _)| arena.takes(name)).collect();
    if kernels.is_empty() {
        return Vec::new();
    }
    runner::each(arena, all, Products::name, |products, report| {
        rows(arena, &products, &kernels, report)
    })
}

fn rows(
    arena: &Arena,
    products: &Products,
    kernels: &[Named],
    report: &dyn Fn(Error),
) -> Result<Vec<Row>> {
    let mut sets = sets(&arena.stream, products, kernels.len())?;
    let peers = Peers::capture(arena, products, &mut sets).context("cuBLASLt")?;
    let first = sets.first_mut().context("no operands")?;
    let mut check = Check::new(&arena.stream, products, first)?;
    peers.check(&mut check, first).context("cuBLASLt")?;
    let mut right = Vec::new();
    for (name, kernel) in kernels {
        match judge(arena, products, *kernel, first, &mut check).context(*name) {
            Ok(()) => right.push((*name, *kernel)),
            Err(error) => report(error),
        }
    }
    measure(arena, products, &right, &peers, &mut sets)
}

/// Judges what a kernel of ours stores.
fn judge(
    arena: &Arena,
    products: &Products,
    kernel: Selection<'_>,
    set: &mut Set,
    check: &mut Check,
) -> Result<()> {
    set.poison(&arena.stream, products)?;
    // Kernels are judged one after the other, so one of their outputs is enough.
    let arguments = set.arguments(products)?.into_iter().next().context("no outputs")?;
    arena.prepare_with(kernel, arguments)?.launch()?;
    check.judge(set.first_of_ours(&arena.stream, products)?)
}

/// Measures all in turns.
fn measure(
    arena: &Arena,
    products: &Products,
    kernels: &[Named],
    peers: &Peers<'_>,
    sets: &mut [Set],
) -> Result<Vec<Row>> {
    let mut launches: Vec<Vec<Prepared<'_>>> = kernels.iter().map(|_| Vec::new()).collect();
    for set in sets {
        let of_kernels = kernels.iter().zip(set.arguments(products)?);
        for (launches, ((_, kernel), arguments)) in launches.iter_mut().zip(of_kernels) {
            launches.push(arena.prepare_with(*kernel, arguments)?);
        }
    }
    let ours = launches.iter_mut().map(|launches| arena.capture(launches));
    let ours = ours.collect::<Result<Vec<Batch>>>()?;
    let mut batches: Vec<&Batch> = ours.iter().collect();
    let places = peers.enter(&mut batches);
    let rounds = arena.in_turns(&batches)?;
    let fastest = |of: &dyn Fn(&[usize; 2]) -> usize| {
        let places = places.forms.iter().map(of);
        places.min_by(|one, other| rounds.us(*one).total_cmp(&rounds.us(*other)))
    };
    let (peer, best) = (fastest(&|[first, _]| *first), fastest(&|[_, best]| *best));
    let row = |name: String, at| {
        let work = Some(products.work());
        Row { work, ..Row::new(products.name(), name, rounds.us(at)) }
    };
    let ours = kernels.iter().enumerate().map(|(at, (name, _))| Row {
        peer: peer.map(|peer| Versus::of(&rounds, peer, at)),
        best: best.map(|best| Versus::of(&rounds, best, at)),
        ..row((*name).to_owned(), at)
    });
    let others = places.named(peers).into_iter().map(|(name, at)| row(name, at));
    let pass = places.pass.zip(peers.bytes_of_pass()).map(|(at, bytes)| Row {
        work: Some(Work::Bytes(bytes as f64)),
        ..row("the pass alone".to_owned(), at)
    });
    Ok(ours.chain(others).chain(pass).collect())
}
