//! The weights of a layer, where the layer is.

use candle_core::{CpuStorage, Device, Layout, Result};
use gemm_runtime::packing::{self, Packs};
use gemm_runtime::{Shape, i4x2, i4x32, i8x16, u4x2, u4x32};

use super::functions::{ShortTiles, Tiles, Tokens};
#[cfg(feature = "cuda")]
use super::gpu::OnGpu;
use super::{QuantizedError, Values, Weights};
use crate::{Error, cpu};

/// Weights and a bias, of zeros where there is none.
pub(super) enum Operands {
    Host(OnHost, Vec<f32>),
    #[cfg(feature = "cuda")]
    Gpu(OnGpu),
}

/// Integers as they were read, with what the functions of these have for each group.
pub(super) enum Read {
    I8(Vec<i8>, Tiles<Vec<f32>>),
    I4(Vec<i4x2>, Tiles<Vec<f32>>),
    U4(Vec<u4x2>, Tiles<Vec<f32>>),
    ShortI8(Vec<i8>, ShortTiles<Vec<f32>>),
}

impl Read {
    fn new(weights: Weights) -> std::result::Result<Read, QuantizedError> {
        if let Some(tiles) = ShortTiles::of(&weights)
            && let Values::I8(w) = weights.values
        {
            return Ok(Read::ShortI8(w, tiles));
        }
        let tiles = Tiles::of(&weights)?;
        Ok(match weights.values {
            Values::I8(w) => Read::I8(w, tiles),
            Values::I4(w) => Read::I4(w, tiles),
            Values::U4(w) => Read::U4(w, tiles),
        })
    }
}

/// Integers on the host, packed.
pub(super) enum OnHost {
    I8(Vec<i8x16>, Tiles<Vec<f32>>),
    I4(Vec<i4x32>, Tiles<Vec<f32>>),
    U4(Vec<u4x32>, Tiles<Vec<f32>>),
    ShortI8(Vec<i8x16>, ShortTiles<Vec<f32>>),
}

impl OnHost {
    fn new(extents: [usize; 2], weights: Read) -> std::result::Result<OnHost, gemm_runtime::Error> {
        Ok(match weights {
            Read::I8(w, tiles) => OnHost::I8(packed(extents, &w)?, tiles),
            Read::I4(w, tiles) => OnHost::I4(packed(extents, &w)?, tiles),
            Read::U4(w, tiles) => OnHost::U4(packed(extents, &w)?, tiles),
            Read::ShortI8(w, tiles) => OnHost::ShortI8(packed(extents, &w)?, tiles),
        })
    }
}

fn packed<E: Packs>(
    [n, k]: [usize; 2],
    w: &[E],
) -> std::result::Result<Vec<E::Packed>, gemm_runtime::Error> {
    packing::pack(n, columns::<E>(k), w)
}

/// Elements of a row of such weights.
pub(super) fn columns<E: Packs>(k: usize) -> usize {
    k.div_ceil(E::ELEMENT.numbers() as usize)
}

impl Operands {
    /// Copies them to `device`, packed.
    ///
    /// # Errors
    /// [`QuantizedError::Group`]; [`QuantizedError::NoFunction`]; those of a copy.
    pub(super) fn on(device: &Device, weights: Weights, bias: Vec<f32>) -> Result<Operands> {
        let extents = [weights.n, weights.k];
        let weights = Read::new(weights)?;
        match device {
            Device::Cpu => {
                let weights = OnHost::new(extents, weights).map_err(Error::from)?;
                Ok(Operands::Host(weights, bias))
            }
            #[cfg(feature = "cuda")]
            Device::Cuda(gpu) => Ok(Operands::Gpu(OnGpu::new(gpu, extents, &weights, &bias)?)),
            _ => Err(QuantizedError::NoFunction { got: device.location() }.into()),
        }
    }

    /// y of tokens on the CPU.
    pub(super) fn on_cpu<T: Tokens>(&self, x: &CpuStorage, layout: &Layout) -> Result<CpuStorage> {
        let (weights, bias) = match self {
            Operands::Host(weights, bias) => (weights, bias),
            #[cfg(feature = "cuda")]
            Operands::Gpu(weights) => return Err(weights.elsewhere().into()),
        };
        let x = cpu::matrix::<T>(x, layout)?;
        let shape = Shape { m: x.rows(), n: bias.len(), k: x.columns() };
        cpu::output::<T, f32>(match weights {
            OnHost::I8(w, tiles) => tiles.reference(shape, &x, w, bias),
            OnHost::I4(w, tiles) => tiles.reference(shape, &x, w, bias),
            OnHost::U4(w, tiles) => tiles.reference(shape, &x, w, bias),
            OnHost::ShortI8(w, tiles) => tiles.reference(shape, &x, w, bias),
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
            Operands::Host(..) => {
                let (expected, got) = (DeviceLocation::Cpu, x.device.location());
                Err(QuantizedError::Device { operand: "x", expected, got }.into())
            }
        }
    }
}
