//! M = N = K, f16 → f16, both operands with K contiguous.

use std::sync::Arc;

use anyhow::{Result, ensure};
use comfy_table::{Cell, CellAlignment, Table, presets};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use gemm_runtime::prelude::*;
use indicatif::ProgressBar;

use crate::cublas::CublasLt;
use crate::timing::{Duel, duel};

/// Everything derived.
#[gemm]
fn derived(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Eight warps of 64×64 on a block that needs the shared memory of sm_80 or sm_90.
#[gemm(tile = [128, 256, 64], warps = [2, 4], stages = 3, targets = [sm_80, sm_90])]
fn large(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// Inputs in turn fill more than this, so that no run finds the last one's in L2.
const ROTATED_BYTES: usize = 256 << 20;

/// One set of operands in device memory.
struct Set {
    a: CudaSlice<f16>,
    b: CudaSlice<f16>,
    ours: CudaSlice<f16>,
    peers: CudaSlice<f16>,
}

/// Measures each size and prints the table.
pub(crate) fn run(sizes: &[usize], rounds: usize) -> Result<()> {
    let stream = CudaContext::new(0)?.new_stream()?;
    let device = Device::from_stream(stream.clone())?;
    let cublas = CublasLt::new(&stream)?;
    println!("{device}\n");
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["M = N = K", "kernel", "TFLOP/s", "cuBLASLt", "ratio", "least", "most"]);
    let progress = ProgressBar::new(2 * sizes.len() as u64);
    for &size in sizes {
        let mut sets = sets(&stream, size)?;
        for (name, kernel) in [("derived", &derived::KERNEL), ("large", &large::KERNEL)] {
            progress.set_message(format!("{size} {name}"));
            let duel = measure(&device, &stream, &cublas, kernel, size, &mut sets, rounds)?;
            table.add_row(row(size, name, &duel));
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    println!("{table}");
    Ok(())
}

fn row(size: usize, name: &str, duel: &Duel) -> Vec<Cell> {
    let tflops = |ms: f32| format!("{:.0}", 2.0 * (size as f64).powi(3) / f64::from(ms) / 1e9);
    let (least, most) = duel.spread();
    let ratios = [duel.ratio(), least, most].map(|ratio| format!("{ratio:.3}"));
    let numbers = [tflops(duel.ours_ms), tflops(duel.peers_ms)].into_iter().chain(ratios);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    [right(size.to_string()), Cell::new(name)].into_iter().chain(numbers.map(right)).collect()
}

/// Enough sets of random operands to fill `ROTATED_BYTES`.
fn sets(stream: &Arc<CudaStream>, size: usize) -> Result<Vec<Set>> {
    let elements = size * size;
    let count = (ROTATED_BYTES / (2 * elements * size_of::<f16>())).clamp(1, 32) + 1;
    // Uniform in -1..1. Zeros would draw less power and run faster than a user's data.
    let random = |rng: &mut fastrand::Rng| -> Vec<f16> {
        (0..elements).map(|_| f16::from_f32(rng.f32() * 2.0 - 1.0)).collect()
    };
    let mut rng = fastrand::Rng::new();
    let (a, b) = (random(&mut rng), random(&mut rng));
    let poison = vec![f16::NAN; elements];
    let set = |turn: usize| -> Result<Set> {
        // Other sets are the same numbers in another order: the data costs host time.
        let (mut a, mut b) = (a.clone(), b.clone());
        a.rotate_left(turn * 7919 % elements);
        b.rotate_left(turn * 104_729 % elements);
        Ok(Set {
            a: stream.clone_htod(&a)?,
            b: stream.clone_htod(&b)?,
            ours: stream.clone_htod(&poison)?,
            peers: stream.clone_htod(&poison)?,
        })
    };
    (0..count).map(set).collect()
}

fn measure(
    device: &Device,
    stream: &Arc<CudaStream>,
    cublas: &CublasLt,
    kernel: &gemm_runtime::KernelSource,
    size: usize,
    sets: &mut [Set],
    rounds: usize,
) -> Result<Duel> {
    let count = sets.len();
    let mut peers: Vec<_> = Vec::new();
    let mut ours: Vec<_> = Vec::new();
    for Set { a, b, ours: out, peers: peer } in sets.iter_mut() {
        use gemm_runtime::{AsMatrix, AsMatrixMut};
        let arguments = [
            MatrixRef::new(&*a, size, size)?.argument(),
            MatrixRef::new(&*b, size, size)?.argument(),
            MatrixMut::new(out, size, size)?.argument(),
        ];
        ours.push(gemm_runtime::launch::prepare(device, kernel, arguments)?);
        peers.push((&*a, &*b, peer));
    }
    let duel = duel(
        stream,
        rounds,
        |turn| Ok(ours[turn % count].launch()?),
        |turn| {
            let (a, b, out) = &mut peers[turn % count];
            cublas.multiply([size; 3], a, b, out)
        },
    )?;
    drop((ours, peers));
    check(stream, sets)?;
    Ok(duel)
}

/// Both have to agree to the rounding of their outputs and of their sums.
fn check(stream: &Arc<CudaStream>, sets: &[Set]) -> Result<()> {
    let (ours, peers) = (stream.clone_dtoh(&sets[0].ours)?, stream.clone_dtoh(&sets[0].peers)?);
    let pairs = ours.iter().zip(&peers).map(|(y, r)| (y.to_f64(), r.to_f64()));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    let relative = (error / norm).sqrt();
    ensure!(relative < 1e-3, "ours and cuBLASLt's differ by {relative:.1e}");
    Ok(())
}
