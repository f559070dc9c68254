//! C = A · Bᵀ with two schedules, between which a launch chooses by the GPU and the shape. The first
//! is the one that tensor-core tutorials start from: block tile 128×128×32, four warps, `m16n8k16`,
//! 16-byte `cp.async` that bypasses L1, and `Swizzle<3,3,3>`. The second is for Hopper: two
//! warpgroups multiply by `wgmma`, and one copies by TMA into a ring of four stages. With factors
//! of ones, each element of the product is exactly K.
//!
//! `cargo run --release --example global_gemm`

mod bar;

use anyhow::{Result, ensure};
use bar::with_bar;
use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Target};

/// C(M×N, f32) = A(M×K, f16) · B(N×K, f16)ᵀ
#[gemm(
    tile    = [128, 128, 32],        // BLK_M, BLK_N, BLK_K
    warps   = [2, 2],                // warp grid over M, N
    mma     = m16n8k16,              // MMA atom
    copy    = cp_async(16, cg),      // global → shared copy atom: bytes, cache operator
    swizzle = [3, 3, 3],             // Swizzle<B, M, S>, CuTe's convention, in elements
)]
#[gemm(
    tile       = [128, 128, 64],
    warpgroups = [2, 1],             // grid of the warpgroups that multiply, over M, N
    mma        = m64n128k16,         // instruction of a warpgroup: wgmma
    copy       = tma,                // one thread of the producer asks for a tile
    swizzle    = [3, 3, 3],
    stages     = 4,                  // k-tiles in flight
    schedule   = cooperative,        // blocks walk over tiles, which all of their warpgroups share
    targets    = [sm_90a],
)]
fn global_gemm(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

const SHAPE: Shape = Shape { m: 512, n: 512, k: 256 };

fn main() -> Result<()> {
    println!("{}\n{}", global_gemm::PLAN, global_gemm::schedule_2::PLAN);
    let device = Device::auto()?;
    let emulated = device.is_emulator();
    multiply_on(&with_bar(device))?;
    // Without a GPU: the kernel that a Hopper would run.
    if emulated {
        let hopper = EmulatorOptions::default().target(Target::Sm90);
        multiply_on(&with_bar(Device::emulator_with(hopper)))?;
    }
    Ok(())
}

/// Multiplies ones, then random numbers.
fn multiply_on(device: &Device) -> Result<()> {
    println!("device: {device}");
    let ones = |length| vec![f16::ONE; length];
    let c = multiply(device, &ones(SHAPE.m * SHAPE.k), &ones(SHAPE.n * SHAPE.k))?;
    let expected = SHAPE.k as f32;
    let error = c.iter().map(|c| (c - expected).abs()).fold(0.0, f32::max);
    println!("ones: C[0][0] = {:.1}, max error {error}", c[0]);
    ensure!(error == 0.0, "the product of ones is wrong");

    let random = |length| -> Vec<f16> {
        (0..length).map(|_| f16::from_f32(fastrand::f32() * 2.0 - 1.0)).collect()
    };
    let (a, b) = (random(SHAPE.m * SHAPE.k), random(SHAPE.n * SHAPE.k));
    let c = multiply(device, &a, &b)?;
    let expected = global_gemm::reference(SHAPE, &a, &b)?;
    let error = relative_error(&c, &expected);
    let limit = 1e-6 * (SHAPE.k as f64).sqrt();
    println!("random: relative error {error:.1e}, limit {limit:.1e}\n");
    ensure!(error <= limit, "the product of random matrices is wrong");
    Ok(())
}

fn multiply(device: &Device, a: &[f16], b: &[f16]) -> Result<Vec<f32>> {
    let Shape { m, n, k } = SHAPE;
    let (a, b) = (device.matrix(m, k, a)?, device.matrix(n, k, b)?);
    let mut c = device.uninitialized(m, n)?;
    {
        let mut prepared = global_gemm::prepare(device, &a, &b, &mut c)?;
        println!("kernel: {}", prepared.report());
        prepared.launch()?;
    }
    Ok(c.to_vec()?)
}

/// The norm of the difference divided by the norm of the expected values.
fn relative_error(got: &[f32], expected: &[f32]) -> f64 {
    let pairs = got.iter().zip(expected).map(|(y, r)| (f64::from(*y), f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}
