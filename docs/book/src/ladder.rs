//! One product in eight kernels, each with one more means than the one before.

use std::fmt::Write as _;

use anyhow::Result;
use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Kernel, Target};

use crate::values;

// ANCHOR: naive
/// A thread for each element: every factor of a multiply-add comes from shared memory
#[gemm(tile = [16, 16, 16], mma = fma(1, 1), copy = ld_global(4))]
pub fn naive(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: naive

// ANCHOR: tiled
/// A thread has 8×8 elements in registers
#[gemm(tile = [128, 128, 16], mma = fma(8, 8), copy = ld_global(16))]
pub fn tiled(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: tiled

// ANCHOR: tensor_cores
/// A warp has 64×64 elements, which `mma.sync` multiplies
#[gemm(
    tile    = [128, 128, 32],
    warps   = [2, 2],
    mma     = m16n8k16,
    copy    = ld_global(16),
    swizzle = [0, 3, 3],
    allow(bank_conflicts)
)]
pub fn tensor_cores(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: tensor_cores

// ANCHOR: ring
/// Three k-tiles are in flight while one is multiplied
#[gemm(
    tile    = [128, 128, 32],
    warps   = [2, 2],
    mma     = m16n8k16,
    copy    = cp_async(16, cg),
    stages  = 4,
    swizzle = [0, 3, 3],
    allow(bank_conflicts)
)]
pub fn ring(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: ring

// ANCHOR: swizzle
/// Eight rows that are read at once lie in banks of their own
#[gemm(
    tile    = [128, 128, 32],
    warps   = [2, 2],
    mma     = m16n8k16,
    copy    = cp_async(16, cg),
    stages  = 4,
    swizzle = [2, 3, 3],
)]
pub fn swizzle(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: swizzle

// ANCHOR: warpgroups
/// Two warpgroups of 64×256 read both factors from shared memory, which tensor copies fill
#[gemm(tile = [128, 256, 64], warpgroups = [2, 1], mma = wgmma, copy = tma, stages = 4, targets = [sm_90a])]
pub fn warpgroups(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: warpgroups

// ANCHOR: pingpong
/// Two warpgroups by turns: one multiplies while the other stores its tile
#[gemm(
    tile       = [128, 192, 64],
    warpgroups = [1, 1],
    mma        = wgmma,
    copy       = tma,
    stages     = 4,
    schedule   = pingpong,
    targets    = [sm_90a],
)]
pub fn pingpong(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: pingpong

// ANCHOR: cluster
/// Two blocks share each tile of B
#[gemm(
    tile       = [128, 192, 64],
    warpgroups = [1, 1],
    mma        = wgmma,
    copy       = tma,
    stages     = 4,
    schedule   = pingpong,
    cluster    = [2, 1],
    targets    = [sm_90a],
)]
pub fn cluster(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N> {
    matmul(a, b)
}
// ANCHOR_END: cluster

/// The kernels by their names, each with one more means than the one before.
pub const STEPS: [(&str, &Kernel); 8] = [
    ("naive", &naive::KERNEL),
    ("tiled", &tiled::KERNEL),
    ("tensor cores", &tensor_cores::KERNEL),
    ("ring", &ring::KERNEL),
    ("swizzle", &swizzle::KERNEL),
    ("warpgroups", &warpgroups::KERNEL),
    ("pingpong", &pingpong::KERNEL),
    ("cluster", &cluster::KERNEL),
];

/// How each executes on the emulator.
pub fn run() -> Result<String> {
    let shape = Shape { m: 136, n: 200, k: 72 };
    let (a, b) = (values(shape.m * shape.k), values(shape.n * shape.k));
    let device = Device::emulator_with(EmulatorOptions::default().target(Target::Sm90a));
    let [a_there, b_there] =
        [device.matrix(shape.m, shape.k, &a)?, device.matrix(shape.n, shape.k, &b)?];
    let expected = swizzle::reference(shape, &a, &b)?;
    let mut text = String::new();
    macro_rules! step {
        ($($kernel:ident)+) => {$(
            let c = $kernel(&device, &a_there, &b_there)?.to_vec()?;
            let (name, threads) = (stringify!($kernel), $kernel::KERNEL.launch.threads);
            let (wrong, all) = (differing(&c, &expected), c.len());
            writeln!(text, "{name:<13}{threads:>4} threads a block, {wrong} of {all} elements are wrong")?;
        )+};
    }
    step! { naive tiled tensor_cores ring swizzle warpgroups pingpong cluster }
    Ok(text)
}

/// How many elements differ from what is expected by more than their rounding.
fn differing(c: &[f16], expected: &[f32]) -> usize {
    let differ = |(c, e): &(&f16, &f32)| (c.to_f32() - *e).abs() > e.abs() / 1024.0 + 1e-3;
    c.iter().zip(expected).filter(differ).count()
}
