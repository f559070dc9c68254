//! The weights of a layer, where the layer is.

use candle_core::{CpuStorage, Device, Layout, Result};
use gemm_runtime::Shape;

use super::functions::{Function, Tokens};
#[cfg(feature = "cuda")]
use super::gpu::OnGpu;
use super::{QuantizedError, Values, Weights};
use crate::cpu;

/// Weights and a bias, of zeros where there is none.
pub(super) enum Operands {
    Host(Weights, Vec<f32>),
    #[cfg(feature = "cuda")]
    Gpu(OnGpu),
}

impl Operands {
    /// Copies them to `device`.
    pub(super) fn on(device: &Device, weights: Weights, bias: Vec<f32>) -> Result<Operands> {
        match device {
            Device::Cpu => Ok(Operands::Host(weights, bias)),
            #[cfg(feature = "cuda")]
            Device::Cuda(gpu) => Ok(Operands::Gpu(OnGpu::new(gpu, &weights, &bias)?)),
            _ => Err(QuantizedError::NoFunction { got: device.location() }.into()),
        }
    }

    /// y of tokens on the CPU.
    pub(super) fn on_cpu<T: Tokens>(
        &self,
        function: Function,
        x: &CpuStorage,
        layout: &Layout,
    ) -> Result<CpuStorage> {
        let (weights, bias) = match self {
            Operands::Host(weights, bias) => (weights, bias),
            #[cfg(feature = "cuda")]
            Operands::Gpu(weights) => return Err(weights.elsewhere().into()),
        };
        let x = cpu::matrix::<T>(x, layout)?;
        let shape = Shape { m: x.rows(), n: weights.n(), k: weights.k() };
        let s = weights.scales();
        cpu::output::<T, f32>(match weights.values() {
            Values::I8(w) => function.reference(shape, &x, (w, s), bias),
            Values::I4(w) => function.reference(shape, &x, (w, s), bias),
            Values::U4(w) => function.reference(shape, &x, (w, s), bias),
        })
    }

    /// y of tokens on a GPU.
    #[cfg(feature = "cuda")]
    pub(super) fn on_cuda<T: Tokens>(
        &self,
        function: Function,
        x: &candle_core::CudaStorage,
        layout: &Layout,
    ) -> Result<candle_core::CudaStorage> {
        use candle_core::{DeviceLocation, backend::BackendDevice};

        match self {
            Operands::Gpu(operands) => operands.forward::<T>(function, x, layout),
            Operands::Host(..) => {
                let (expected, got) = (DeviceLocation::Cpu, x.device.location());
                Err(QuantizedError::Device { operand: "x", expected, got }.into())
            }
        }
    }
}
