//! A decoder block, in the dtype of its variables: attention and two layers, in six launches beside candle's softmax.

use candle_core::{Module, Result, Tensor};
use candle_nn::ops::softmax_last_dim;
use candle_nn::{Init, VarBuilder};
use gemm_candle::{Linear, Operation};
use gemm_runtime::prelude::*;

/// y = gelu(x · wᵀ + bias)
#[gemm(T = [f16, bf16, f32])]
fn up<T>(x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
    gelu(matmul(x, w) + bias)
}

/// y = x · wᵀ + bias + residual
#[gemm(T = [f16, bf16, f32])]
fn add_linear<T>(
    x: Mat<T, M, K>,
    w: Mat<T, N, K>,
    bias: Vector<T, N>,
    residual: Mat<T, M, N>,
) -> Mat<T, M, N> {
    matmul(x, w) + bias + residual
}

/// scores = scale * (q · kᵀ)
#[gemm(T = [f16, bf16, f32])]
fn scores<T>(
    q: Batched<T, (B, H), M, K>,
    k: Batched<T, (B, H), N, K>,
    scale: f32,
) -> Batched<T, (B, H), M, N> {
    scale * matmul(q, k)
}

/// y = p · v
#[gemm(T = [f16, bf16, f32])]
fn weighted<T>(
    p: Batched<T, (B, H), M, K>,
    v: Batched<T, (B, H), K, N>,
) -> Batched<T, (B, H), M, N> {
    matmul(p, v)
}

const UP: Operation = Operation::new(&up::FUNCTION);
const ADD_LINEAR: Operation = Operation::new(&add_linear::FUNCTION);
const SCORES: Operation = Operation::new(&scores::FUNCTION);
const WEIGHTED: Operation = Operation::new(&weighted::FUNCTION);

/// `h = x + out(attention(qkv(x)))`, then `h + down(gelu(up(h)))`, of `x: [b, t, width]`.
#[derive(Clone, Debug)]
pub struct Decoder {
    heads: usize,
    qkv: Linear,
    /// The weight and the bias of each.
    out: [Tensor; 2],
    up: [Tensor; 2],
    down: [Tensor; 2],
}

impl Decoder {
    /// The names and dimensions of the variables: `heads` times `width` features, and four times as many inside.
    pub fn variables(heads: usize, width: usize) -> [(&'static str, Vec<usize>); 8] {
        let width = heads * width;
        [
            ("qkv.weight", vec![3 * width, width]),
            ("qkv.bias", vec![3 * width]),
            ("out.weight", vec![width, width]),
            ("out.bias", vec![width]),
            ("up.weight", vec![4 * width, width]),
            ("up.bias", vec![4 * width]),
            ("down.weight", vec![width, 4 * width]),
            ("down.bias", vec![width]),
        ]
    }

    /// The block of the variables of `vb`.
    ///
    /// # Errors
    /// candle's, if `vb` lacks one or has it with other dimensions.
    pub fn new(heads: usize, width: usize, vb: VarBuilder<'_>) -> Result<Decoder> {
        let variable =
            |(name, dims): (&str, Vec<usize>)| vb.get_with_hints(dims, name, Init::Const(0.0));
        let [w_qkv, b_qkv, w_out, b_out, w_up, b_up, w_down, b_down] =
            Self::variables(heads, width).map(variable);
        Ok(Decoder {
            heads,
            qkv: Linear::new(w_qkv?, Some(b_qkv?)),
            out: [w_out?, b_out?],
            up: [w_up?, b_up?],
            down: [w_down?, b_down?],
        })
    }

    /// The heads side by side, `[b, t, heads * width]`, of `[b, t, 3 * heads * width]`.
    fn attention(&self, qkv: &Tensor) -> Result<Tensor> {
        let [q, k, v] = parts(qkv, self.heads)?;
        let scale = 1.0 / (q.dim(3)? as f32).sqrt();
        let scores = SCORES.apply(&[(&q).into(), (&k).into(), scale.into()])?;
        let p = softmax_last_dim(&scores)?;
        joined(&WEIGHTED.apply(&[(&p).into(), (&v).into()])?)
    }
}

impl Module for Decoder {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let heads = self.attention(&self.qkv.forward(x)?)?;
        let [[w_out, b_out], [w_up, b_up], [w_down, b_down]] = [&self.out, &self.up, &self.down];
        let h = ADD_LINEAR.apply(&[(&heads).into(), w_out.into(), b_out.into(), x.into()])?;
        let inner = UP.apply(&[(&h).into(), w_up.into(), b_up.into()])?;
        ADD_LINEAR.apply(&[(&inner).into(), w_down.into(), b_down.into(), (&h).into()])
    }
}

/// The same of candle's operations, of `x` and the [variables](Decoder::variables) in their order.
pub(crate) fn by_candle(heads: usize, tensors: &[Tensor]) -> Result<Tensor> {
    let linear = |x: &Tensor, layer: usize| {
        let [w, bias] = [&tensors[1 + 2 * layer], &tensors[2 + 2 * layer]];
        x.broadcast_matmul(&w.t()?)?.broadcast_add(bias)
    };
    let x = &tensors[0];
    let [q, k, v] = parts(&linear(x, 0)?, heads)?;
    let scale = 1.0 / (q.dim(3)? as f64).sqrt();
    let scores = (q.contiguous()?.matmul(&k.contiguous()?.t()?)? * scale)?;
    let heads = joined(&softmax_last_dim(&scores)?.matmul(&v.contiguous()?)?)?;
    let h = (linear(&heads, 1)? + x)?;
    linear(&linear(&h, 2)?.gelu_erf()?, 3)? + h
}

/// Queries, keys and values, `[b, heads, t, width]` each, where they lie.
fn parts(qkv: &Tensor, heads: usize) -> Result<[Tensor; 3]> {
    let (b, t, columns) = qkv.dims3()?;
    let qkv = qkv.reshape((b, t, 3, heads, columns / (3 * heads)))?;
    let part = |number| qkv.narrow(2, number, 1)?.squeeze(2)?.transpose(1, 2);
    Ok([part(0)?, part(1)?, part(2)?])
}

/// `[b, t, heads * width]` of `[b, heads, t, width]`.
fn joined(heads: &Tensor) -> Result<Tensor> {
    heads.transpose(1, 2)?.contiguous()?.flatten_from(2)
}
