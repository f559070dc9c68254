//! [`Add`]: a pass over an output that adds the residual, which cuBLASLt cannot fuse after a GELU.

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::cublaslt::sys::cudaDataType_t as DataType;
use cudarc::driver::CudaStream;
use gemm_runtime::compile::{Format, Program};

use crate::bare::{Grid, Loaded, Word};
use crate::gpu::Gpu;
use crate::operands::{Operands, Sample};

const THREADS: u32 = 256;

/// Halves of a thread.
const HALVES: usize = 8;

/// Adds the residual to an output of halves.
#[derive(Clone)]
pub(crate) struct Add {
    loaded: Loaded,
    words: usize,
}

impl Add {
    /// For this number of elements.
    pub(super) fn new<U: Sample>(stream: &Arc<CudaStream>, elements: usize) -> Result<Add> {
        ensure!(U::TYPE == DataType::CUDA_R_16F, "a residual is of halves");
        ensure!(elements.is_multiple_of(HALVES), "{elements} is not a multiple of {HALVES}");
        let words = elements / HALVES;
        let gpu = Gpu::of(stream.context())?;
        let program = Program {
            name: "add.cu",
            text: include_str!("add.cu"),
            architecture: &gpu.architecture,
            options: Vec::new(),
            format: Format::Cubin,
        };
        let blocks = u32::try_from(words.div_ceil(THREADS as usize))?;
        let grid = Grid { blocks, threads: THREADS, shared_bytes: 0 };
        Ok(Add { loaded: Loaded::new(stream, &program, "add", grid)?, words })
    }

    /// Enqueues it.
    pub(super) fn enqueue<T, U>(
        &self,
        stream: &Arc<CudaStream>,
        of: &Operands<'_, T, U>,
    ) -> Result<()> {
        let elements = self.words * HALVES;
        ensure!(of.residual.len().min(of.out.len()) >= elements, "a buffer is too small");
        let words = [
            Word::address(of.out, stream),
            Word::address(of.residual, stream),
            Word::number(self.words as u64),
        ];
        self.loaded.with(&words).launch()
    }
}
