//! The layers next to the same ones of candle's own operations.

use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
use candle_core::{DType, Device, Module, Result, Shape, Tensor, Var};
use candle_nn::VarBuilder;
use gemm_candle::QuantizedLinear;
use gemm_candle::quantized::Weights;

use crate::decoder::{Decoder, by_candle};
use crate::{
    AddLinear, Int8Linear, Linear, LinearGelu, LinearLayer, Precision, QuantizedSwiglu, Swiglu,
};

/// A function of the operands of a layer.
type Forward = fn(&[Tensor]) -> Result<Tensor>;

/// The same of a layer that holds tensors of its own.
type Owned = dyn Fn(&[Tensor]) -> Result<Tensor>;

/// A layer and the same of candle's own operations.
pub struct Layer {
    name: &'static str,
    ours: Box<Owned>,
    candle: Box<Owned>,
    operands: Vec<Tensor>,
    /// In dtypes that candle multiplies.
    candle_operands: Vec<Tensor>,
}

impl Layer {
    /// What it computes, and in which dtype.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The result of our operations.
    ///
    /// # Errors
    /// candle's.
    pub fn ours(&self) -> Result<Tensor> {
        (self.ours)(&self.operands)
    }

    /// The result of candle's operations, in the same dtypes where candle has them.
    ///
    /// # Errors
    /// candle's.
    pub fn candle(&self) -> Result<Tensor> {
        (self.candle)(&self.candle_operands)
    }

    /// The result of candle's operations in F32.
    ///
    /// # Errors
    /// candle's.
    pub fn expected(&self) -> Result<Tensor> {
        let operands = self.candle_operands.iter().map(|tensor| tensor.to_dtype(DType::F32));
        (self.candle)(&operands.collect::<Result<Vec<Tensor>>>()?)
    }
}

/// All layers on random operands, `x` of `[m, k]` and weights of `[n, k]`.
///
/// # Errors
/// candle's.
pub fn layers(device: &Device, [m, n, k]: [usize; 3]) -> Result<Vec<Layer>> {
    let mut random = Random { generator: fastrand::Rng::with_seed(1), device };
    let same = |name, ours: Forward, candle: Forward, operands: Vec<Tensor>| Layer {
        name,
        ours: Box::new(ours),
        candle: Box::new(candle),
        candle_operands: operands.clone(),
        operands,
    };
    let mut operands = |dtype, shapes| random.tensors(shapes, dtype);
    let biased: [&[usize]; 3] = [&[m, k], &[n, k], &[n]];
    let mut all = vec![
        same(
            "gelu(x · wᵀ + bias), F16",
            |t| t[0].apply_op3_no_bwd(&t[1], &t[2], &LinearGelu),
            |t| candle_linear(t)?.gelu_erf(),
            operands(DType::F16, biased)?,
        ),
        same(
            "x · wᵀ + bias, F32",
            |t| t[0].apply_op3_no_bwd(&t[1], &t[2], &Linear),
            candle_linear,
            operands(DType::F32, biased)?,
        ),
        same(
            "its gradients, F32",
            |t| gradients(t, |t| t[0].apply_op3(&t[1], &t[2], Linear)),
            |t| gradients(t, candle_linear),
            operands(DType::F32, biased)?,
        ),
        same(
            "silu(x · gateᵀ) * (x · upᵀ), BF16",
            |t| t[0].apply_op3_no_bwd(&t[1], &t[2], &Swiglu),
            |t| t[0].matmul(&t[1].t()?)?.silu()? * t[0].matmul(&t[2].t()?)?,
            operands(DType::BF16, [&[m, k], &[n, k], &[n, k]])?,
        ),
    ];
    let others = [by_halves, in_place, int8, quantized, gated].map(|of| of(&mut random, [m, n, k]));
    let blocks = [DType::BF16, DType::F32].map(|dtype| decoder(&mut random, dtype, [m, k]));
    all.extend(others.into_iter().chain(blocks).collect::<Result<Vec<_>>>()?);
    Ok(all)
}

/// Heads of 64 features, of two sequences, in the dtype of the variables.
fn decoder(random: &mut Random<'_>, dtype: DType, [m, k]: [usize; 2]) -> Result<Layer> {
    let name = match dtype {
        DType::BF16 => "decoder block, BF16",
        _ => "decoder block, F32",
    };
    let (heads, width) = (k.div_ceil(64), 64);
    let variables = Decoder::variables(heads, width);
    // So large that each layer gives elements about as large as those it takes.
    let scale = 3.0 / ((heads * width) as f64).sqrt();
    let tensors = variables.iter().map(|(_, dims)| random.tensor(dims, dtype)? * scale);
    let tensors = tensors.collect::<Result<Vec<_>>>()?;
    let named =
        variables.iter().zip(&tensors).map(|((name, _), of)| (name.to_string(), of.clone()));
    let vb = VarBuilder::from_tensors(named.collect(), dtype, random.device);
    let ours = Decoder::new(heads, width, vb)?;
    let x = random.tensor(&[2, m.div_ceil(2), heads * width], dtype)?;
    let operands = [&[x][..], &tensors].concat();
    Ok(Layer {
        name,
        ours: Box::new(move |t| ours.forward(&t[0])),
        candle: Box::new(move |t| by_candle(heads, t)),
        candle_operands: operands.clone(),
        operands,
    })
}

/// Weights of a GGUF file, in whole blocks of 256 along K. candle multiplies them by tokens in F32.
fn quantized(random: &mut Random<'_>, [m, n, k]: [usize; 3]) -> Result<Layer> {
    let k = k.next_multiple_of(256);
    let x = random.tensor(&[m, k], DType::BF16)?;
    let weights = QTensor::quantize(&random.tensor(&[n, k], DType::F32)?, GgmlDType::Q4K)?;
    let ours = QuantizedLinear::from_qtensor(&weights, None, random.device)?;
    let candle = QMatMul::from_qtensor(weights)?;
    Ok(Layer {
        name: "x · wᵀ, BF16 by Q4_K",
        ours: Box::new(move |t| ours.forward(&t[0])),
        candle: Box::new(move |t| candle.forward(&t[0])),
        candle_operands: vec![x.to_dtype(DType::F32)?],
        operands: vec![x],
    })
}

/// Two products of weights in `Q4_K`, by tokens of bf16.
fn gated(random: &mut Random<'_>, [m, n, k]: [usize; 3]) -> Result<Layer> {
    let k = k.next_multiple_of(256);
    let x = random.tensor(&[m, k], DType::BF16)?;
    let mut weights = || QTensor::quantize(&random.tensor(&[n, k], DType::F32)?, GgmlDType::Q4K);
    let (gate, up) = (weights()?, weights()?);
    let [of_gate, of_up] = [&gate, &up].map(Weights::from_qtensor);
    let ours = QuantizedSwiglu::new(of_gate?, of_up?, random.device)?;
    let (gate, up) = (QMatMul::from_qtensor(gate)?, QMatMul::from_qtensor(up)?);
    Ok(Layer {
        name: "silu(x · gateᵀ) * (x · upᵀ), BF16 by Q4_K",
        ours: Box::new(move |t| ours.forward(&t[0])),
        candle: Box::new(move |t| gate.forward(&t[0])?.silu()? * up.forward(&t[0])?),
        candle_operands: vec![x.to_dtype(DType::F32)?],
        operands: vec![x],
    })
}

/// A layer that is made once, and has split its weight.
fn by_halves(random: &mut Random<'_>, [m, n, k]: [usize; 3]) -> Result<Layer> {
    let operands = random.tensors([&[m, k], &[n, k], &[n]], DType::F32)?;
    let layer = LinearLayer::new(operands[1].clone(), operands[2].clone(), Precision::F16x3)?;
    Ok(Layer {
        name: "x · wᵀ + bias, F32 by f16x3",
        ours: Box::new(move |t| layer.forward(&t[0])),
        candle: Box::new(candle_linear),
        candle_operands: operands.clone(),
        operands,
    })
}

/// Ours adds to a copy, so that each call has the same operands.
fn in_place(random: &mut Random<'_>, [m, n, k]: [usize; 3]) -> Result<Layer> {
    let operands = random.tensors([&[m, k], &[n, k], &[m, n]], DType::BF16)?;
    Ok(Layer {
        name: "y += x · wᵀ, BF16",
        ours: Box::new(|t| {
            let y = t[2].copy()?;
            y.inplace_op3(&t[0], &t[1], &AddLinear)?;
            Ok(y)
        }),
        candle: Box::new(|t| &t[2] + t[0].matmul(&t[1].t()?)?),
        candle_operands: operands.clone(),
        operands,
    })
}

/// candle has no product of bytes: its own operations compute the same in F16.
fn int8(random: &mut Random<'_>, [m, n, k]: [usize; 3]) -> Result<Layer> {
    let (x, w) = (random.bytes((m, k))?, random.bytes((n, k))?);
    let scale = (random.tensor(&[n], DType::F16)? * 0.01)?;
    Ok(Layer {
        name: "(x · wᵀ) * scale, I8 in U8",
        ours: Box::new(|t| t[0].apply_op3_no_bwd(&t[1], &t[2], &Int8Linear)),
        candle: Box::new(|t| t[0].matmul(&t[1].t()?)?.broadcast_mul(&t[2])),
        candle_operands: vec![signed(&x)?, signed(&w)?, scale.clone()],
        operands: vec![x, w, scale.to_dtype(DType::F32)?],
    })
}

fn candle_linear(t: &[Tensor]) -> Result<Tensor> {
    t[0].matmul(&t[1].t()?)?.broadcast_add(&t[2])
}

/// The gradients of the mean square of a layer's output by all its operands, one after the other.
fn gradients(operands: &[Tensor], layer: fn(&[Tensor]) -> Result<Tensor>) -> Result<Tensor> {
    let variables = operands.iter().map(Var::from_tensor).collect::<Result<Vec<Var>>>()?;
    let tensors: Vec<Tensor> = variables.iter().map(|v| v.as_tensor().clone()).collect();
    let gradients = layer(&tensors)?.sqr()?.mean_all()?.backward()?;
    let missing = || candle_core::Error::msg("an operand has no gradient");
    let each = tensors.iter().map(|t| gradients.get(t).ok_or_else(missing)?.flatten_all());
    Tensor::cat(&each.collect::<Result<Vec<Tensor>>>()?, 0)
}

/// The numbers whose bits a tensor in U8 holds, in F16.
fn signed(bits: &Tensor) -> Result<Tensor> {
    let is_negative = bits.ge(128u8)?.to_dtype(DType::F16)?;
    bits.to_dtype(DType::F16)? - (is_negative * 256.0)?
}

/// The largest difference of two tensors, relative to the largest element of the second.
///
/// # Errors
/// candle's, for tensors of different shapes.
pub fn relative_error(got: &Tensor, expected: &Tensor) -> Result<f32> {
    let difference = (got.to_dtype(DType::F32)? - expected)?;
    let largest = |tensor: &Tensor| tensor.abs()?.max_all()?.to_scalar::<f32>();
    Ok(largest(&difference)? / largest(expected)?)
}

/// The same operands in each run.
struct Random<'a> {
    generator: fastrand::Rng,
    device: &'a Device,
}

impl Random<'_> {
    /// Elements between -0.5 and 0.5.
    fn tensor(&mut self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        let shape = Shape::from(shape);
        let elements = (0..shape.elem_count()).map(|_| self.generator.f32() - 0.5).collect();
        Tensor::from_vec::<_, f32>(elements, shape, self.device)?.to_dtype(dtype)
    }

    /// Tensors of such elements.
    fn tensors(&mut self, shapes: [&[usize]; 3], dtype: DType) -> Result<Vec<Tensor>> {
        shapes.into_iter().map(|shape| self.tensor(shape, dtype)).collect()
    }

    fn bytes(&mut self, shape: (usize, usize)) -> Result<Tensor> {
        let bytes = (0..shape.0 * shape.1).map(|_| self.generator.u8(..)).collect();
        Tensor::from_vec::<_, u8>(bytes, shape, self.device)
    }
}
