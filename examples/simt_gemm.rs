//! C = A · B without tensor cores, with the schedule that SIMT tutorials end with: f16 tiles of 128×64
//! and 64×128 in shared memory, 16-byte loads through registers, an 8×8 register tile of outer
//! products per thread. Then the same register tiles for f32, which is not rounded.
//!
//! `cargo run --release --example simt_gemm`

mod bar;

use anyhow::{Result, ensure};
use bar::with_bar;
use gemm_runtime::prelude::*;

/// C(M×N) = A(M×K) · B(K×N), all f16 and row-major
#[gemm(
    tile    = [128, 128, 64],        // BLK_M, BLK_N, BLK_K
    mma     = fma(8, 8),             // register tile of a thread: rows, columns
    copy    = ld_global(16),         // global → registers → shared, bytes of a copy
    targets = [sm_75, sm_80, sm_86, sm_89, sm_90],
)]
fn simt_gemm(a: Mat<f16, M, K>, b: Mat<f16, K, N>) -> Mat<f16, M, N> {
    matmul(a, b)
}

/// C(M×N) = A(M×K) · B(K×N) in f32; with `precision = tf32` tensor cores would round the factors
#[gemm(derived)]
fn exact(a: Mat<f32, M, K>, b: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// No extent is a multiple of the block tile's.
const SHAPE: Shape = Shape { m: 300, n: 200, k: 100 };

/// The relative error of storing as f16.
const HALF_ROUNDING: f64 = 1.0 / 2048.0;

fn main() -> Result<()> {
    let device = with_bar(Device::auto()?);
    println!("device: {device}\n\n{}", simt_gemm::PLAN);
    let Shape { m, n, k } = SHAPE;

    let ones = |length| vec![f16::ONE; length];
    let (a, b) = (device.matrix(m, k, &ones(m * k))?, device.matrix(k, n, &ones(k * n))?);
    let c = simt_gemm(&device, &a, &b)?.to_vec()?;
    let right = c.iter().filter(|c| c.to_f32() == k as f32).count();
    println!("ones: {right} of {} elements are {k}", c.len());
    ensure!(right == m * n, "the product of ones is wrong");

    let random = |length| -> Vec<f16> {
        (0..length).map(|_| f16::from_f32(fastrand::f32() * 2.0 - 1.0)).collect()
    };
    let (a, b) = (random(m * k), random(k * n));
    let c = simt_gemm(&device, &device.matrix(m, k, &a)?, &device.matrix(k, n, &b)?)?.to_vec()?;
    let error = relative_error(c.iter().map(|c| c.to_f64()), &simt_gemm::reference(SHAPE, &a, &b)?);
    let limit = HALF_ROUNDING + 1e-6 * (k as f64).sqrt();
    println!("random: relative error {error:.1e}, limit {limit:.1e}");
    ensure!(error <= limit, "the product of random matrices is wrong");

    // tf32 has 11 significant bits and would round this factor to 1.
    let factor = 1.0 + f32::powi(2.0, -14);
    let (a, b) = (vec![factor; m * k], vec![1.0; k * n]);
    let c = exact(&device, &device.matrix(m, k, &a)?, &device.matrix(k, n, &b)?)?.to_vec()?;
    let expected = k as f32 * factor;
    println!("f32: C[0][0] = {}, {k} · (1 + 2⁻¹⁴) = {expected}", c[0]);
    ensure!(c.iter().all(|c| *c == expected), "a factor was rounded");
    Ok(())
}

/// The norm of the difference divided by the norm of the expected values.
fn relative_error(got: impl Iterator<Item = f64>, expected: &[f32]) -> f64 {
    let pairs = got.zip(expected).map(|(y, r)| (y, f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}
