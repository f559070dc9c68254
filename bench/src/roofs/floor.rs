//! [`Floor`]: reading an operand, and doing nothing with it.

use anyhow::{Context as _, Result, ensure};
use cudarc::driver::CudaSlice;

use super::kernel::{Amount, Kernel};
use super::{NEVER, list};
use crate::arena::Arena;
use crate::bare::{Bare, Word};
use crate::gpu::Gpu;
use crate::timing::Batch;

/// The fastest kernel that reads each of some buffers once, captured.
pub(crate) struct Floor<'a> {
    pub(crate) batch: Batch,
    /// Keeps the kernel of the graph loaded.
    _launches: Vec<Bare<'a>>,
}

impl<'a> Floor<'a> {
    /// Tries all kernels.
    pub(crate) fn new<T>(arena: &'a Arena, buffers: &[&'a CudaSlice<T>]) -> Result<Floor<'a>> {
        let mut fastest: Option<(f32, Floor<'a>)> = None;
        for kernel in list::reads() {
            let floor = Floor::by(arena, &kernel, buffers)?;
            let ms = floor.batch.glance(&arena.stream)?;
            if fastest.as_ref().is_none_or(|(least, _)| ms < *least) {
                fastest = Some((ms, floor));
            }
        }
        Ok(fastest.context("no kernel reads")?.1)
    }

    fn by<T>(arena: &'a Arena, kernel: &Kernel, buffers: &[&'a CudaSlice<T>]) -> Result<Floor<'a>> {
        let stream = &arena.stream;
        let gpu = Gpu::of(stream.context())?;
        let loaded = kernel.load(stream, &gpu)?;
        let mut launches = Vec::new();
        for buffer in buffers {
            let pieces = pieces(kernel, buffer.len() * size_of::<T>())?;
            launches.push(loaded.with(&[
                Word::address(buffer, stream),
                Word::address(&arena.scratch, stream),
                Word::number(pieces),
                Word::number(NEVER),
            ]));
        }
        let batch = Batch::capture(stream, launches.len(), |turn| launches[turn].launch())?;
        Ok(Floor { batch, _launches: launches })
    }
}

/// How many pieces of a kernel's make up a buffer.
fn pieces(kernel: &Kernel, buffer_bytes: usize) -> Result<u64> {
    let Amount::Pieces { bytes, .. } = kernel.amount else {
        anyhow::bail!("{} does not read a buffer", kernel.how);
    };
    let whole = (buffer_bytes as u64).is_multiple_of(bytes);
    ensure!(whole, "{buffer_bytes} bytes are not a multiple of {bytes}");
    Ok(buffer_bytes as u64 / bytes)
}
