//! [`Gate`]: a pass over two matrices of sums that cuBLASLt has stored: silu(gate) · up.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::driver::{CudaSlice, CudaStream};
use half::bf16;

use super::pass::{Pass, Text, vectors};
use crate::bare::Word;
use crate::gpu::Gpu;

/// The pass by this number of vectors a thread.
const fn text(vectors: u32) -> Text {
    Text { entry: "gate", text: include_str!("gate.cu"), vectors }
}

/// Multiplies `silu` of one matrix with another, each of bf16.
pub(crate) struct Gate {
    pass: Pass,
    stream: Arc<CudaStream>,
    rows: usize,
    columns: usize,
}

/// A matrix of sums, as a part of a buffer.
#[derive(Clone, Copy)]
pub(crate) struct Sums<'a> {
    pub(crate) buffer: &'a CudaSlice<bf16>,
    /// Its first element there.
    pub(crate) first: usize,
}

impl Gate {
    /// For an output of this shape.
    pub(crate) fn new(stream: &Arc<CudaStream>, [rows, columns]: [usize; 2]) -> Result<Gate> {
        vectors(columns)?;
        let threads = Gpu::of(stream.context())?.threads;
        let text = text(vectors_of_thread(vectors(rows * columns)?, threads));
        let pass = Pass::new(stream, text, rows * columns)?;
        Ok(Gate { pass, stream: stream.clone(), rows, columns })
    }

    /// Enqueues it for sums whose rows begin `distance` elements apart in both matrices.
    pub(crate) fn enqueue(
        &self,
        sums: [Sums<'_>; 2],
        distance: usize,
        out: &mut CudaSlice<bf16>,
    ) -> Result<()> {
        let Gate { pass, stream, rows, columns } = self;
        let end = (rows - 1) * distance + columns;
        let fits = sums.iter().all(|sums| sums.buffer.len() >= sums.first + end);
        ensure!(fits && out.len() >= pass.elements(), "a buffer is too small");
        let mut words = Vec::new();
        for Sums { buffer, first } in sums {
            vectors(first)?;
            words.push(Word::address(buffer, stream).after(first * size_of::<bf16>()));
        }
        words.push(Word::address(out, stream));
        let counts = [vectors(*columns)?, vectors(distance)?, pass.vectors()];
        words.extend(counts.map(|count| Word::number(count as u64)));
        pass.enqueue(&words)
    }

    /// Columns of its output.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes that a launch reads and writes.
    pub(crate) fn bytes(&self) -> usize {
        3 * self.pass.elements() * size_of::<bf16>()
    }
}

/// As many as leave the GPU full of threads, up to four: their loads are in flight together, and small
/// matrices are still spread over all SMs.
fn vectors_of_thread(vectors: usize, threads: u32) -> u32 {
    let fills = |of_thread: &u32| vectors >= (threads * of_thread) as usize;
    [4, 2].into_iter().find(fills).unwrap_or(1)
}
