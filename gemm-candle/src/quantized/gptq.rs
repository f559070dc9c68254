//! GPTQ: 4 bits packed along K.

use candle_core::{DType, Device, Result, Tensor};

use super::read::{Host, floats, group, nibble, words};
use super::{QuantizedError, Weights};

/// How the zeros of a GPTQ checkpoint are stored: its `checkpoint_format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GptqZeros {
    /// `gptq`, of a checkpoint that says nothing too: the 4 bits are the zero less 1. So zeros are 1 to 16.
    V1,
    /// `gptq_v2`: the 4 bits are the zero.
    V2,
}

impl Weights {
    /// The weights of a GPTQ checkpoint of 4 bits: a weight is `(q - zero) · scale`.
    ///
    /// | tensor | dtype | dimensions | a word has |
    /// | --- | --- | --- | --- |
    /// | `qweight` | I32 or U32 | K / 8 × N | 8 neighbours along K, the first in the low bits |
    /// | `qzeros` | I32 or U32 | K / group × N / 8 | 8 neighbours along N, the first in the low bits |
    /// | `scales` | F16, BF16 or F32 | K / group × N | |
    /// | `g_idx` | I32, U32 or I64 | K | |
    ///
    /// `g_idx` has the group of each row of K. Without it rows are in the order of the groups. Tensors are read on the host,
    /// wherever they are.
    ///
    /// # Errors
    /// [`QuantizedError::ActOrder`] if `g_idx` is not `k / group`; [`QuantizedError::Bits`] for tensors of 2, 3 or 8 bits;
    /// [`QuantizedError::Transposed`] for a transposed `qweight`, unless it is square; [`QuantizedError::Rank`],
    /// [`Dimensions`] and [`Dtype`] for other tensors; [`QuantizedError::Rows`] if the groups do not divide K.
    ///
    /// [`Dimensions`]: QuantizedError::Dimensions
    /// [`Dtype`]: QuantizedError::Dtype
    pub fn from_gptq(
        qweight: &Tensor,
        qzeros: &Tensor,
        scales: &Tensor,
        g_idx: Option<&Tensor>,
        zeros: GptqZeros,
    ) -> Result<Weights> {
        let (qweight, qzeros) = (words("qweight", qweight)?, words("qzeros", qzeros)?);
        let scales = floats("scales", scales)?;
        let [n, k] = [qweight.columns, 8 * qweight.rows];
        has_four_bits(&qweight, &qzeros, &scales)?;
        let group = group(k, scales.rows)?;
        scales.check("scales", [scales.rows, n], "qweight")?;
        qzeros.check("qzeros", [scales.rows, n.div_ceil(8)], "qweight and scales")?;
        if let Some(g_idx) = g_idx {
            in_order(g_idx, k, group)?;
        }
        let row = |n| (0..k).map(move |k| (n, k));
        let numbers = (0..n).flat_map(row);
        let numbers = numbers.map(|(n, k)| nibble(qweight.at(k / 8, n), k % 8)).collect();
        let added = u8::from(zeros == GptqZeros::V1);
        let tiles = (0..n).flat_map(|n| (0..scales.rows).map(move |group| (n, group)));
        let zeros = tiles.map(|(n, group)| nibble(qzeros.at(group, n / 8), n % 8) + added);
        let zeros = zeros.collect();
        Ok(Weights::with_zeros([n, k], group, numbers, scales.transposed(), zeros)?)
    }
}

/// Proves that the words are not those of a `qweight` that is transposed, or of integers of other bits, by the tensors
/// beside it.
fn has_four_bits(
    qweight: &Host<u32>,
    qzeros: &Host<u32>,
    scales: &Host<f32>,
) -> std::result::Result<(), QuantizedError> {
    let (n, got) = (scales.columns, qzeros.columns);
    if qweight.columns != n && qweight.rows == n {
        let got = [qweight.rows, qweight.columns];
        return Err(QuantizedError::Transposed { n, got });
    }
    let words = |bits: usize| (n * bits).div_ceil(32);
    let of_others = [2, 3, 8].into_iter().find(|bits| got == words(*bits));
    match of_others {
        Some(bits) if qweight.columns == n && got != words(4) => {
            Err(QuantizedError::Bits { bits, n, expected: words(4), got })
        }
        _ => Ok(()),
    }
}

/// Proves that each row of K is in the group that its place says.
fn in_order(g_idx: &Tensor, k: usize, group: usize) -> Result<()> {
    let operand = "g_idx";
    if g_idx.dims() != [k] {
        let (expected, got, given_by) = (vec![k], g_idx.dims().to_vec(), "qweight");
        return Err(QuantizedError::Dimensions { operand, expected, got, given_by }.into());
    }
    let got = g_idx.dtype();
    if !matches!(got, DType::I32 | DType::U32 | DType::I64) {
        return Err(QuantizedError::Dtype { operand, expected: "I32, U32 or I64", got }.into());
    }
    let groups = g_idx.to_device(&Device::Cpu)?.to_dtype(DType::I64)?.to_vec1::<i64>()?;
    for (row, got) in groups.into_iter().enumerate() {
        let expected = row / group;
        if usize::try_from(got) != Ok(expected) {
            return Err(QuantizedError::ActOrder { row, group, expected, got }.into());
        }
    }
    Ok(())
}
