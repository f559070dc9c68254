//! The weights of a layer, where the layer is.

use candle_core::{CpuStorage, Device, Layout, Result};
use gemm_runtime::Shape;

use super::functions::{Tiles, Tokens};
#[cfg(feature = "cuda")]
use super::gpu::OnGpu;
use super::{QuantizedError, Values, Weights};
use crate::cpu;

/// Weights and a bias, of zeros where there is none.
pub(super) enum Operands {
    Host {
        values: Values,
        tiles: Tiles<Vec<f32>>,
        bias: Vec<f32>,
    },
    #[cfg(feature = "cuda")]
    Gpu(OnGpu),
}

impl Operands {
    /// Copies them to `device`.
    ///
    /// # Errors
    /// Those of [`Tiles::of`]; [`QuantizedError::NoFunction`]; those of a copy.
    pub(super) fn on(device: &Device, weights: Weights, bias: Vec<f32>) -> Result<Operands> {
        let tiles = Tiles::of(&weights)?;
        let values = weights.values;
        match device {
            Device::Cpu => Ok(Operands::Host { values, tiles, bias }),
            #[cfg(feature = "cuda")]
            Device::Cuda(gpu) => {
                Ok(Operands::Gpu(OnGpu::new(gpu, weights.k, &values, &tiles, &bias)?))
            }
            _ => Err(QuantizedError::NoFunction { got: device.location() }.into()),
        }
    }

    /// y of tokens on the CPU.
    pub(super) fn on_cpu<T: Tokens>(&self, x: &CpuStorage, layout: &Layout) -> Result<CpuStorage> {
        let (values, tiles, bias) = match self {
            Operands::Host { values, tiles, bias } => (values, tiles, bias),
            #[cfg(feature = "cuda")]
            Operands::Gpu(weights) => return Err(weights.elsewhere().into()),
        };
        let x = cpu::matrix::<T>(x, layout)?;
        let shape = Shape { m: x.rows(), n: bias.len(), k: x.columns() };
        cpu::output::<T, f32>(match values {
            Values::I8(w) => tiles.reference(shape, &x, w, bias),
            Values::I4(w) => tiles.reference(shape, &x, w, bias),
            Values::U4(w) => tiles.reference(shape, &x, w, bias),
        })
    }

    /// y of tokens on a GPU.
    #[cfg(feature = "cuda")]
    pub(super) fn on_cuda<T: Tokens>(
        &self,
        x: &candle_core::CudaStorage,
        layout: &Layout,
    ) -> Result<candle_core::CudaStorage> {
        use candle_core::{DeviceLocation, backend::BackendDevice};

        match self {
            Operands::Gpu(operands) => operands.forward::<T>(x, layout),
            Operands::Host { .. } => {
                let (expected, got) = (DeviceLocation::Cpu, x.device.location());
                Err(QuantizedError::Device { operand: "x", expected, got }.into())
            }
        }
    }
}
