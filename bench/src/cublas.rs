//! The peer: cuBLASLt with the algorithm that its heuristic puts first.

use std::sync::Arc;

use anyhow::{Result, ensure};
use cudarc::cublaslt::{Activation, CudaBlasLT, Matmul, MatmulConfig};
use cudarc::driver::{CudaSlice, CudaStream};

/// cuBLASLt on one stream.
pub(crate) struct CublasLt(CudaBlasLT);

/// The operands of a product c(m×n) = a(m×k) · b(n×k)ᵀ, all stored row by row.
pub(crate) struct Product<'a, T> {
    pub(crate) shape: [usize; 3],
    pub(crate) a: &'a CudaSlice<T>,
    pub(crate) b: &'a CudaSlice<T>,
    /// Added to each row of the product, which then goes through GELU.
    pub(crate) bias: Option<&'a CudaSlice<T>>,
}

impl CublasLt {
    pub(crate) fn new(stream: &Arc<CudaStream>) -> Result<CublasLt> {
        Ok(CublasLt(CudaBlasLT::new(stream.clone())?))
    }

    /// Enqueues the product, accumulated in f32.
    pub(crate) fn multiply<T>(&self, product: &Product<'_, T>, c: &mut CudaSlice<T>) -> Result<()>
    where
        CudaBlasLT: Matmul<T>,
    {
        let Product { shape: [m, n, k], a, b, bias } = *product;
        let fits = a.len() >= m * k && b.len() >= n * k && c.len() >= m * n;
        ensure!(fits && bias.is_none_or(|bias| bias.len() >= n), "a buffer is too small");
        // cuBLAS stores column by column: there c is n×m and the product of bᵀ and a.
        let config = MatmulConfig {
            transa: true,
            transb: false,
            transc: false,
            m: n as u64,
            n: m as u64,
            k: k as u64,
            alpha: 1.0,
            lda: k as i64,
            ldb: k as i64,
            beta: 0.0,
            ldc: n as i64,
            stride_a: None,
            stride_b: None,
            stride_c: None,
            stride_bias: None,
            batch_size: None,
        };
        let activation = bias.map(|_| &Activation::Gelu);
        // SAFETY: with these leading dimensions cuBLASLt reads n·k elements of b, m·k of a and n of
        // the bias and writes m·n of c; the buffers were checked to have them.
        Ok(unsafe { self.0.matmul(config, b, a, c, bias, activation) }?)
    }
}
