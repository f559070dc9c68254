//! [`Pass`]: a kernel of the bench's own that passes over matrices, for what cuBLASLt cannot fuse.

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::driver::CudaStream;
use gemm_runtime::compile::{Format, Program};

use crate::bare::{Grid, Loaded, Word};
use crate::gpu::Gpu;

const THREADS: u32 = 256;

/// Elements of two bytes in a vector, which is 16 bytes.
const OF_VECTOR: usize = 8;

/// The text of a pass, and how it is shared among threads.
#[derive(Clone, Copy)]
pub(super) struct Text {
    /// The name of its kernel.
    pub(super) entry: &'static str,
    /// Its macros `VECTORS` and `THREADS` are the vectors that a thread writes and the threads of a block.
    pub(super) text: &'static str,
    /// Vectors that a thread writes.
    pub(super) vectors: u32,
}

/// A kernel that passes over matrices of elements of two bytes in vectors of 16 bytes, loaded.
#[derive(Clone)]
pub(super) struct Pass {
    loaded: Loaded,
    vectors: usize,
}

impl Pass {
    /// For this number of elements.
    pub(super) fn new(stream: &Arc<CudaStream>, text: Text, elements: usize) -> Result<Pass> {
        let vectors = vectors(elements)?;
        let gpu = Gpu::of(stream.context())?;
        let program = text.program(&gpu.architecture, Format::Cubin);
        let loaded = Loaded::new(stream, &program, text.entry, text.grid(vectors)?)?;
        Ok(Pass { loaded, vectors })
    }

    /// Enqueues it with a word for each parameter.
    pub(super) fn enqueue(&self, words: &[Word<'_>]) -> Result<()> {
        self.loaded.with(words).launch()
    }

    pub(super) fn vectors(&self) -> usize {
        self.vectors
    }

    pub(super) fn elements(&self) -> usize {
        self.vectors * OF_VECTOR
    }
}

impl Text {
    pub(super) fn program<'a>(&self, architecture: &'a str, format: Format) -> Program<'a> {
        let macros = [("VECTORS", self.vectors), ("THREADS", THREADS)];
        let options = macros.map(|(name, value)| format!("-D{name}={value}")).to_vec();
        Program { name: "pass.cu", text: self.text, architecture, options, format }
    }

    /// The blocks that write this number of vectors.
    pub(super) fn grid(&self, vectors: usize) -> Result<Grid> {
        let blocks = u32::try_from(vectors.div_ceil((THREADS * self.vectors) as usize))?;
        Ok(Grid { blocks, threads: THREADS, shared_bytes: 0 })
    }
}

/// The vectors of a number of elements.
pub(super) fn vectors(elements: usize) -> Result<usize> {
    ensure!(elements.is_multiple_of(OF_VECTOR), "{elements} is not a multiple of {OF_VECTOR}");
    Ok(elements / OF_VECTOR)
}
