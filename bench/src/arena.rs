//! Where a kernel of ours and cuBLASLt meet.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::cublaslt::{CudaBlasLT, Matmul};
use cudarc::driver::{CudaContext, CudaStream};
use gemm_runtime::launch::Kernels;
use gemm_runtime::{
    Argument, AsMatrix as _, AsMatrixMut as _, AsVector as _, Device, Error, KernelSource,
    MatrixMut, MatrixRef, VectorRef, launch,
};

use crate::cublas::{CublasLt, Product};
use crate::operands::{Sample, Set, agree};
use crate::timing::{Batch, Clock, Rounds, in_turns};

/// The GPU, one stream on it, and how to measure.
pub(crate) struct Arena {
    pub(crate) stream: Arc<CudaStream>,
    pub(crate) device: Device,
    cublas: CublasLt,
    clock: Clock,
    rounds: usize,
}

impl Arena {
    pub(crate) fn new(clock: Clock, rounds: usize) -> Result<Arena> {
        let context = CudaContext::new(0)?;
        // SAFETY: all work of this program is on one stream, whose order is enough.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream()?;
        let device = Device::from_stream(stream.clone())?;
        let cublas = CublasLt::new(&stream)?;
        Ok(Arena { stream, device, cublas, clock, rounds })
    }

    /// Measures all in turns.
    pub(crate) fn in_turns(&self, batches: &[&Batch]) -> Result<Rounds> {
        in_turns(&self.stream, self.clock, self.rounds, batches)
    }

    /// Measures the one of `kernels` that a launch chooses, of two operands or, `with_bias`, of three,
    /// on every set of operands, and compares its output with cuBLASLt's.
    pub(crate) fn duel<T: Sample>(
        &self,
        kernels: &Kernels<'_>,
        shape: [usize; 3],
        with_bias: bool,
        sets: &mut [Set<T>],
    ) -> Result<Rounds>
    where
        CudaBlasLT: Matmul<T>,
    {
        let count = sets.len();
        let (mut prepared, mut products) = (Vec::new(), Vec::new());
        for Set { a, b, bias, ours, peers } in sets.iter_mut() {
            let arguments = arguments(shape, (a, b, bias, ours), with_bias)?;
            let kernel = launch::choose(&self.device, kernels, &arguments);
            prepared.push(launch::prepare(&self.device, kernel, arguments)?);
            let bias = with_bias.then_some(&*bias);
            products.push((Product { shape, a, b, bias }, peers));
        }
        let ours = Batch::capture(&self.stream, count, |turn| Ok(prepared[turn].launch()?))?;
        let peers = Batch::capture(&self.stream, count, |turn| {
            let (product, out) = &mut products[turn];
            self.cublas.multiply(product, out)
        })?;
        let rounds = self.in_turns(&[&ours, &peers])?;
        drop((ours, peers, prepared, products));
        agree(&self.stream, sets.first().context("no operands")?)?;
        Ok(rounds)
    }

    /// Milliseconds of a launch of `kernel`, from a few; `None` where it cannot run.
    pub(crate) fn glance<T: Sample>(
        &self,
        kernel: &KernelSource,
        shape: [usize; 3],
        sets: &mut [Set<T>],
    ) -> Result<Option<f32>> {
        let mut prepared = Vec::new();
        for Set { a, b, bias, ours, .. } in sets.iter_mut() {
            let arguments = arguments(shape, (a, b, bias, ours), false)?;
            match launch::prepare(&self.device, kernel, arguments) {
                Ok(launch) => prepared.push(launch),
                Err(Error::TooFewTiles { .. } | Error::SharedMemory { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        let count = prepared.len();
        let batch = Batch::capture(&self.stream, count, |turn| Ok(prepared[turn].launch()?))?;
        batch.glance(&self.stream).map(Some)
    }

    /// Measures two kernels of ours in turns, and compares their outputs.
    pub(crate) fn contest<T: Sample>(
        &self,
        kernels: [&KernelSource; 2],
        shape: [usize; 3],
        sets: &mut [Set<T>],
    ) -> Result<Rounds> {
        let count = sets.len();
        let mut prepared = [Vec::new(), Vec::new()];
        for Set { a, b, bias, ours, peers } in sets.iter_mut() {
            for (side, out) in [ours, peers].into_iter().enumerate() {
                let arguments = arguments(shape, (a, b, bias, out), false)?;
                prepared[side].push(launch::prepare(&self.device, kernels[side], arguments)?);
            }
        }
        let [ours, peers] = prepared.each_mut().map(|launches| {
            Batch::capture(&self.stream, count, |turn| Ok(launches[turn].launch()?))
        });
        let rounds = self.in_turns(&[&ours?, &peers?])?;
        drop(prepared);
        agree(&self.stream, sets.first().context("no operands")?)?;
        Ok(rounds)
    }

    /// Enqueues the peer's product once.
    pub(crate) fn multiply<T: Sample>(&self, shape: [usize; 3], set: &mut Set<T>) -> Result<()>
    where
        CudaBlasLT: Matmul<T>,
    {
        let product = Product { shape, a: &set.a, b: &set.b, bias: None };
        self.cublas.multiply(&product, &mut set.peers)
    }
}

/// The arguments of a kernel out(m×n) = body(a(m×k) · b(n×k)ᵀ, bias).
type Slices<'a, T> = (
    &'a cudarc::driver::CudaSlice<T>,
    &'a cudarc::driver::CudaSlice<T>,
    &'a cudarc::driver::CudaSlice<T>,
    &'a mut cudarc::driver::CudaSlice<T>,
);

/// What a launch takes.
pub(crate) fn arguments<'a, T: Sample>(
    [m, n, k]: [usize; 3],
    (a, b, bias, out): Slices<'a, T>,
    with_bias: bool,
) -> Result<Vec<Argument<'a>>> {
    let mut arguments =
        vec![MatrixRef::new(a, m, k)?.argument(), MatrixRef::new(b, n, k)?.argument()];
    if with_bias {
        arguments.push(VectorRef::new(bias, n)?.argument());
    }
    arguments.push(MatrixMut::new(out, m, n)?.argument());
    Ok(arguments)
}
