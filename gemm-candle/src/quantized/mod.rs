//! Weights as quantised models store them, as operands of `#[gemm]` functions, and [`QuantizedLinear`].
//!
//! [`Weights`] has integers of 8 or 4 bits in rows along K, and for each `group` neighbours along K a scale and maybe an
//! offset. It is read from
//!
//! | stored as | by | values | group | offsets |
//! | --- | --- | --- | --- | --- |
//! | GGUF `Q8_0` | [`Weights::from_qtensor`] | [`Values::I8`] | 32 | none |
//! | GGUF `Q4_0` | the same | [`Values::I4`], `q - 8` | 32 | none |
//! | GGUF `Q4_1` | the same | [`Values::U4`] | 32 | [`Offsets::Added`] |
//! | GGUF `Q4_K` | the same | [`Values::U4`] | 32 | [`Offsets::Added`] |
//! | GGUF `Q6_K` | the same | [`Values::I8`], `q - 32` | 16 | none |
//! | GPTQ, 4 bits | [`Weights::from_gptq`] | [`Values::U4`] | K / groups | [`Offsets::Zeros`] |
//! | AWQ, 4 bits | [`Weights::from_awq`] | [`Values::U4`] | K / groups | [`Offsets::Zeros`] |
//!
//! GPTQ and AWQ whose zeros are all 8, as those of symmetric quantisation, are [`Values::I4`] of `q - 8` without offsets.
//!
//! Nothing is rounded on the way: integers are as stored, and scales and offsets, which are floats of at most 16 bits or the
//! products of an `f16` and an integer of 8 bits, are exact in `f32`. So [`Weights::dequantize`] has the bits of
//! [`QTensor::dequantize`](candle_core::quantized::QTensor::dequantize).

mod awq;
mod error;
mod functions;
mod gguf;
mod gptq;
#[cfg(feature = "cuda")]
mod gpu;
mod linear;
mod operands;
mod read;
mod values;

use std::fmt;

pub use error::QuantizedError;
pub use gptq::GptqZeros;
pub use linear::QuantizedLinear;
pub use values::{Offsets, Values};

/// An N × K weight of integers, with a scale for each group of neighbours along K.
///
/// # Example
/// ```
/// use gemm_candle::quantized::{Offsets, Values, Weights};
///
/// // A row of four integers in two groups.
/// let values = Values::I8(vec![1, 2, 3, -4]);
/// let weights = Weights::new([1, 4], 2, values, vec![0.5, 0.25], Offsets::None)?;
/// assert_eq!(weights.dequantize(), [0.5, 1.0, 0.75, -1.0]);
/// # Ok::<(), gemm_candle::quantized::QuantizedError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Weights {
    n: usize,
    k: usize,
    group: usize,
    values: Values,
    scales: Vec<f32>,
    offsets: Offsets,
}

impl Weights {
    /// `n × k` integers in groups of `group` along K: `scales` and `offsets` are matrices of N × K / `group`, row by row.
    ///
    /// # Errors
    /// [`QuantizedError::Groups`] if `k` is not a multiple of `group`; [`QuantizedError::Length`] if `values`, `scales`
    /// or `offsets` has another number of elements.
    pub fn new(
        [n, k]: [usize; 2],
        group: usize,
        values: Values,
        scales: Vec<f32>,
        offsets: Offsets,
    ) -> Result<Weights, QuantizedError> {
        if group == 0 || !k.is_multiple_of(group) {
            return Err(QuantizedError::Groups { k, group });
        }
        check("values", [n, k.div_ceil(values.numbers())], values.len())?;
        check("scales", [n, k / group], scales.len())?;
        if let Some(length) = offsets.len() {
            check("offsets", [n, k / group], length)?;
        }
        Ok(Weights { n, k, group, values, scales, offsets })
    }

    /// `(q - zero) · scale` of numbers from 0 to 15 in rows: without offsets where each zero is 8.
    fn with_zeros(
        [n, k]: [usize; 2],
        group: usize,
        numbers: Vec<u8>,
        scales: Vec<f32>,
        zeros: Vec<u8>,
    ) -> Result<Weights, QuantizedError> {
        if zeros.iter().any(|zero| *zero != 8) {
            let values = Values::u4(k, &numbers);
            return Weights::new([n, k], group, values, scales, Offsets::Zeros(zeros));
        }
        let signed: Vec<i8> = numbers.into_iter().map(|number| number as i8 - 8).collect();
        Weights::new([n, k], group, Values::i4(k, &signed), scales, Offsets::None)
    }

    /// N: the rows, which are output features.
    pub fn n(&self) -> usize {
        self.n
    }

    /// K: the columns, which are input features.
    pub fn k(&self) -> usize {
        self.k
    }

    /// How many neighbours along K have one scale.
    pub fn group(&self) -> usize {
        self.group
    }

    /// The integers: a matrix of N × K, of pairs N × ⌈K / 2⌉.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The scales, N × K / [`group`](Self::group) row by row: a `Tiled<f32, N, K, 1, group>`.
    pub fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// The offsets, with the places of the scales.
    pub fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// The weights, N × K row by row. The product and the sum of an element are each rounded to `f32`; both are exact
    /// where the format says so.
    pub fn dequantize(&self) -> Vec<f32> {
        let row = self.k.div_ceil(self.values.numbers());
        let elements = (0..self.n).flat_map(|n| (0..self.k).map(move |k| (n, k)));
        let weights = elements.map(|(n, k)| {
            let group = n * (self.k / self.group) + k / self.group;
            let (q, scale) = (self.values.number(n * row, k), self.scales[group]);
            match &self.offsets {
                Offsets::None => f32::from(q) * scale,
                Offsets::Zeros(zeros) => f32::from(q - i16::from(zeros[group])) * scale,
                Offsets::Added(added) => f32::from(q) * scale + added[group],
            }
        });
        weights.collect()
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut weights = f.debug_struct("Weights");
        weights.field("n", &self.n).field("k", &self.k).field("group", &self.group);
        weights.field("values", &self.values).field("offsets", &self.offsets);
        weights.finish_non_exhaustive()
    }
}

/// Each element `times` times.
fn repeated<T: Copy>(elements: &[T], times: usize) -> Vec<T> {
    elements.iter().flat_map(|of| std::iter::repeat_n(*of, times)).collect()
}

fn check(operand: &'static str, extents: [usize; 2], got: usize) -> Result<(), QuantizedError> {
    match extents[0].checked_mul(extents[1]) == Some(got) {
        true => Ok(()),
        false => Err(QuantizedError::Length { operand, extents, got }),
    }
}
