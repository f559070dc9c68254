//! C = A · Bᵀ with the schedule that Hopper's tutorials start from: block tile 128×256×64, two
//! warpgroups that multiply by `wgmma` and one that copies by TMA into a ring of four stages. It is
//! `global_gemm` with another attribute; `#[gemm]` with none chooses such a schedule by itself.
//!
//! A GPU that is not a Hopper refuses the kernel; then the emulator runs it.
//!
//! `cargo run --release --example hopper_gemm`

mod bar;

use bar::with_bar;
use gemm_runtime::prelude::*;

/// C(M×N, f32) = A(M×K, f16) · B(N×K, f16)ᵀ
#[gemm(
    tile       = [128, 256, 64],   // BLK_M, BLK_N, BLK_K
    warpgroups = [2, 1],           // grid of the warpgroups that multiply, over M, N
    mma        = m64n256k16,       // instruction of a warpgroup: wgmma
    copy       = tma,              // global → shared: one thread of the producer asks for a tile
    swizzle    = [3, 3, 3],        // 128 bytes, as tensor copies and descriptors of wgmma have it
    stages     = 4,                // k-tiles in flight
    schedule   = cooperative,      // blocks walk over tiles, which all of their warpgroups share
    targets    = [sm_90a],
)]
fn hopper_gemm(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

const SHAPE: Shape = Shape { m: 512, n: 512, k: 256 };

fn main() -> Result<(), Error> {
    println!("{}", hopper_gemm::PLAN);
    let (a, b) = (values(SHAPE.m * SHAPE.k, 37), values(SHAPE.n * SHAPE.k, 41));
    let device = with_bar(Device::auto()?);
    let c = match multiply(&device, &a, &b) {
        Err(refused @ Error::UnsupportedArchitecture { .. }) => {
            println!("{refused}");
            multiply(&with_bar(Device::emulator()), &a, &b)?
        }
        result => result?,
    };
    let expected = hopper_gemm::reference(SHAPE, &a, &b)?;
    let errors = c.iter().zip(expected).map(|(c, e)| (c - e).abs());
    println!("largest error {:.1e}", errors.fold(0.0, f32::max));
    Ok(())
}

fn multiply(device: &Device, a: &[f16], b: &[f16]) -> Result<Vec<f32>, Error> {
    let Shape { m, n, k } = SHAPE;
    let c = hopper_gemm(device, &device.matrix(m, k, a)?, &device.matrix(n, k, b)?)?;
    println!("device: {device}");
    c.to_vec()
}

/// Elements between -0.5 and 0.5.
fn values(length: usize, step: usize) -> Vec<f16> {
    (0..length).map(|i| f16::from_f32((i * step % 101) as f32 / 100.0 - 0.5)).collect()
}
