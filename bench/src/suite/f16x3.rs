//! f32 by products of halves, against cuBLASLt's f32.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::{CudaSlice, CudaStream};
use gemm_runtime::launch::Kernels;
use gemm_runtime::prelude::*;

use super::runner::{self, Lineup, Named};
use crate::arena::Arena;
use crate::arena::Selection::{Chosen, ChosenOfSplit, One, OneOfSplit, Tuned, TunedOfSplit};
use crate::operands::{Set, sets};
use crate::others::Others;
use crate::report::Row;
use crate::task::Task;

/// Chosen by shape.
#[gemm(auto, precision = f16x3)]
fn auto(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Two warpgroups, each of 128 rows.
#[gemm(tile = [256, 128, 32], warpgroups = [2, 1], mma = wgmma, precision = f16x3, stages = 4)]
fn tall(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Everything derived, by `mma.sync`: what an A100 would run.
#[gemm(derived, mma = m16n8k16, precision = f16x3)]
fn warps(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Six products of three bf16, chosen by shape.
#[gemm(auto, precision = bf16x6)]
fn auto_bf16x6(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// In f32, chosen by shape.
#[gemm(auto)]
fn exact(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The kernels whose schedules `choice` lists.
pub(super) static KERNELS: &Kernels<'static> = &auto::KERNELS;

/// Each splits both factors, but where it is said that the second one was split before.
fn kernels() -> [Named; 10] {
    [
        ("auto", Chosen(&auto::KERNELS)),
        ("auto, b split", ChosenOfSplit(&auto::KERNELS)),
        ("tuned", Tuned(&auto::KERNELS)),
        ("tuned, b split", TunedOfSplit(&auto::KERNELS)),
        ("256×128×32", One(&tall::KERNEL)),
        ("256×128×32, b split", OneOfSplit(&tall::KERNEL)),
        ("mma.sync", One(&warps::KERNEL)),
        ("mma.sync, b split", OneOfSplit(&warps::KERNEL)),
        ("bf16x6 tuned", Tuned(&auto_bf16x6::KERNELS)),
        ("f32", Chosen(&exact::KERNELS)),
    ]
}

/// Each of the products, then its errors.
pub(super) fn run(arena: &Arena, tasks: &[Task]) -> Vec<Row> {
    let lineup = Lineup { kernels: &kernels(), roof: None, floor: false };
    runner::all::<f32, f32>(arena, tasks.iter().copied(), &lineup)
}

/// How the elements of factors are drawn, by a name.
type Data = (&'static str, fn(&mut fastrand::Rng) -> f32);

const DATA: [Data; 3] = [
    ("normal", |rng| (0..12).map(|_| rng.f32()).sum::<f32>() - 6.0),
    ("uniform in 0..1", |rng| rng.f32()),
    ("normal, by 2^-12 to 2^12", |rng| {
        ((0..12).map(|_| rng.f32()).sum::<f32>() - 6.0) * f32::exp2(rng.f32() * 24.0 - 12.0)
    }),
];

/// Rows and columns whose sums the host computes in f64.
const SAMPLED: usize = 64;

/// Prints, for each kind of data, the largest error of an element over the sum of the magnitudes of its
/// products: of ours and of cuBLASLt in f32.
pub(super) fn errors(arena: &Arena, task: &Task) -> Result<()> {
    let [m, n, k] = task.shape;
    for (name, draw) in DATA {
        let mut rng = fastrand::Rng::new();
        let mut random = |count: usize| (0..count).map(|_| draw(&mut rng)).collect::<Vec<f32>>();
        let (a, b) = (random(m * k), random(n * k));
        let mut set =
            sets::<f32, f32>(&arena.stream, task)?.into_iter().next().context("no operands")?;
        (set.a, set.b) = (arena.stream.clone_htod(&a)?, arena.stream.clone_htod(&b)?);
        let [ours, peers] = launched(arena, task, &mut set)?;
        let places: Vec<[usize; 2]> =
            (0..SAMPLED).map(|_| [rng.usize(..m), rng.usize(..n)]).collect();
        let of = |out: &[f32]| -> f64 {
            let all = places.iter().flat_map(|[i, _]| places.iter().map(move |[_, j]| [*i, *j]));
            all.map(|[i, j]| error(&a[i * k..][..k], &b[j * k..][..k], out[i * n + j]))
                .fold(0.0, f64::max)
        };
        let (ours, peers) = (of(&ours), of(&peers));
        let ratio = ours / peers;
        println!(
            "{}, {name}: error {ours:.1e}, cuBLASLt's {peers:.1e}, {ratio:.2} of it",
            task.name()
        );
    }
    Ok(())
}

/// The error of a sum, over the sum of the magnitudes of its products.
fn error(a: &[f32], b: &[f32], got: f32) -> f64 {
    let products = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b));
    let (sum, size) = products.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
    (f64::from(got) - sum).abs() / size
}

/// What ours and cuBLASLt's first algorithm compute.
fn launched(arena: &Arena, task: &Task, set: &mut Set<f32, f32>) -> Result<[Vec<f32>; 2]> {
    let [ours, peers] = set.split();
    let mut peers = [peers];
    let mut others = Others::default();
    others.multiply(arena, task, &mut peers)?;
    arena.prepare(Chosen(KERNELS), task, ours)?.launch()?;
    let fetch = |stream: &Arc<CudaStream>, out: &CudaSlice<f32>| stream.clone_dtoh(out);
    Ok([fetch(&arena.stream, &set.ours)?, fetch(&arena.stream, &set.peers)?])
}
