//! [`BatchedLayout`]: how the matrices of a batch lie.

use std::ops::Range;

use crate::element::Element;
use crate::error::{BatchError, Dimension, Error};
use crate::memory::layout::{Batch, MOST_BYTES, MatrixLayout};
use crate::memory::view::check_range;

/// Matrices of equal extents at equal distances, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BatchedLayout {
    pub(super) matrix: MatrixLayout,
    pub(super) batch: Batch,
}

impl From<BatchedLayout> for (MatrixLayout, Batch) {
    fn from(layout: BatchedLayout) -> (MatrixLayout, Batch) {
        (layout.matrix, layout.batch)
    }
}

impl BatchedLayout {
    /// A layout whose last element can be addressed.
    pub(crate) fn new(count: usize, matrix: MatrixLayout, stride: usize) -> Result<Self, Error> {
        let bytes = |elements: usize| elements.checked_mul(MOST_BYTES);
        let span = count.checked_mul(stride).and_then(|all| all.checked_add(matrix.elements()));
        match span.and_then(bytes).filter(|bytes| *bytes <= isize::MAX as usize) {
            Some(_) => Ok(BatchedLayout { matrix, batch: Batch { count, stride } }),
            None => Err(BatchError::SizeOverflow { batch: count, stride }.into()),
        }
    }

    /// Matrices without gaps, within them or between.
    pub(crate) fn dense([count, rows, columns]: [usize; 3]) -> Result<Self, Error> {
        // A matrix that exists has at most `isize::MAX` bytes.
        BatchedLayout::new(count, MatrixLayout::new(rows, columns, columns)?, rows * columns)
    }

    /// Matrices, rows and columns that are these strides apart.
    pub(crate) fn strided(
        [count, rows, columns]: [usize; 3],
        [stride, row, column]: [isize; 3],
    ) -> Result<Self, Error> {
        let matrix = MatrixLayout::strided(rows, columns, [row, column])?;
        let stride = match (count, usize::try_from(stride)) {
            (0 | 1, _) => matrix.rows * matrix.leading_dimension,
            (_, Ok(stride)) => stride,
            (_, Err(_)) => return Err(BatchError::Stride { batch: count, stride }.into()),
        };
        BatchedLayout::new(count, matrix, stride)
    }

    /// The same matrices at these distances.
    pub(super) fn with_strides(
        &self,
        leading_dimension: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let MatrixLayout { rows, columns, .. } = self.matrix;
        let matrix = MatrixLayout::new(rows, columns, leading_dimension)?;
        BatchedLayout::new(self.batch.count, matrix, stride)
    }

    /// The bytes from the start of a matrix to the end of the storage.
    pub(super) fn range<T: Element>(
        &self,
        number: usize,
        bytes: usize,
    ) -> Result<Range<usize>, Error> {
        // Its end could not be counted for the last number there is.
        let end = number.saturating_add(1);
        check_range(Dimension::Matrices, &(number..end), self.batch.count)?;
        let start = number * self.batch.stride * size_of::<T>();
        // An empty matrix may start past the end of the buffer.
        Ok(start.min(bytes)..bytes)
    }

    /// Elements from the first to the end of the last matrix.
    pub(crate) fn elements(&self) -> usize {
        match (self.batch.count, self.matrix.elements()) {
            (0, _) | (_, 0) => 0,
            (count, elements) => (count - 1) * self.batch.stride + elements,
        }
    }

    /// Fails if a buffer of `got` elements ends before the batch does.
    pub(crate) fn fits(&self, got: usize) -> Result<(), Error> {
        let needed = self.elements();
        if got >= needed {
            return Ok(());
        }
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        let Batch { count: batch, stride } = self.batch;
        let too_small = BatchError::BufferTooSmall {
            batch,
            rows,
            columns,
            leading_dimension,
            stride,
            needed,
            got,
        };
        Err(too_small.into())
    }

    /// Fails if two matrices have an element in common. They may lie in each other's gaps, as the
    /// heads of a transformer do.
    pub(crate) fn apart(&self) -> Result<(), Error> {
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        let Batch { count, stride } = self.batch;
        let dense = self.matrix.elements();
        let side_by_side = count.saturating_sub(1) * stride + columns <= leading_dimension;
        if dense == 0 || stride >= dense || (side_by_side && stride >= columns) {
            return Ok(());
        }
        // Matrices this far apart, and farther, have no common range.
        let far = dense.checked_div(stride).map_or(count, |near| count.min(near + 1));
        // A row of the one begins `past` elements after the start of a row of the other.
        let overlap = (1..far).find(|distance| {
            let past = distance * stride % leading_dimension;
            let rows_between = distance * stride / leading_dimension;
            (rows_between < rows && past < columns)
                || (rows_between + 1 < rows && leading_dimension - past < columns)
        });
        match overlap {
            None => Ok(()),
            Some(second) => Err(BatchError::Overlap {
                first: 0,
                second,
                rows,
                columns,
                leading_dimension,
                stride,
                dense,
            }
            .into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn layout(
        count: usize,
        rows: usize,
        columns: usize,
        ld: usize,
        stride: usize,
    ) -> BatchedLayout {
        BatchedLayout::new(count, MatrixLayout::new(rows, columns, ld).unwrap(), stride).unwrap()
    }

    #[test]
    fn matrices_are_apart_where_no_element_is_counted_twice() {
        let mut overlaps = 0;
        for (count, rows, columns) in
            (0..5).flat_map(|b| (0..4).flat_map(move |r| (0..4).map(move |c| (b, r, c))))
        {
            for (ld, stride) in (columns..8).flat_map(|ld| (0..30).map(move |stride| (ld, stride)))
            {
                let elements = (0..count).flat_map(|b| {
                    let row = move |r| (0..columns).map(move |c| b * stride + r * ld + c);
                    (0..rows).flat_map(row)
                });
                let mut seen = HashSet::new();
                let twice = elements.into_iter().any(|element| !seen.insert(element));
                let layout = layout(count, rows, columns, ld, stride);
                assert_eq!(layout.apart().is_err(), twice, "{layout:?}");
                overlaps += u32::from(twice);
            }
        }
        assert!(overlaps > 300, "{overlaps}");
    }

    #[test]
    fn a_batch_ends_with_its_last_matrix() {
        assert_eq!(layout(3, 2, 3, 4, 10).elements(), 27);
        assert_eq!(layout(1, 2, 3, 4, 10).elements(), 7);
        assert_eq!(layout(0, 2, 3, 4, 10).elements(), 0);
        assert_eq!(layout(3, 2, 3, 4, 0).elements(), 7);
        assert_eq!(layout(3, 0, 3, 4, 10).elements(), 0);
        let error = layout(3, 2, 3, 4, 10).fits(26).unwrap_err().to_string();
        assert_eq!(
            error,
            "3 2×3 matrices with leading dimension 4, 10 elements apart, need 27 elements, the \
             buffer has 26"
        );
        assert!(layout(3, 2, 3, 4, 10).fits(27).is_ok());
    }

    #[test]
    fn layouts_that_overflow_are_refused() {
        let matrix = MatrixLayout::new(2, 3, 4).unwrap();
        for (count, stride) in [(usize::MAX, 2), (2, usize::MAX), (1 << 40, 1 << 40)] {
            let error = BatchedLayout::new(count, matrix, stride).unwrap_err();
            assert!(matches!(error, Error::Batch(BatchError::SizeOverflow { .. })), "{error}");
        }
        let most = isize::MAX as usize;
        assert!(matches!(BatchedLayout::dense([2, most, 1]), Err(Error::SizeOverflow { .. })));
        assert!(BatchedLayout::dense([usize::MAX, 2, 2]).is_err());
    }

    #[test]
    fn strides_of_other_libraries() {
        let strided = BatchedLayout::strided([3, 2, 4], [8, 4, 1]).unwrap();
        assert_eq!(strided, BatchedLayout::dense([3, 2, 4]).unwrap());
        // The stride of a batch of one is ignored, and so is that of one row.
        assert_eq!(BatchedLayout::strided([1, 2, 4], [-5, 4, 1]).unwrap().batch.stride, 8);
        let error = BatchedLayout::strided([2, 2, 4], [-8, 4, 1]).unwrap_err();
        let expected = BatchError::Stride { batch: 2, stride: -8 };
        assert!(matches!(&error, Error::Batch(found) if *found == expected), "{error}");
        assert!(matches!(BatchedLayout::strided([2, 2, 4], [8, 1, 2]), Err(Error::Strides { .. })));
    }
}
