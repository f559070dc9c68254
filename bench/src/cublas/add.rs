//! [`Add`]: a pass over an output that adds the residual, which cuBLASLt cannot fuse after a GELU.

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::cublaslt::sys::cudaDataType_t as DataType;
use cudarc::driver::CudaStream;

use super::pass::{Pass, Text};
use crate::bare::Word;
use crate::operands::{Operands, Sample};

const TEXT: Text = Text { entry: "add", text: include_str!("add.cu"), vectors: 1 };

/// Adds the residual to an output of halves.
#[derive(Clone)]
pub(crate) struct Add(Pass);

impl Add {
    /// For this number of elements.
    pub(super) fn new<U: Sample>(stream: &Arc<CudaStream>, elements: usize) -> Result<Add> {
        ensure!(U::TYPE == DataType::CUDA_R_16F, "a residual is of halves");
        Ok(Add(Pass::new(stream, TEXT, elements)?))
    }

    /// Enqueues it.
    pub(super) fn enqueue<T, U>(
        &self,
        stream: &Arc<CudaStream>,
        of: &Operands<'_, T, U>,
    ) -> Result<()> {
        let Add(pass) = self;
        let fits = of.residual.len().min(of.out.len()) >= pass.elements();
        ensure!(fits, "a buffer is too small");
        pass.enqueue(&[
            Word::address(of.out, stream),
            Word::address(of.residual, stream),
            Word::number(pass.vectors() as u64),
        ])
    }
}
