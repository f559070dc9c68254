//! A linear layer with GELU: declared, compiled, run, and checked against its own body on the host.
//! README.md shows this program.
//!
//! `cargo run --release --example quickstart`

use gemm_runtime::prelude::*;

/// y = gelu(x · wᵀ + bias)
#[gemm]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

fn main() -> Result<(), Error> {
    let (m, n, k) = (500, 400, 320);
    let (x_host, w_host, bias_host) = (values(m * k), values(n * k), values(n));

    let device = Device::auto()?; // a GPU if there is one, else the emulator
    println!("{device}");
    let x = device.matrix(m, k, &x_host)?;
    let w = device.matrix(n, k, &w_host)?;
    let bias = device.vector(&bias_host)?;
    let y = linear_gelu(&device, &x, &w, &bias)?; // the first call compiles the kernel

    let expected = linear_gelu::reference(Shape { m, n, k }, &x_host, &w_host, &bias_host)?;
    let errors = y.to_vec()?.into_iter().zip(expected).map(|(y, e)| (y.to_f32() - e).abs());
    println!("{m}x{n}x{k}: largest error {:.1e}", errors.fold(0.0, f32::max));
    Ok(())
}

/// Elements between -0.5 and 0.5.
fn values(length: usize) -> Vec<f16> {
    (0..length).map(|i| f16::from_f32((i * 37 % 101) as f32 / 100.0 - 0.5)).collect()
}
