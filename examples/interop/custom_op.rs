//! A GEMM as an operation of a tensor library built on cudarc, in the form of candle's `CustomOp2`:
//! tensors share a slice as storage, a tensor is an offset and strides into it, and the library has a
//! stream and allocates the output. Nothing is copied: views of the slices are the operands.
//!
//! `cargo run --release -p gemm-interop --example custom_op` (needs a GPU)

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use gemm_runtime::prelude::*;

/// y = silu(x · wᵀ): weights with one row per output feature
#[gemm(tile = [64, 64, 32], warps = [2, 2])]
fn silu_nk(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
    silu(matmul(x, w))
}

/// y = silu(x · w): weights in the other order
#[gemm(tile = [64, 64, 32], warps = [2, 2])]
fn silu_kn(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N> {
    silu(matmul(x, w))
}

/// The library's description of a two-dimensional tensor, without its storage.
#[derive(Clone, Copy)]
struct Layout {
    dims: [usize; 2],
    strides: [usize; 2],
    start_offset: usize,
}

impl Layout {
    /// The tensor with its dimensions swapped, in the same storage.
    fn transposed(self) -> Layout {
        let ([rows, columns], [row, column]) = (self.dims, self.strides);
        Layout { dims: [columns, rows], strides: [column, row], ..self }
    }

    /// The tensor as a matrix view of its storage; an error if it is not row-major.
    fn matrix<'a>(&self, storage: &'a CudaSlice<f16>) -> Result<MatrixRef<'a, f16>, Error> {
        let strides = self.strides.map(|stride| isize::try_from(stride).unwrap_or(isize::MAX));
        let [rows, columns] = self.dims;
        MatrixRef::strided(storage.slice(self.start_offset..), rows, columns, strides)
    }
}

/// `y(m×n) = silu(x(m×k) · w(k×n))`, an operation with two arguments.
struct SiluMatmul;

impl SiluMatmul {
    /// The forward pass: storage and layout of both arguments to storage and shape of the result.
    fn cuda_fwd(
        &self,
        stream: &Arc<CudaStream>,
        x: (&CudaSlice<f16>, Layout),
        w: (&CudaSlice<f16>, Layout),
    ) -> Result<(CudaSlice<f16>, [usize; 2])> {
        let ((x, x_layout), (w, w_layout)) = (x, w);
        let shape @ [m, n] = [x_layout.dims[0], w_layout.dims[1]];
        let device = Device::from_stream(stream.clone())?;
        let mut y = stream.alloc_zeros::<f16>(m * n)?;
        let (x, out) = (x_layout.matrix(x)?, MatrixMut::new(&mut y, m, n)?);
        // Linear layers multiply by `w.t()`, which is column-major: the other kernel takes its
        // transpose.
        match w_layout.matrix(w) {
            Ok(w) => silu_kn::into(&device, x, w, out)?,
            Err(Error::Strides { .. }) => {
                silu_nk::into(&device, x, w_layout.transposed().matrix(w)?, out)?;
            }
            Err(error) => return Err(error.into()),
        }
        Ok((y, shape))
    }
}

fn main() -> Result<()> {
    match Device::gpu(0) {
        Ok(device) => println!("device: {device}"),
        Err(reason @ (Error::LibraryNotFound { .. } | Error::NoGpu)) => {
            println!("there is no GPU for the library's tensors: {reason}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    }
    // The library's stream, and its storage, in which x is rows 2.. of a wider tensor.
    let stream = CudaContext::new(0)?.new_stream()?;
    let shape @ Shape { m, n, k } = Shape { m: 70, n: 90, k: 64 };
    let (x_host, w_host) = (random((m + 2) * (k + 8)), random(n * k));
    let (x, w) = (stream.clone_htod(&x_host)?, stream.clone_htod(&w_host)?);
    let x_layout = Layout { dims: [m, k], strides: [k + 8, 1], start_offset: 2 * (k + 8) };
    let x_dense: Vec<f16> =
        x_host.chunks(k + 8).skip(2).flat_map(|row| &row[..k]).copied().collect();

    // w as a transposed view of [n, k]; then the same storage as [k, n].
    let w_t = Layout { dims: [n, k], strides: [k, 1], start_offset: 0 }.transposed();
    let (y, dims) = SiluMatmul.cuda_fwd(&stream, (&x, x_layout), (&w, w_t))?;
    let expected = silu_nk::reference(shape, &x_dense, &w_host)?;
    check("x · w.t()", &stream, &y, dims, &expected)?;

    let w_kn = Layout { dims: [k, n], strides: [n, 1], start_offset: 0 };
    let (y, dims) = SiluMatmul.cuda_fwd(&stream, (&x, x_layout), (&w, w_kn))?;
    let expected = silu_kn::reference(shape, &x_dense, &w_host)?;
    check("x · w", &stream, &y, dims, &expected)?;

    // Every other column: no kernel reads that, so the library must make it contiguous.
    let sparse = Layout { dims: [m, k / 2], strides: [k + 8, 2], start_offset: 0 };
    let half = Layout { dims: [k / 2, n], strides: [n, 1], start_offset: 0 };
    let refused = SiluMatmul.cuda_fwd(&stream, (&x, sparse), (&w, half));
    let error = refused.err().and_then(|error| error.downcast::<Error>().ok());
    ensure!(matches!(error, Some(Error::Strides { .. })), "unsupported strides were accepted");
    println!("x[:, ::2] · w: refused, {}", error.map(|e| e.to_string()).unwrap_or_default());
    Ok(())
}

fn check(
    what: &str,
    stream: &Arc<CudaStream>,
    y: &CudaSlice<f16>,
    dims: [usize; 2],
    expected: &[f32],
) -> Result<()> {
    let got = stream.clone_dtoh(y)?;
    stream.synchronize()?;
    let error = relative_error(&got, expected);
    println!("{what}: {dims:?}, relative error {error:.1e}");
    // Rounding to f16 contributes about 2e-4.
    ensure!(got.len() == expected.len() && error < 1e-3, "the product is wrong");
    Ok(())
}

/// Random elements in -0.5..0.5.
fn random(length: usize) -> Vec<f16> {
    (0..length).map(|_| f16::from_f32(fastrand::f32() - 0.5)).collect()
}

/// The norm of the difference divided by the norm of the expected values.
fn relative_error(got: &[f16], expected: &[f32]) -> f64 {
    let pairs = got.iter().zip(expected).map(|(y, r)| (y.to_f64(), f64::from(*r)));
    let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (y, r)| (e + (y - r).powi(2), n + r * r));
    (error / norm).sqrt()
}
