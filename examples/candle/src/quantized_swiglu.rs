//! SwiGLU of weights in `Q4_K`: one launch of two products that share the tokens.
//!
//! [`QuantizedLinear`](gemm_candle::QuantizedLinear) is a layer of one product. One of several, or with an epilogue of its
//! own, is written by hand: [`Weights`] have what the operands of a `#[gemm]` function are made of.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Module, Result, Shape, Tensor, bail};
#[cfg(feature = "cuda")]
use candle_core::{CudaStorage, backend::BackendStorage};
#[cfg(feature = "cuda")]
use gemm_candle::cuda;
use gemm_candle::quantized::{Offsets, Values, Weights};
use gemm_candle::{Error, cpu, output_shape};
use gemm_runtime::packing;
use gemm_runtime::prelude::*;

/// K of the weights that have one scale and one offset.
const GROUP: usize = 32;

/// h = silu(x · gateᵀ) * (x · upᵀ), of weights `q * s + c`
#[gemm]
pub fn quantized_swiglu(
    x: Mat<bf16, M, K>,
    gate: Mat<u4x32, N, K>,
    gate_s: Tiled<f32, N, K, 1, 32>,
    gate_c: Tiled<f32, N, K, 1, 32>,
    up: Mat<u4x32, N, K>,
    up_s: Tiled<f32, N, K, 1, 32>,
    up_c: Tiled<f32, N, K, 1, 32>,
) -> Mat<bf16, M, N> {
    silu(matmul(x, gate * gate_s + gate_c)) * matmul(x, up * up_s + up_c)
}

/// `silu(x · gateᵀ) * (x · upᵀ)` of `x: [.., k]` in BF16 and weights of n × k in `Q4_K`.
#[derive(Debug)]
pub struct QuantizedSwiglu {
    extents: [usize; 2],
    weights: Stored,
}

/// Gate and up, where the layer is.
#[derive(Debug)]
enum Stored {
    Host([Factor<Vec<u4x32>, Vec<f32>>; 2]),
    #[cfg(feature = "cuda")]
    Gpu([Factor<Matrix<u4x32>, Matrix<f32>>; 2]),
}

/// Packed integers, with a scale and an offset for each [`GROUP`] of K.
#[derive(Debug)]
struct Factor<W, T> {
    w: W,
    s: T,
    c: T,
}

impl QuantizedSwiglu {
    /// A layer of these weights on a device of candle's.
    ///
    /// # Errors
    /// Weights of another format, or of other extents than each other; those of a copy.
    pub fn new(gate: Weights, up: Weights, device: &Device) -> Result<QuantizedSwiglu> {
        let extents = [gate.n(), gate.k()];
        if [up.n(), up.k()] != extents {
            bail!("gate is {} × {}, up {} × {}", gate.n(), gate.k(), up.n(), up.k());
        }
        let factors = [Factor::new(gate)?, Factor::new(up)?];
        let weights = match device {
            Device::Cpu => Stored::Host(factors),
            #[cfg(feature = "cuda")]
            Device::Cuda(gpu) => {
                let device = cuda::device(gpu)?;
                let [gate, up] = factors.map(|factor| factor.on(&device, extents));
                Stored::Gpu([gate.map_err(Error::from)?, up.map_err(Error::from)?])
            }
            _ => bail!("no function of {:?}", device.location()),
        };
        Ok(QuantizedSwiglu { extents, weights })
    }
}

impl Factor<Vec<u4x32>, Vec<f32>> {
    fn new(weights: Weights) -> Result<Self> {
        let [n, group] = [weights.n(), weights.group()];
        match (weights.values(), weights.offsets()) {
            (Values::U4(q), Offsets::Added(c)) if group == GROUP => {
                let columns = weights.k() / 2;
                let w = packing::pack(n, columns, q).map_err(Error::from)?;
                Ok(Factor { w, s: weights.scales().to_vec(), c: c.clone() })
            }
            _ => bail!("expected weights of Q4_K"),
        }
    }

    /// Copies it to a GPU.
    #[cfg(feature = "cuda")]
    fn on(
        self,
        device: &gemm_runtime::Device,
        [n, k]: [usize; 2],
    ) -> std::result::Result<Factor<Matrix<u4x32>, Matrix<f32>>, gemm_runtime::Error> {
        let tiles = |values: &[f32]| device.matrix(n, k / GROUP, values);
        let rows = n.div_ceil(16);
        let w = device.matrix(rows, self.w.len() / rows, &self.w)?;
        Ok(Factor { w, s: tiles(&self.s)?, c: tiles(&self.c)? })
    }
}

impl Module for QuantizedSwiglu {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.apply_op1_no_bwd(&Operation(self))
    }
}

/// A layer as an operation of candle's.
struct Operation<'a>(&'a QuantizedSwiglu);

impl CustomOp1 for Operation<'_> {
    fn name(&self) -> &'static str {
        "quantized-swiglu"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let QuantizedSwiglu { extents: [n, k], ref weights } = *self.0;
        let x = cpu::matrix::<bf16>(x, layout)?;
        let shape = gemm_runtime::Shape { m: x.rows(), n, k };
        let h = match weights {
            Stored::Host([gate, up]) => quantized_swiglu::reference(
                shape, &x, &gate.w, &gate.s, &gate.c, &up.w, &up.s, &up.c,
            ),
            #[cfg(feature = "cuda")]
            Stored::Gpu(_) => bail!("the layer is on a GPU, x is not"),
        };
        Ok((cpu::output::<bf16, f32>(h)?, output_shape(layout, n)))
    }

    #[cfg(feature = "cuda")]
    fn cuda_fwd(&self, x: &CudaStorage, layout: &Layout) -> Result<(CudaStorage, Shape)> {
        let QuantizedSwiglu { extents: [n, _], ref weights } = *self.0;
        let Stored::Gpu([gate, up]) = weights else { bail!("the layer is on the CPU, x is not") };
        let (gpu, x) = (x.device(), cuda::matrix::<bf16>(x, layout)?);
        let h = cuda::output::<bf16>(gpu, x.rows(), n, |device, h| {
            quantized_swiglu::into(device, &x, &gate.w, &gate.s, &gate.c, &up.w, &up.s, &up.c, h)
        });
        Ok((h?, output_shape(layout, n)))
    }
}
