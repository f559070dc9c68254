//! The weights of a layer on a GPU.

use candle_core::backend::BackendDevice;
use candle_core::{CudaDevice, CudaStorage, DeviceLocation, Layout, Result};
use gemm_runtime::packing::Packs;
use gemm_runtime::{Device, DeviceVector, Matrix, i4x32, i8x16, u4x32};

use super::QuantizedError;
use super::functions::{ShortTiles, Tiles, Tokens};
use super::operands::{Read, columns};
use crate::{Error, cuda};

/// Weights and a bias on a GPU.
pub(super) struct OnGpu {
    location: DeviceLocation,
    weights: Matrices,
    bias: DeviceVector<f32>,
}

enum Matrices {
    I8(Matrix<i8x16>, Tiles<Matrix<f32>>),
    I4(Matrix<i4x32>, Tiles<Matrix<f32>>),
    U4(Matrix<u4x32>, Tiles<Matrix<f32>>),
    ShortI8(Matrix<i8x16>, ShortTiles<Matrix<f32>>),
}

impl Matrices {
    fn new(
        device: &Device,
        extents: [usize; 2],
        weights: &Read,
    ) -> std::result::Result<Matrices, gemm_runtime::Error> {
        Ok(match weights {
            Read::I8(w, of) => Matrices::I8(packed(device, extents, w)?, of.to(device, extents)?),
            Read::I4(w, of) => Matrices::I4(packed(device, extents, w)?, of.to(device, extents)?),
            Read::U4(w, of) => Matrices::U4(packed(device, extents, w)?, of.to(device, extents)?),
            Read::ShortI8(w, of) => {
                Matrices::ShortI8(packed(device, extents, w)?, of.to(device, extents)?)
            }
        })
    }
}

/// Weights that the device packs.
fn packed<E: Packs>(
    device: &Device,
    [n, k]: [usize; 2],
    w: &[E],
) -> std::result::Result<Matrix<E::Packed>, gemm_runtime::Error> {
    device.pack(&device.matrix(n, columns::<E>(k), w)?)
}

impl OnGpu {
    /// Copies them to `gpu` and packs them, on its stream.
    pub(super) fn new(
        gpu: &CudaDevice,
        extents: [usize; 2],
        weights: &Read,
        bias: &[f32],
    ) -> Result<OnGpu> {
        let device = cuda::device(gpu)?;
        Ok(OnGpu {
            location: gpu.location(),
            weights: Matrices::new(&device, extents, weights).map_err(Error::from)?,
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
        let OnGpu { weights, bias, .. } = self;
        let gpu = &x.device;
        let (x, n) = (cuda::matrix::<T>(x, layout)?, bias.len());
        cuda::output::<T>(gpu, x.rows(), n, |device, y| match weights {
            Matrices::I8(w, tiles) => tiles.launch(device, &x, w, bias, y),
            Matrices::I4(w, tiles) => tiles.launch(device, &x, w, bias, y),
            Matrices::U4(w, tiles) => tiles.launch(device, &x, w, bias, y),
            Matrices::ShortI8(w, tiles) => tiles.launch(device, &x, w, bias, y),
        })
    }
}
