//! A linear layer with GELU: declared, compiled, run, and checked against its own body on the host.
//!
//! `cargo run --release --example quickstart`

mod bar;

use std::time::Instant;

use bar::with_bar;
use gemm_runtime::prelude::*;

/// y = gelu(x · wᵀ + bias)
#[gemm]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

fn main() -> Result<(), Error> {
    let (m, n, k) = (500, 400, 320);
    let (x_host, w_host, bias_host) = (random(m * k), random(n * k), random(n));

    let device = with_bar(Device::auto()?); // a GPU if there is one, else the emulator
    let x = device.matrix(m, k, &x_host)?;
    let w = device.matrix(n, k, &w_host)?;
    let bias = device.vector(&bias_host)?;
    println!("{device}");

    let start = Instant::now();
    linear_gelu(&device, &x, &w, &bias)?.to_vec()?; // takes a schedule for this shape, and compiles it
    println!("ready after {:.1?}", start.elapsed());

    let start = Instant::now();
    let y = linear_gelu(&device, &x, &w, &bias)?.to_vec()?;
    println!("{m}x{n}x{k} took {:.1?}, with the copy to the host", start.elapsed());

    let expected = linear_gelu::reference(Shape { m, n, k }, &x_host, &w_host, &bias_host)?;
    println!("relative error {:.1e}", relative_error(&y, &expected));
    Ok(())
}

/// Random elements in -0.5..0.5.
fn random(length: usize) -> Vec<f16> {
    (0..length).map(|_| f16::from_f32(fastrand::f32() - 0.5)).collect()
}

/// The norm of the difference over the norm of what is expected; rounding to f16 makes about 2e-4.
fn relative_error(got: &[f16], expected: &[f32]) -> f64 {
    let pairs = got.iter().zip(expected).map(|(y, r)| (y.to_f64(), f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}
