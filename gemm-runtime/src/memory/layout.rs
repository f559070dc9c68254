//! [`MatrixLayout`]: how a matrix lies in memory.

use crate::error::{Error, Operand};

/// Bytes of the largest element type.
pub(super) const MOST_BYTES: usize = 16;

/// Rows of a matrix that a device allocates begin at multiples of this many bytes: a sector of L2, so
/// that no two rows share one. Tensor copies require multiples of 16.
const ROW_ALIGN: usize = 32;

/// Extents of a matrix stored row by row, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixLayout {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) leading_dimension: usize,
}

impl MatrixLayout {
    /// A layout whose rows fit their leading dimension and whose last element can be addressed.
    pub(crate) fn new(
        rows: usize,
        columns: usize,
        leading_dimension: usize,
    ) -> Result<MatrixLayout, Error> {
        if leading_dimension < columns {
            return Err(Error::LeadingDimension { leading_dimension, columns });
        }
        let layout = MatrixLayout { rows, columns, leading_dimension };
        layout.checked_elements().map(|_| layout)
    }

    /// The layout of a matrix that a device allocates, whose elements have `bytes` bytes: rows at
    /// multiples of [`ROW_ALIGN`] bytes. Rows that are shorter than that have no gaps, which could take
    /// many times their memory.
    pub(crate) fn allocated(
        rows: usize,
        columns: usize,
        bytes: u32,
    ) -> Result<MatrixLayout, Error> {
        let unit = ROW_ALIGN / bytes as usize;
        // Rows that are too long for a pitch are refused as they are.
        let whole = columns.checked_next_multiple_of(unit).unwrap_or(columns);
        MatrixLayout::new(rows, columns, if columns < unit { columns } else { whole })
    }

    /// The layout of rows and columns that are these strides apart, in elements: rows in order, and
    /// no gaps within one. The stride of an extent of 1 is ignored.
    pub(crate) fn strided(
        rows: usize,
        columns: usize,
        strides: [isize; 2],
    ) -> Result<MatrixLayout, Error> {
        let leading_dimension = match strides {
            [_, column] if columns > 1 && column != 1 => None,
            [_, _] if rows <= 1 => Some(columns),
            [row, _] => usize::try_from(row).ok().filter(|row| *row >= columns),
        };
        let leading_dimension =
            leading_dimension.ok_or(Error::Strides { rows, columns, strides })?;
        MatrixLayout::new(rows, columns, leading_dimension)
    }

    /// Elements from the first to the end of the last row; the tail of the last row's leading
    /// dimension is not part of the matrix.
    pub(crate) fn elements(&self) -> usize {
        match self.rows {
            0 => 0,
            _ if self.columns == 0 => 0,
            rows => (rows - 1) * self.leading_dimension + self.columns,
        }
    }

    /// [`Self::elements`], or an error where their bytes cannot be counted.
    fn checked_elements(&self) -> Result<usize, Error> {
        self.rows
            .checked_mul(self.leading_dimension)
            .filter(|elements| *elements <= isize::MAX as usize / MOST_BYTES)
            .ok_or(Error::SizeOverflow { rows: self.rows, pitch: self.leading_dimension })
            .map(|_| self.elements())
    }

    /// Fails if a buffer of `got` elements ends before the matrix does.
    pub(crate) fn fits(&self, got: usize) -> Result<(), Error> {
        let needed = self.elements();
        if got >= needed {
            return Ok(());
        }
        Err(Error::BufferTooSmall {
            rows: self.rows,
            columns: self.columns,
            leading_dimension: self.leading_dimension,
            needed,
            got,
        })
    }
}

/// Fails unless a host slice has the length of the matrix or vector that it is copied to, `expected`,
/// which is the product of the extents.
pub(crate) fn check_host_length(
    operand: &str,
    expected: usize,
    extents: &[usize],
    got: usize,
) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    let (operand, extents) = (Operand::new(operand), extents.to_vec());
    Err(Error::HostLength { operand, expected, extents, got })
}

#[cfg(test)]
mod tests {
    use gemm_codegen::Element;

    use super::*;

    #[test]
    fn rows_of_32_bytes_or_more_are_allocated_at_multiples_of_32_bytes() {
        for (bytes, columns, pitch) in [
            (1, 31, 31),
            (1, 32, 32),
            (1, 33, 64),
            (2, 15, 15),
            (2, 17, 32),
            (2, 4095, 4096),
            (2, 5000, 5008),
            (4, 7, 7),
            (4, 9, 16),
            (8, 3, 3),
            (8, 5, 8),
            (8, 0, 0),
        ] {
            let layout = MatrixLayout::allocated(2, columns, bytes).unwrap();
            assert_eq!(layout.leading_dimension, pitch, "{columns} of {bytes}");
        }
        let error = MatrixLayout::allocated(1, usize::MAX, 2).unwrap_err();
        assert!(matches!(error, Error::SizeOverflow { .. }), "{error}");
    }

    #[test]
    fn no_element_has_more_bytes() {
        let most = Element::ALL.iter().map(|element| element.bytes() as usize).max();
        assert_eq!(most, Some(MOST_BYTES));
        let most = isize::MAX as usize / MOST_BYTES;
        assert_eq!(MatrixLayout::new(1, most, most).unwrap().elements(), most);
        assert!(matches!(
            MatrixLayout::new(1, most + 1, most + 1),
            Err(Error::SizeOverflow { rows: 1, pitch }) if pitch == most + 1
        ));
    }
}
