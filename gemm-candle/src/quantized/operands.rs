//! The weights of a layer, where the layer is.

use candle_core::{CpuStorage, Device, Layout, Result};
use gemm_runtime::Shape;

use super::functions::{Function, Tokens};
use super::{QuantizedError, Values, Weights};
use crate::cpu;

/// Weights and a bias, of zeros where there is none.
pub(super) enum Operands {
    Host(Weights, Vec<f32>),
    #[cfg(feature = "cuda")]
    Gpu(on_gpu::Operands),
}

impl Operands {
    /// Copies them to `device`.
    pub(super) fn on(device: &Device, weights: Weights, bias: Vec<f32>) -> Result<Operands> {
        match device {
            Device::Cpu => Ok(Operands::Host(weights, bias)),
            #[cfg(feature = "cuda")]
            Device::Cuda(gpu) => Ok(Operands::Gpu(on_gpu::Operands::on(gpu, &weights, &bias)?)),
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
}

#[cfg(feature = "cuda")]
mod on_gpu {
    use candle_core::backend::BackendDevice;
    use candle_core::{CudaDevice, CudaStorage, DeviceLocation, Layout, Result};
    use gemm_runtime::{DeviceVector, Matrix, i4x2, u4x2};

    use super::super::functions::{Function, Tokens};
    use super::super::{QuantizedError, Values, Weights};
    use crate::{Error, cuda};

    /// Weights and a bias on a GPU.
    pub(in crate::quantized) struct Operands {
        location: DeviceLocation,
        values: Matrices,
        scales: Matrix<f32>,
        bias: DeviceVector<f32>,
    }

    enum Matrices {
        I8(Matrix<i8>),
        I4(Matrix<i4x2>),
        U4(Matrix<u4x2>),
    }

    impl Operands {
        pub(super) fn on(gpu: &CudaDevice, weights: &Weights, bias: &[f32]) -> Result<Operands> {
            let device = cuda::device(gpu)?;
            let [n, k] = [weights.n(), weights.k()];
            let pairs = k.div_ceil(2);
            let values = match weights.values() {
                Values::I8(values) => device.matrix(n, k, values).map(Matrices::I8),
                Values::I4(values) => device.matrix(n, pairs, values).map(Matrices::I4),
                Values::U4(values) => device.matrix(n, pairs, values).map(Matrices::U4),
            };
            let scales = device.matrix(n, k / weights.group(), weights.scales());
            Ok(Operands {
                location: gpu.location(),
                values: values.map_err(Error::from)?,
                scales: scales.map_err(Error::from)?,
                bias: device.vector(bias).map_err(Error::from)?,
            })
        }

        /// Tokens are on the CPU.
        pub(super) fn elsewhere(&self) -> QuantizedError {
            QuantizedError::Device {
                operand: "x",
                expected: self.location,
                got: DeviceLocation::Cpu,
            }
        }

        pub(super) fn forward<T: Tokens>(
            &self,
            function: Function,
            x: &CudaStorage,
            layout: &Layout,
        ) -> Result<CudaStorage> {
            let Operands { values, scales: s, bias, .. } = self;
            let gpu = &x.device;
            let (x, n) = (cuda::matrix::<T>(x, layout)?, bias.len());
            cuda::output::<T>(gpu, x.rows(), n, |device, y| match values {
                Matrices::I8(w) => function.launch(device, &x, (w, s), bias, y),
                Matrices::I4(w) => function.launch(device, &x, (w, s), bias, y),
                Matrices::U4(w) => function.launch(device, &x, (w, s), bias, y),
            })
        }
    }
}

#[cfg(feature = "cuda")]
impl Operands {
    /// y of tokens on a GPU.
    pub(super) fn on_cuda<T: Tokens>(
        &self,
        function: Function,
        x: &candle_core::CudaStorage,
        layout: &Layout,
    ) -> Result<candle_core::CudaStorage> {
        match self {
            Operands::Gpu(weights) => weights.forward::<T>(function, x, layout),
            Operands::Host(..) => {
                use candle_core::backend::BackendDevice;

                let (expected, got) = (candle_core::DeviceLocation::Cpu, x.device.location());
                Err(QuantizedError::Device { operand: "x", expected, got }.into())
            }
        }
    }
}
