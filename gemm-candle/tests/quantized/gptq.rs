//! GPTQ: a loop over its definition.

use candle_core::{DType, Device, Result, Tensor};
use gemm_candle::quantized::{GptqZeros, Offsets, QuantizedError, Values, Weights};

use crate::linear::check_against;
use crate::{Random, refused, tensor};

/// A checkpoint and what it was made of.
struct Checkpoint {
    n: usize,
    group: usize,
    /// K × N.
    numbers: Vec<u8>,
    /// Those that are stored, K / group × N.
    zeros: Vec<u8>,
    qweight: Tensor,
    qzeros: Tensor,
    scales: Tensor,
}

impl Checkpoint {
    fn new([k, n]: [usize; 2], group: usize, zeros: impl Fn(&mut Random) -> u8) -> Result<Self> {
        let mut random = Random((k * n) as u64);
        let groups = k / group;
        let numbers = random.nibbles(k * n);
        let zeros: Vec<u8> = (0..groups * n).map(|_| zeros(&mut random)).collect();
        let mut qweight = vec![0u32; k / 8 * n];
        for row in 0..k {
            for column in 0..n {
                let number = u32::from(numbers[row * n + column]);
                qweight[row / 8 * n + column] |= number << (4 * (row % 8));
            }
        }
        let words = n.div_ceil(8);
        let mut qzeros = vec![0u32; groups * words];
        for row in 0..groups {
            for column in 0..n {
                let zero = u32::from(zeros[row * n + column]);
                qzeros[row * words + column / 8] |= zero << (4 * (column % 8));
            }
        }
        let qweight = tensor(k / 8, n, qweight.into_iter().map(|word| word as i32).collect())?;
        let qzeros = tensor(groups, words, qzeros.into_iter().map(|word| word as i32).collect())?;
        let scales = tensor(groups, n, random.floats(groups * n))?.to_dtype(DType::F16)?;
        Ok(Checkpoint { n, group, numbers, zeros, qweight, qzeros, scales })
    }

    fn read(&self, g_idx: Option<&Tensor>, zeros: GptqZeros) -> Result<Weights> {
        Weights::from_gptq(&self.qweight, &self.qzeros, &self.scales, g_idx, zeros)
    }

    /// `(q - (zero + added)) · scale`, N × K. A product of 5 and 11 bits: exact in `f32` too.
    fn expected(&self, added: f64) -> Result<Vec<f64>> {
        let scales = self.scales.to_dtype(DType::F64)?.to_vec2::<f64>()?;
        let mut weights = Vec::new();
        for column in 0..self.n {
            for (row, numbers) in self.numbers.chunks(self.n).enumerate() {
                let group = row / self.group;
                let zero = f64::from(self.zeros[group * self.n + column]) + added;
                weights.push((f64::from(numbers[column]) - zero) * scales[group][column]);
            }
        }
        Ok(weights)
    }
}

fn dequantized(weights: &Weights) -> Vec<f64> {
    weights.dequantize().into_iter().map(f64::from).collect()
}

#[test]
fn weights_are_those_of_the_definition() -> Result<()> {
    for (extents, group) in [([8, 8], 8), ([64, 24], 32), ([48, 13], 24), ([256, 40], 128)] {
        let checkpoint = Checkpoint::new(extents, group, |random| random.below(16) as u8)?;
        let [k, n] = extents;
        for (zeros, added) in [(GptqZeros::V1, 1.0), (GptqZeros::V2, 0.0)] {
            let weights = checkpoint.read(None, zeros)?;
            assert_eq!([weights.n(), weights.k(), weights.group()], [n, k, group]);
            assert!(matches!(weights.values(), Values::U4(_)), "{weights:?}");
            assert_eq!(dequantized(&weights), checkpoint.expected(added)?, "{extents:?}");
        }
    }
    Ok(())
}

#[test]
fn zeros_of_8_are_signed_values_without_offsets() -> Result<()> {
    for (zeros, stored) in [(GptqZeros::V1, 7), (GptqZeros::V2, 8)] {
        let checkpoint = Checkpoint::new([64, 9], 32, |_| stored)?;
        let weights = checkpoint.read(None, zeros)?;
        assert!(matches!(weights.values(), Values::I4(_)), "{weights:?}");
        assert_eq!(*weights.offsets(), Offsets::None);
        assert_eq!(dequantized(&weights), checkpoint.expected(8.0 - f64::from(stored))?);
    }
    Ok(())
}

#[test]
fn rows_in_the_order_of_activations_are_refused() -> Result<()> {
    let checkpoint = Checkpoint::new([64, 8], 32, |random| random.below(16) as u8)?;
    let mut groups: Vec<i64> = (0..64).map(|row| row / 32).collect();
    for dtype in [DType::I32, DType::U32, DType::I64] {
        let g_idx = Tensor::new(groups.clone(), &Device::Cpu)?.to_dtype(dtype)?;
        let weights = checkpoint.read(Some(&g_idx), GptqZeros::V1)?;
        assert_eq!(weights, checkpoint.read(None, GptqZeros::V1)?);
    }
    groups.swap(3, 40);
    let g_idx = Tensor::new(groups, &Device::Cpu)?;
    let error = refused(checkpoint.read(Some(&g_idx), GptqZeros::V1));
    assert_eq!(error, QuantizedError::ActOrder { row: 3, group: 32, expected: 0, got: 1 });
    let message = error.to_string();
    assert!(message.starts_with("g_idx: expected group 0 of row 3 along K"), "{message}");
    assert!(message.contains("order of activations"), "{message}");
    Ok(())
}

#[test]
fn a_layer_is_a_product_with_the_weights_of_the_definition() -> Result<()> {
    for (extents @ [k, n], group) in [([64, 24], 32), ([128, 13], 64), ([256, 40], 128)] {
        // Zeros of 1 to 16, and of 8 alone.
        let asymmetric: fn(&mut Random) -> u8 = |random| random.below(16) as u8;
        for stored in [asymmetric, |_| 7] {
            let checkpoint = Checkpoint::new(extents, group, stored)?;
            let w = tensor(n, k, checkpoint.expected(1.0)?)?;
            check_against(&w, &checkpoint.read(None, GptqZeros::V1)?, None)?;
        }
    }
    Ok(())
}

#[test]
fn integers_of_other_bits_and_a_transposed_weight_are_named() -> Result<()> {
    let (k, n, groups) = (96, 32, 3);
    let zeros = |rows, columns, dtype| Tensor::zeros((rows, columns), dtype, &Device::Cpu);
    let scales = zeros(groups, n, DType::F16)?;
    let read = |qweight: &Tensor, qzeros: &Tensor| {
        Weights::from_gptq(qweight, qzeros, &scales, None, GptqZeros::V1)
    };
    for bits in [2, 3, 8] {
        let qweight = zeros(k * bits / 32, n, DType::U32)?;
        let words = n * bits / 32;
        let message = refused(read(&qweight, &zeros(groups, words, DType::U32)?)).to_string();
        let expected = format!(
            "qzeros: expected 4 columns (4 bits for each of N = 32), got {words}, those of {bits} bits: only 4 bits are \
             read\nhelp: quantise with `bits = 4`"
        );
        assert_eq!(message, expected);
    }
    let (qweight, qzeros) = (zeros(k / 8, n, DType::U32)?, zeros(groups, n / 8, DType::U32)?);
    assert_eq!(
        refused(read(&qweight.t()?, &qzeros)).to_string(),
        "qweight: expected the dimensions [K / 8, 32] (N = 32 by scales), got [32, 12], which are transposed\n\
         help: pass `&qweight.t()?`"
    );
    assert_eq!(read(&qweight.t()?.t()?, &qzeros)?, read(&qweight, &qzeros)?);
    Ok(())
}

#[test]
fn tensors_that_do_not_fit_are_refused() -> Result<()> {
    let of = Checkpoint::new([64, 16], 32, |_| 3)?;
    let message = |qweight: &Tensor, qzeros: &Tensor, scales: &Tensor, g_idx| {
        refused(Weights::from_gptq(qweight, qzeros, scales, g_idx, GptqZeros::V2)).to_string()
    };
    assert_eq!(
        message(&of.qweight, &of.qzeros, &of.scales.narrow(1, 0, 15)?, None),
        "scales: expected the dimensions [2, 16] (by those of qweight), got [2, 15]"
    );
    let wide = Tensor::cat(&[&of.qzeros, &of.qzeros, &of.qzeros], 1)?;
    assert_eq!(
        message(&of.qweight, &wide, &of.scales, None),
        "qzeros: expected the dimensions [2, 2] (by those of qweight and scales), got [2, 6]"
    );
    assert_eq!(
        message(&of.qweight, &of.qzeros, &Tensor::zeros((3, 16), DType::F16, &Device::Cpu)?, None),
        "scales: K = 64 is not a multiple of 3, the rows, one for each group of K"
    );
    assert_eq!(
        message(&of.scales, &of.qzeros, &of.scales, None),
        "qweight: expected I32 or U32, got F16"
    );
    assert_eq!(
        message(&of.qweight, &of.qzeros, &of.scales.to_dtype(DType::F64)?, None),
        "scales: expected F16, BF16 or F32, got F64"
    );
    assert_eq!(
        message(&of.qweight, &of.qzeros.flatten_all()?, &of.scales, None),
        "qzeros: expected 2 dimensions, got [4]"
    );
    let g_idx = Tensor::zeros(32, DType::I64, &Device::Cpu)?;
    assert_eq!(
        message(&of.qweight, &of.qzeros, &of.scales, Some(&g_idx)),
        "g_idx: expected the dimensions [64] (by those of qweight), got [32]"
    );
    let g_idx = Tensor::zeros(64, DType::F32, &Device::Cpu)?;
    assert_eq!(
        message(&of.qweight, &of.qzeros, &of.scales, Some(&g_idx)),
        "g_idx: expected I32, U32 or I64, got F32"
    );
    Ok(())
}
