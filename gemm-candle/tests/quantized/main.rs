//! Weights of quantised models: each format against its definition, element by element, and the layer of them.

mod awq;
mod gguf;
mod gptq;
mod linear;

use candle_core::{Device, Result, Tensor};
use gemm_candle::Error;
use gemm_candle::quantized::QuantizedError;

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// From -1 to 1.
    fn float(&mut self) -> f32 {
        (self.below(20001) as f32 - 10000.0) / 10000.0
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.float()).collect()
    }

    fn nibbles(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(16) as u8).collect()
    }
}

/// A tensor of `rows` × `columns`.
fn tensor<T: candle_core::WithDType>(rows: usize, columns: usize, from: Vec<T>) -> Result<Tensor> {
    Tensor::from_vec(from, (rows, columns), &Device::Cpu)
}

/// Why a result is an error.
fn refused<T: std::fmt::Debug>(result: Result<T>) -> QuantizedError {
    let error = result.expect_err("it is refused");
    match Error::of(&error) {
        Some(Error::Quantized(error)) => error.clone(),
        _ => panic!("another error: {error}"),
    }
}
