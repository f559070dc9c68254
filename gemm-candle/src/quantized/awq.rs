//! AWQ: 4 bits packed along N.

use candle_core::{Result, Tensor};

use super::Weights;
use super::read::{floats, group, nibble, words};

/// Where in a word each of 8 neighbours along N is: from the low bits on, a word has those of 0, 2, 4, 6, 1, 3, 5, 7.
const PLACES: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

impl Weights {
    /// The weights of an AWQ checkpoint of 4 bits, of its `gemm` version: a weight is `(q - zero) · scale`.
    ///
    /// | tensor | dtype | dimensions | a word has |
    /// | --- | --- | --- | --- |
    /// | `qweight` | I32 or U32 | K × N / 8 | 8 neighbours along N |
    /// | `qzeros` | I32 or U32 | K / group × N / 8 | the same |
    /// | `scales` | F16, BF16 or F32 | K / group × N | |
    ///
    /// The neighbours of a word are in the order 0, 2, 4, 6, 1, 3, 5, 7 from the low bits on. Tensors are read on the host,
    /// wherever they are.
    ///
    /// # Errors
    /// [`Rank`], [`Dimensions`] and [`Dtype`] for other tensors; [`Rows`] if the groups do not divide K.
    ///
    /// [`Rank`]: super::QuantizedError::Rank
    /// [`Dimensions`]: super::QuantizedError::Dimensions
    /// [`Dtype`]: super::QuantizedError::Dtype
    /// [`Rows`]: super::QuantizedError::Rows
    pub fn from_awq(qweight: &Tensor, qzeros: &Tensor, scales: &Tensor) -> Result<Weights> {
        let (qweight, qzeros) = (words("qweight", qweight)?, words("qzeros", qzeros)?);
        let scales = floats("scales", scales)?;
        let [n, k] = [8 * qweight.columns, qweight.rows];
        let group = group(k, scales.rows)?;
        scales.check("scales", [scales.rows, n], "qweight")?;
        qzeros.check("qzeros", [scales.rows, n / 8], "qweight and scales")?;
        // The numbers of a column, from the first row to the last.
        let column = |n: usize, packed: &super::read::Host<u32>| -> Vec<u8> {
            (0..packed.rows).map(|row| nibble(packed.at(row, n / 8), PLACES[n % 8])).collect()
        };
        let numbers = (0..n).flat_map(|n| column(n, &qweight)).collect();
        let zeros = (0..n).flat_map(|n| column(n, &qzeros)).collect();
        Ok(Weights::with_zeros([n, k], group, numbers, scales.transposed(), zeros)?)
    }
}
