//! GGUF, by candle's tensors of it.

use candle_core::Result;
use candle_core::quantized::{GgmlDType, QTensor};
use gemm_runtime::f16;

use super::{Offsets, QuantizedError, Values, Weights};

impl Weights {
    /// The weights of a tensor of GGUF, such as [`Content::tensor`] reads: `Q8_0`, `Q4_0`, `Q4_1`, `Q4_K` or `Q6_K`, N × K.
    ///
    /// [`dequantize`](Weights::dequantize) has the bits of that of candle. The bytes are read on the host, wherever the
    /// tensor is.
    ///
    /// [`Content::tensor`]: candle_core::quantized::gguf_file::Content::tensor
    ///
    /// # Errors
    /// [`QuantizedError::Format`] for another format, [`QuantizedError::Rank`] if there are not two dimensions,
    /// [`QuantizedError::Bytes`] if the storage is not that of the dimensions; candle's own if it cannot be read.
    pub fn from_qtensor(tensor: &QTensor) -> Result<Weights> {
        let format = tensor.dtype();
        let [n, k] = *tensor.shape().dims() else {
            let (operand, got) = ("weights", tensor.shape().dims().to_vec());
            return Err(QuantizedError::Rank { operand, expected: 2, got }.into());
        };
        let data = tensor.data()?;
        let read = match format {
            GgmlDType::Q8_0 => blocks(&data, q8_0),
            GgmlDType::Q4_0 => blocks(&data, q4_0),
            GgmlDType::Q4_1 => blocks(&data, q4_1),
            GgmlDType::Q4K => blocks(&data, q4_k),
            GgmlDType::Q6K => blocks(&data, q6_k),
            got => return Err(QuantizedError::Format { got }.into()),
        };
        let expected = n * k / format.block_size() * format.type_size();
        if data.len() != expected {
            return Err(QuantizedError::Bytes { format, expected, got: data.len() }.into());
        }
        let Blocks { numbers, scales, added } = read;
        let (values, offsets) = match format {
            GgmlDType::Q4_0 => (Values::i4(k, &numbers), Offsets::None),
            GgmlDType::Q4_1 | GgmlDType::Q4K => {
                let unsigned: Vec<u8> = numbers.into_iter().map(i8::cast_unsigned).collect();
                (Values::u4(k, &unsigned), Offsets::Added(added))
            }
            _ => (Values::I8(numbers), Offsets::None),
        };
        let group = if format == GgmlDType::Q6K { 16 } else { 32 };
        Ok(Weights::new([n, k], group, values, scales, offsets)?)
    }
}

/// What blocks have, one after another.
#[derive(Default)]
struct Blocks {
    numbers: Vec<i8>,
    scales: Vec<f32>,
    /// Of a format with a number that is added.
    added: Vec<f32>,
}

/// Reads blocks of this many bytes.
fn blocks<const BYTES: usize>(data: &[u8], read: fn(&[u8; BYTES], &mut Blocks)) -> Blocks {
    let mut blocks = Blocks::default();
    data.as_chunks().0.iter().for_each(|block| read(block, &mut blocks));
    blocks
}

fn half(low: u8, high: u8) -> f32 {
    f16::from_le_bytes([low, high]).to_f32()
}

/// The low halves of bytes, then the high ones.
fn halves(bytes: &[u8]) -> impl Iterator<Item = i8> {
    let low = bytes.iter().map(|byte| (byte & 0xf) as i8);
    low.chain(bytes.iter().map(|byte| (byte >> 4) as i8))
}

/// A scale, and 32 numbers.
fn q8_0([d0, d1, numbers @ ..]: &[u8; 34], to: &mut Blocks) {
    to.scales.push(half(*d0, *d1));
    to.numbers.extend(numbers.iter().map(|number| number.cast_signed()));
}

/// A scale, and 32 numbers plus 8: the first 16 in low halves.
fn q4_0([d0, d1, numbers @ ..]: &[u8; 18], to: &mut Blocks) {
    to.scales.push(half(*d0, *d1));
    to.numbers.extend(halves(numbers).map(|number| number - 8));
}

/// A scale, what is added, and 32 numbers.
fn q4_1([d0, d1, m0, m1, numbers @ ..]: &[u8; 20], to: &mut Blocks) {
    to.scales.push(half(*d0, *d1));
    to.added.push(half(*m0, *m1));
    to.numbers.extend(halves(numbers));
}

/// Two factors; 8 scales and 8 minima of 6 bits, which these multiply; 256 numbers in groups of 32, of two groups the first
/// in low halves.
fn q4_k([d0, d1, m0, m1, rest @ ..]: &[u8; 144], to: &mut Blocks) {
    let (scales, numbers) = rest.split_at(12);
    let (factor, of_minima) = (half(*d0, *d1), half(*m0, *m1));
    for group in 0..8 {
        // Those of the last four groups have their upper two bits in the bytes of the first four.
        let (scale, minimum) = match group {
            0..4 => (scales[group] & 63, scales[group + 4] & 63),
            _ => {
                let low = scales[group + 4];
                (low & 0xf | scales[group - 4] >> 6 << 4, low >> 4 | scales[group] >> 6 << 4)
            }
        };
        to.scales.push(factor * f32::from(scale));
        to.added.push(-(of_minima * f32::from(minimum)));
    }
    to.numbers.extend(numbers.chunks(32).flat_map(halves));
}

/// 256 numbers plus 32: the low 4 bits of each, then the high 2; scales of groups of 16, and a factor of these.
fn q6_k(block: &[u8; 210], to: &mut Blocks) {
    let (low, rest) = block.split_at(128);
    let (high, rest) = rest.split_at(64);
    let (scales, factor) = rest.split_at(16);
    let factor = half(factor[0], factor[1]);
    to.scales.extend(scales.iter().map(|scale| factor * f32::from(scale.cast_signed())));
    for (low, high) in low.chunks(64).zip(high.chunks(32)) {
        // 128 numbers: four times 32, whose high bits are in the same 32 bytes.
        to.numbers.extend(halves(low).enumerate().map(|(at, number)| {
            let high = high[at % 32] >> (2 * (at / 32)) & 3;
            (number | (high << 4) as i8) - 32
        }));
    }
}
