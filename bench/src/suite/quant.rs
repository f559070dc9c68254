//! Weights of few bits, with a scale for each 128 of K or a scale and an offset for each 32, against bf16 weights
//! by cuBLASLt.

mod kernels;
mod schedules;
mod weights;

use std::rc::Rc;

use anyhow::{Context as _, Error, Result};
use clap::{Args, ValueEnum};
use cudarc::driver::CudaSlice;
use gemm_runtime::launch::Kernels;
use gemm_runtime::{
    Argument, AsMatrix as _, AsMatrixMut as _, Element as _, MatrixMut, MatrixRef, Prepared,
};
use half::bf16;

use super::choice;
use super::runner::{self, Named};
use crate::algorithms::Algorithms;
use crate::arena::{Arena, Selection};
use crate::operands::{Operands, close, poison, random, sets_to_rotate};
use crate::report::{Row, Versus, Work};
use crate::task::{Compute, Task};
use crate::timing::Batch;

use kernels::{blocks, of_bytes, of_pairs, packed_4, packed_8};
use weights::{Blocks, Bytes, Format, PackedBytes, PackedPairs, Pairs, extents_of, weight};

/// Elements of weights that are drawn.
const DRAWN: usize = 1 << 20;

/// Elements whose sums the host computes.
const SAMPLED: usize = 256;

/// What our kernels multiply, in device memory.
struct Scaled<F: Format> {
    x: CudaSlice<bf16>,
    w: CudaSlice<F::Weight>,
    s: CudaSlice<F::Scale>,
    /// The offsets, if there are any.
    c: Option<CudaSlice<F::Scale>>,
}

/// Operands in device memory, for ours and for the peer.
struct Set<F: Format> {
    factors: Scaled<F>,
    /// The elements that `w` repeats.
    drawn: Rc<[F::Weight]>,
    /// The weights of the peer.
    halves: CudaSlice<bf16>,
    /// The output of each kernel of ours.
    ours: Vec<CudaSlice<bf16>>,
    sums: CudaSlice<bf16>,
}

/// Which weights by how many tokens.
#[derive(Args, Debug)]
pub(crate) struct Quant {
    /// M×N×K of each case.
    #[arg(
        long,
        value_delimiter = ',',
        value_parser = choice::task,
        value_name = "MxNxK",
        default_value = "1x4096x4096,16x4096x4096,1x14336x4096,16x14336x4096,1x8192x8192,1x8192x28672,\
                         16x8192x28672,64x4096x4096,64x14336x4096,128x4096x4096,128x14336x4096,512x4096x4096,\
                         512x14336x4096,2048x4096x4096,2048x14336x4096"
    )]
    products: Vec<Task>,
    /// The formats of the weights; all if left out.
    #[arg(long, value_delimiter = ',', value_enum)]
    formats: Vec<Weights>,
    /// Print the time of every schedule of each product, and nothing else.
    #[arg(long)]
    list: bool,
}

/// A format of weights.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Weights {
    /// Plain int4 with a scale for each 128 of K.
    I4,
    /// The same, packed.
    I4Packed,
    /// int8 with a scale for each 128 of K.
    I8,
    /// The same, packed.
    I8Packed,
    /// Packed unsigned int4 with a scale and an offset for each 32 of K.
    U4Packed,
}

impl Quant {
    /// Whether all schedules are listed, in place of a comparison.
    pub(super) fn lists(&self) -> bool {
        self.list
    }
}

/// The lines of each format, for each product; none where schedules are listed.
pub(super) fn run(arena: &Arena, which: &Quant) -> Result<Vec<Row>> {
    let formats = match &which.formats[..] {
        [] => Weights::value_variants(),
        formats => formats,
    };
    let each = formats.iter().map(|format| match format {
        Weights::I4 => of_format::<Pairs>(arena, which, &of_pairs::ALL, of_pairs::AUTO),
        Weights::I4Packed => of_format::<PackedPairs>(arena, which, &packed_4::ALL, packed_4::AUTO),
        Weights::I8 => of_format::<Bytes>(arena, which, &of_bytes::ALL, of_bytes::AUTO),
        Weights::I8Packed => of_format::<PackedBytes>(arena, which, &packed_8::ALL, packed_8::AUTO),
        Weights::U4Packed => of_format::<Blocks>(arena, which, &blocks::ALL, blocks::AUTO),
    });
    Ok(each.collect::<Result<Vec<_>>>()?.concat())
}

/// The lines of a format.
fn of_format<F: Format>(
    arena: &Arena,
    Quant { products, list, .. }: &Quant,
    kernels: &[Named],
    auto: &'static Kernels<'static>,
) -> Result<Vec<Row>> {
    if *list {
        schedules::list::<F>(arena, products, auto)?;
        return Ok(Vec::new());
    }
    let kernels: Vec<Named> =
        kernels.iter().copied().filter(|(name, _)| arena.takes(name)).collect();
    let name =
        |shape: &[usize; 3]| format!("{} {}", F::NAME, Task::plain(*shape, Compute::F32).name());
    let shapes = products.iter().map(|task| task.shape).collect();
    Ok(runner::each(arena, shapes, name, |shape, report| {
        rows::<F>(arena, (name(&shape), shape), &kernels, report)
    }))
}

fn rows<F: Format>(
    arena: &Arena,
    (name, shape): (String, [usize; 3]),
    kernels: &[Named],
    report: &dyn Fn(Error),
) -> Result<Vec<Row>> {
    let mut sets = sets::<F>(arena, shape, kernels.len())?;
    let task = Task::plain(shape, Compute::F32);
    let multiplication = arena.cublas.plan::<bf16, bf16>(&task)?;
    let algorithms =
        Algorithms::capture(arena, multiplication.algorithms(), sets.len(), |algorithm, turn| {
            let Set { factors: Scaled { x, .. }, halves, sums, .. } = &mut sets[turn];
            // Neither a bias nor a residual is read.
            let mut operands =
                Operands { a: x, b: halves, bias: halves, residual: halves, out: sums };
            multiplication.enqueue(algorithm, &mut operands)
        })?;
    let mut right = Vec::new();
    for (number, (name, kernel)) in kernels.iter().enumerate() {
        let first = sets.first_mut().context("no operands")?;
        match judge(arena, shape, *kernel, (first, number)).context(*name) {
            Ok(()) => right.push((number, *name, *kernel)),
            Err(error) => report(error),
        }
    }
    let mut launches = prepared(arena, shape, &right, &mut sets)?;
    let ours = launches.iter_mut().map(|launches| arena.capture(launches));
    let ours = ours.collect::<Result<Vec<Batch>>>()?;
    let mut batches: Vec<&Batch> = ours.iter().collect();
    let [peer, best] = algorithms.enter(&mut batches).context("cuBLASLt has no algorithm")?;
    let rounds = arena.in_turns(&batches)?;
    let row = |kernel: String, at| {
        let work = Some(Work::of_task(&task));
        Row { work, ..Row::new(name.clone(), kernel, rounds.us(at)) }
    };
    let of_ours = right.iter().enumerate().map(|(at, (_, kernel, _))| Row {
        peer: Some(Versus::of(&rounds, peer, at)),
        best: Some(Versus::of(&rounds, best, at)),
        ..row((*kernel).to_owned(), at)
    });
    Ok(of_ours.chain([row("cuBLASLt, bf16".to_owned(), peer)]).collect())
}

/// The launches of each kernel that is right, one on each set.
fn prepared<'a, F: Format>(
    arena: &Arena,
    shape: [usize; 3],
    right: &[(usize, &'static str, Selection<'static>)],
    sets: &'a mut [Set<F>],
) -> Result<Vec<Vec<Prepared<'a>>>> {
    let mut launches: Vec<Vec<Prepared<'_>>> = right.iter().map(|_| Vec::new()).collect();
    for set in sets {
        let Set { factors, ours, .. } = set;
        for (number, out) in ours.iter_mut().enumerate() {
            let Some(at) = right.iter().position(|(right, ..)| *right == number) else { continue };
            let arguments = arguments(shape, factors, out)?;
            launches[at].push(arena.prepare_with(right[at].2, arguments)?);
        }
    }
    Ok(launches)
}

/// The sets of operands, more than L2 holds.
fn sets<F: Format>(arena: &Arena, [m, n, k]: [usize; 3], outputs: usize) -> Result<Vec<Set<F>>> {
    let stream = &arena.stream;
    let drawn: Rc<[F::Weight]> = (0..DRAWN).map(|_| F::random()).collect();
    let elements = extents_of::<F>([n, k]).into_iter().product::<usize>();
    let count = sets_to_rotate(elements * F::Weight::ELEMENT.bytes() as usize);
    let set = |_| {
        let w: Vec<F::Weight> = drawn.iter().copied().cycle().take(elements).collect();
        Ok(Set {
            factors: Scaled {
                x: stream.clone_htod(&random::<bf16>(m * k, 1.0))?,
                w: stream.clone_htod(&w)?,
                s: stream.clone_htod(&random::<F::Scale>(n * (k / F::GROUP), 0.1))?,
                c: F::OFFSETS
                    .then(|| stream.clone_htod(&random::<F::Scale>(n * (k / F::GROUP), 0.1)))
                    .transpose()?,
            },
            drawn: Rc::clone(&drawn),
            halves: stream.clone_htod(&random::<bf16>(n * k, 1.0))?,
            ours: (0..outputs).map(|_| stream.alloc_zeros(m * n)).collect::<Result<_, _>>()?,
            sums: stream.alloc_zeros(m * n)?,
        })
    };
    (0..count).map(set).collect()
}

/// The arguments of a launch of ours.
fn arguments<'a, F: Format>(
    [m, n, k]: [usize; 3],
    Scaled { x, w, s, c }: &'a Scaled<F>,
    out: &'a mut CudaSlice<bf16>,
) -> Result<Vec<Argument<'a>>> {
    let [rows, columns] = extents_of::<F>([n, k]);
    let mut arguments = vec![
        MatrixRef::new(x, m, k)?.argument(),
        MatrixRef::new(w, rows, columns)?.argument(),
        MatrixRef::new(s, n, k / F::GROUP)?.argument(),
    ];
    if let Some(c) = c {
        arguments.push(MatrixRef::new(c, n, k / F::GROUP)?.argument());
    }
    arguments.push(MatrixMut::new(out, m, n)?.argument());
    Ok(arguments)
}

/// Compares some elements of what a kernel of ours stores with sums in f64.
fn judge<F: Format>(
    arena: &Arena,
    shape @ [m, n, k]: [usize; 3],
    kernel: Selection<'_>,
    (set, number): (&mut Set<F>, usize),
) -> Result<()> {
    let stream = &arena.stream;
    let Set { factors, drawn, ours, .. } = set;
    let out = &mut ours[number];
    stream.memcpy_htod(&poison::<bf16>(m * n), out)?;
    arena.prepare_with(kernel, arguments(shape, factors, out)?)?.launch()?;
    let stored = stream.clone_dtoh(out)?;
    let mut places = vec![[m - 1, n - 1]];
    places.resize_with(SAMPLED, || [fastrand::usize(..m), fastrand::usize(..n)]);
    let Scaled { x, s, c, .. } = factors;
    let groups = k / F::GROUP;
    let of_line = |values: &CudaSlice<F::Scale>, line: usize| -> Result<Vec<f64>> {
        let values = stream.clone_dtoh(&values.slice(line * groups..(line + 1) * groups))?;
        Ok(values.into_iter().map(F::Scale::to_f64).collect())
    };
    let pairs = places.into_iter().map(|[row, column]| {
        let x = stream.clone_dtoh(&x.slice(row * k..(row + 1) * k))?;
        let s = of_line(s, column)?;
        let c = c.as_ref().map_or(Ok(vec![0.0; groups]), |c| of_line(c, column))?;
        let terms = x.iter().enumerate().map(|(at, x)| {
            let (weight, group) = (weight(drawn, k, [column, at]), at / F::GROUP);
            (weight * s[group] + c[group]) * x.to_f64()
        });
        Ok((stored[row * n + column].to_f64(), terms.sum()))
    });
    let pairs: Vec<(f64, f64)> = pairs.collect::<Result<_>>()?;
    close::<bf16>(pairs.into_iter(), Compute::F32).context("compared with sums in f64")
}
