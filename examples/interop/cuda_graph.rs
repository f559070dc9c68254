//! A prepared launch captured into a CUDA graph on an existing stream and replayed on new inputs. Other
//! work of the program can be in the same graph.
//!
//! `cargo run --release -p gemm-interop --example cuda_graph` (needs a GPU)

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaGraph, CudaStream};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, AsVector};

/// y = gelu(x · wᵀ + bias)
#[gemm(tile = [64, 64, 32], warps = [2, 2])]
fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f32, M, N> {
    gelu(matmul(x, w) + bias)
}

const SHAPE: Shape = Shape { m: 48, n: 200, k: 128 };

fn main() -> Result<()> {
    match Device::gpu(0) {
        Ok(device) => println!("device: {device}"),
        Err(reason @ (Error::LibraryNotFound { .. } | Error::NoGpu)) => {
            println!("there is no GPU to capture a graph on: {reason}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    }
    let Shape { m, n, k } = SHAPE;
    let stream = CudaContext::new(0)?.new_stream()?;
    let (w_host, bias_host) = (random(n * k), random(n));
    let w = stream.clone_htod(&w_host)?;
    let bias = stream.clone_htod(&bias_host)?;
    let mut x = stream.alloc_zeros::<f16>(m * k)?;
    let mut y = stream.alloc_zeros::<f32>(m * n)?;

    let graph = capture(
        &stream,
        MatrixRef::new(&x, m, k)?,
        MatrixRef::new(&w, n, k)?,
        VectorRef::new(&bias, n)?,
        MatrixMut::new(&mut y, m, n)?,
    )?;
    // The graph holds addresses only: x, w, bias and y must outlive it, and their contents may change
    // between replays.
    for replay in 1..=3 {
        let x_host = random(m * k);
        stream.memcpy_htod(&x_host, &mut x)?;
        graph.launch()?;
        let got = stream.clone_dtoh(&y)?;
        stream.synchronize()?;
        let expected = linear_gelu::reference(SHAPE, &x_host, &w_host, &bias_host)?;
        let error = relative_error(&got, &expected);
        println!("replay {replay}: relative error {error:.1e}");
        ensure!(error < 1e-5, "the replay is wrong");
    }
    Ok(())
}

/// The launch on these operands as a graph; nothing is executed yet.
fn capture<'a>(
    stream: &Arc<CudaStream>,
    x: impl AsMatrix<'a, f16>,
    w: impl AsMatrix<'a, f16>,
    bias: impl AsVector<'a, f16>,
    y: impl AsMatrixMut<'a, f32>,
) -> Result<CudaGraph> {
    // Kernels of this device run on the program's stream. `prepare` checks, compiles and loads, so it
    // precedes the capture.
    let device = Device::from_stream(stream.clone())?;
    let mut launch = linear_gelu::prepare(&device, x, w, bias, y)?;

    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    let launched = launch.launch();
    // End the capture even after an error, or the stream would stay in it.
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = stream.end_capture(flags);
    launched?;
    graph?.context("the captured graph is empty")
}

/// Random elements in -0.5..0.5.
fn random(length: usize) -> Vec<f16> {
    (0..length).map(|_| f16::from_f32(fastrand::f32() - 0.5)).collect()
}

/// The norm of the difference divided by the norm of the expected values.
fn relative_error(got: &[f32], expected: &[f32]) -> f64 {
    let pairs = got.iter().zip(expected).map(|(y, r)| (f64::from(*y), f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}
