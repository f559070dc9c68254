//! Tensors of packed integers, and of scales, on the host.

use candle_core::{DType, Device, Result, Tensor};

use super::QuantizedError;

/// A matrix on the host, row by row.
pub(super) struct Host<T> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) elements: Vec<T>,
}

impl<T: Copy> Host<T> {
    /// The elements column by column.
    pub(super) fn transposed(&self) -> Vec<T> {
        let columns = 0..self.columns;
        columns.flat_map(|column| (0..self.rows).map(move |row| self.at(row, column))).collect()
    }

    pub(super) fn at(&self, row: usize, column: usize) -> T {
        self.elements[row * self.columns + column]
    }

    /// # Errors
    /// [`QuantizedError::Dimensions`] if they are not `expected`.
    pub(super) fn check(
        &self,
        operand: &'static str,
        expected: [usize; 2],
        given_by: &'static str,
    ) -> std::result::Result<(), QuantizedError> {
        let got = vec![self.rows, self.columns];
        match got == expected {
            true => Ok(()),
            false => {
                let expected = expected.to_vec();
                Err(QuantizedError::Dimensions { operand, expected, got, given_by })
            }
        }
    }
}

/// A matrix of words of 32 bits, each with 8 numbers.
pub(super) fn words(operand: &'static str, tensor: &Tensor) -> Result<Host<u32>> {
    let (rows, columns) = matrix(operand, tensor)?;
    let tensor = tensor.to_device(&Device::Cpu)?.flatten_all()?;
    let elements = match tensor.dtype() {
        DType::U32 => tensor.to_vec1()?,
        DType::I32 => tensor.to_vec1()?.into_iter().map(i32::cast_unsigned).collect(),
        got => return Err(QuantizedError::Dtype { operand, expected: "I32 or U32", got }.into()),
    };
    Ok(Host { rows, columns, elements })
}

/// A matrix of floats that are exact in `f32`.
pub(super) fn floats(operand: &'static str, tensor: &Tensor) -> Result<Host<f32>> {
    let (rows, columns) = matrix(operand, tensor)?;
    Ok(Host { rows, columns, elements: exact(operand, tensor)? })
}

/// The elements of a tensor of floats that are exact in `f32`.
pub(super) fn exact(operand: &'static str, tensor: &Tensor) -> Result<Vec<f32>> {
    match tensor.dtype() {
        DType::F16 | DType::BF16 | DType::F32 => {
            tensor.to_device(&Device::Cpu)?.flatten_all()?.to_dtype(DType::F32)?.to_vec1()
        }
        got => Err(QuantizedError::Dtype { operand, expected: "F16, BF16 or F32", got }.into()),
    }
}

fn matrix(
    operand: &'static str,
    tensor: &Tensor,
) -> std::result::Result<(usize, usize), QuantizedError> {
    match *tensor.dims() {
        [rows, columns] => Ok((rows, columns)),
        ref got => Err(QuantizedError::Rank { operand, expected: 2, got: got.to_vec() }),
    }
}

/// The number of 4 bits at `place` in a word, from the low bits on.
pub(super) fn nibble(word: u32, place: usize) -> u8 {
    (word >> (4 * place) & 0xf) as u8
}

/// How many neighbours along K a group has, of `groups` of them.
pub(super) fn group(k: usize, groups: usize) -> std::result::Result<usize, QuantizedError> {
    match groups > 0 && k > 0 && k.is_multiple_of(groups) {
        true => Ok(k / groups),
        false => Err(QuantizedError::Rows { k, groups }),
    }
}
