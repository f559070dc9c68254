//! The peer: cuBLASLt with the algorithm that its heuristic puts first.

use std::sync::Arc;

use anyhow::Result;
use cudarc::cublaslt::{CudaBlasLT, Matmul, MatmulConfig};
use cudarc::driver::{CudaSlice, CudaStream};
use half::f16;

/// cuBLASLt on one stream.
pub(crate) struct CublasLt(CudaBlasLT);

impl CublasLt {
    pub(crate) fn new(stream: &Arc<CudaStream>) -> Result<CublasLt> {
        Ok(CublasLt(CudaBlasLT::new(stream.clone())?))
    }

    /// c(m×n) = a(m×k) · b(n×k)ᵀ, all stored row by row, accumulated in f32.
    pub(crate) fn multiply(
        &self,
        [m, n, k]: [usize; 3],
        a: &CudaSlice<f16>,
        b: &CudaSlice<f16>,
        c: &mut CudaSlice<f16>,
    ) -> Result<()> {
        assert!(a.len() >= m * k && b.len() >= n * k && c.len() >= m * n, "a buffer is too small");
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
        // SAFETY: with these leading dimensions cuBLASLt reads n·k elements of b and m·k of a and
        // writes m·n of c; the buffers were checked to have them.
        Ok(unsafe { self.0.matmul(config, b, a, c, None, None) }?)
    }
}
