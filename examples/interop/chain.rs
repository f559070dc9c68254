//! Three layers over memory that they share, prepared once, as one CUDA graph that is replayed on new
//! inputs: no allocation, no check and one call of the driver for each.
//!
//! `cargo run --release -p gemm-interop --example chain` (on a GPU if there is one; the emulator runs
//! the launches of a graph one by one)

use anyhow::{Result, ensure};
use gemm_runtime::prelude::*;
use gemm_runtime::{Graph, Shared};

/// h1 = gelu(x · w1ᵀ + bias)
#[gemm]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N> {
    gelu(matmul(x, w) + bias)
}

/// h2 = silu(h1 · w2ᵀ)
#[gemm]
fn linear_silu(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, w))
}

/// y = h2 · w3ᵀ + x
#[gemm]
fn linear_residual(x: Mat<f16, M, K>, w: Mat<f16, N, K>, skip: Mat<f16, M, N>) -> Mat<f16, M, N> {
    matmul(x, w) + skip
}

const ROWS: usize = 16;
const WIDTH: usize = 64;
const HIDDEN: usize = 128;

/// The weights on the host.
struct Weights {
    w1: Vec<f16>,
    bias: Vec<f16>,
    w2: Vec<f16>,
    w3: Vec<f16>,
}

/// A model owns its launches. These own the memory between the layers, so it needs no field.
struct Model {
    x: Shared<Matrix<f16>>,
    y: Shared<Matrix<f16>>,
    layers: Graph<'static>,
}

fn main() -> Result<()> {
    let device = Device::auto()?;
    println!("device: {device}");
    let weights = Weights {
        w1: random(HIDDEN * WIDTH, 0.6),
        bias: random(HIDDEN, 1.0),
        w2: random(HIDDEN * HIDDEN, 0.5),
        w3: random(WIDTH * HIDDEN, 0.5),
    };
    let mut model = Model::new(&device, &weights)?;
    let replays = if device.is_emulator() { 3 } else { 1000 };
    let mut worst = 0.0f64;
    for replay in 0..replays {
        let input = random(ROWS * WIDTH, 2.0);
        model.x.write(&input)?;
        model.layers.launch()?;
        let error = relative_error(&model.y.to_vec()?, &reference(&weights, &input)?);
        ensure!(error < 2e-3, "replay {replay} is wrong: relative error {error:.1e}");
        worst = worst.max(error);
    }
    println!("{replays} replays of 3 layers: largest relative error {worst:.1e}");
    Ok(())
}

impl Model {
    fn new(device: &Device, weights: &Weights) -> Result<Model> {
        let w1 = device.matrix(HIDDEN, WIDTH, &weights.w1)?.share()?;
        let bias = device.vector(&weights.bias)?.share()?;
        let w2 = device.matrix(HIDDEN, HIDDEN, &weights.w2)?.share()?;
        let w3 = device.matrix(WIDTH, HIDDEN, &weights.w3)?.share()?;
        let x = device.zeros(ROWS, WIDTH)?.share()?;
        let h1 = device.zeros(ROWS, HIDDEN)?.share()?;
        let h2 = device.zeros(ROWS, HIDDEN)?.share()?;
        let y = device.zeros(ROWS, WIDTH)?.share()?;
        // Each launch owns handles of what it reads and writes: the next one can read an output.
        let launches = [
            linear_gelu::prepare(device, &x, &w1, &bias, &h1)?,
            linear_silu::prepare(device, &h1, &w2, &h2)?,
            linear_residual::prepare(device, &h2, &w3, &x, &y)?,
        ];
        Ok(Model { x, y, layers: Graph::capture(device, launches)? })
    }
}

/// The three layers on the host, with the roundings of the memory between them.
fn reference(weights: &Weights, x: &[f16]) -> Result<Vec<f32>> {
    let stored = |values: Vec<f32>| values.into_iter().map(f16::from_f32).collect::<Vec<_>>();
    let first = Shape { m: ROWS, n: HIDDEN, k: WIDTH };
    let h1 = stored(linear_gelu::reference(first, x, &weights.w1, &weights.bias)?);
    let second = Shape { m: ROWS, n: HIDDEN, k: HIDDEN };
    let h2 = stored(linear_silu::reference(second, &h1, &weights.w2)?);
    let third = Shape { m: ROWS, n: WIDTH, k: HIDDEN };
    Ok(linear_residual::reference(third, &h2, &weights.w3, x)?)
}

/// Random elements between -scale / 2 and scale / 2.
fn random(length: usize, scale: f32) -> Vec<f16> {
    (0..length).map(|_| f16::from_f32((fastrand::f32() - 0.5) * scale)).collect()
}

/// The norm of the difference divided by the norm of the expected values.
fn relative_error(got: &[f16], expected: &[f32]) -> f64 {
    let pairs = got.iter().zip(expected).map(|(y, r)| (y.to_f64(), f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}
