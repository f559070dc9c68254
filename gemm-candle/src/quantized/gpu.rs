//! The weights of a layer on a GPU.

use candle_core::backend::BackendDevice;
use candle_core::{CudaDevice, CudaStorage, DeviceLocation, Layout, Result};
use gemm_runtime::{DeviceVector, Matrix, i4x2, u4x2};

use super::functions::{Tiles, Tokens};
use super::{QuantizedError, Values};
use crate::{Error, cuda};

/// Weights and a bias on a GPU.
pub(super) struct OnGpu {
    location: DeviceLocation,
    values: Matrices,
    tiles: Tiles<Matrix<f32>>,
    bias: DeviceVector<f32>,
}

enum Matrices {
    I8(Matrix<i8>),
    I4(Matrix<i4x2>),
    U4(Matrix<u4x2>),
}

impl OnGpu {
    /// Copies them to `gpu`, on its stream.
    pub(super) fn new(
        gpu: &CudaDevice,
        k: usize,
        values: &Values,
        tiles: &Tiles<Vec<f32>>,
        bias: &[f32],
    ) -> Result<OnGpu> {
        let device = cuda::device(gpu)?;
        let (n, pairs) = (bias.len(), k.div_ceil(2));
        let values = match values {
            Values::I8(values) => device.matrix(n, k, values).map(Matrices::I8),
            Values::I4(values) => device.matrix(n, pairs, values).map(Matrices::I4),
            Values::U4(values) => device.matrix(n, pairs, values).map(Matrices::U4),
        };
        let tiles = tiles.try_map(|of| device.matrix(n, k / tiles.group(), of));
        Ok(OnGpu {
            location: gpu.location(),
            values: values.map_err(Error::from)?,
            tiles: tiles.map_err(Error::from)?,
            bias: device.vector(bias).map_err(Error::from)?,
        })
    }

    /// The error of tokens on the CPU.
    pub(super) fn elsewhere(&self) -> QuantizedError {
        let (expected, got) = (self.location, DeviceLocation::Cpu);
        QuantizedError::Device { operand: "x", expected, got }
    }

    /// y of tokens on this GPU.
    pub(super) fn forward<T: Tokens>(
        &self,
        x: &CudaStorage,
        layout: &Layout,
    ) -> Result<CudaStorage> {
        let OnGpu { values, tiles, bias, .. } = self;
        let gpu = &x.device;
        let (x, n) = (cuda::matrix::<T>(x, layout)?, bias.len());
        cuda::output::<T>(gpu, x.rows(), n, |device, y| match values {
            Matrices::I8(w) => tiles.launch(device, &x, w, bias, y),
            Matrices::I4(w) => tiles.launch(device, &x, w, bias, y),
            Matrices::U4(w) => tiles.launch(device, &x, w, bias, y),
        })
    }
}
