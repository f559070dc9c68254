//! Outputs through which a backward pass is an error: candle's only operations with gradients have at most three tensors.

use std::sync::{Mutex, PoisonError};

use candle_core::op::BackpropOp;
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Storage, Tensor};

/// An output as a tensor: where gradients are tracked through an operand, an operation of that operand without `bwd`.
///
/// # Errors
/// candle's own.
pub(super) fn tensor(
    function: &'static str,
    tracked: Option<&Tensor>,
    (storage, shape): (Storage, Shape),
) -> Result<Tensor> {
    match tracked {
        None => Ok(Tensor::from_storage(storage, shape, BackpropOp::none(), false)),
        Some(operand) => {
            operand.apply_op1(NoGradient { function, output: Mutex::new(Some((storage, shape))) })
        }
    }
}

/// Returns an output that has been computed, once.
struct NoGradient {
    function: &'static str,
    output: Mutex<Option<(Storage, Shape)>>,
}

impl NoGradient {
    fn take(&self) -> Result<(Storage, Shape)> {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner).take();
        output.ok_or_else(|| self.unexpected("its output is taken"))
    }

    fn unexpected(&self, reason: &str) -> candle_core::Error {
        candle_core::Error::Msg(format!("{}: {reason}", self.function)).bt()
    }
}

impl CustomOp1 for NoGradient {
    fn name(&self) -> &'static str {
        self.function
    }

    fn cpu_fwd(&self, _: &CpuStorage, _: &Layout) -> Result<(CpuStorage, Shape)> {
        match self.take()? {
            (Storage::Cpu(storage), shape) => Ok((storage, shape)),
            _ => Err(self.unexpected("its output is not on the CPU")),
        }
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(
        &self,
        _: &candle_core::CudaStorage,
        _: &Layout,
    ) -> Result<(candle_core::CudaStorage, Shape)> {
        match self.take()? {
            (Storage::Cuda(storage), shape) => Ok((storage, shape)),
            _ => Err(self.unexpected("its output is not on a GPU")),
        }
    }
}
