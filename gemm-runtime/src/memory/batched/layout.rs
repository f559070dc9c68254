//! [`BatchedLayout`]: how the matrices of a batch lie.

use std::ops::Range;

use crate::element::Element;
use crate::error::{BatchError, Dimension, Error};
use crate::memory::batch::{Batch, Steps};
use crate::memory::layout::{MOST_BYTES, MatrixLayout};
use crate::memory::view::check_range;

/// Matrices of equal extents, at equal distances along each batch index, in elements.
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
    pub(crate) fn new(batch: Batch, matrix: MatrixLayout) -> Result<Self, Error> {
        let Batch { outer, inner } = batch;
        let span = || {
            outer.count.checked_mul(inner.count)?;
            let before = outer.count.saturating_sub(1).checked_mul(outer.stride)?;
            let inner = inner.count.checked_mul(inner.stride)?;
            before.checked_add(inner)?.checked_add(matrix.elements())
        };
        let bytes = span().and_then(|elements| elements.checked_mul(MOST_BYTES));
        match bytes.filter(|bytes| *bytes <= isize::MAX as usize) {
            Some(_) => Ok(BatchedLayout { matrix, batch }),
            None => {
                let count = outer.count.saturating_mul(inner.count);
                let stride = outer.stride.max(inner.stride);
                Err(BatchError::SizeOverflow { batch: count, stride }.into())
            }
        }
    }

    /// Matrices without gaps, within them or between.
    pub(crate) fn dense([outer, inner, rows, columns]: [usize; 4]) -> Result<Self, Error> {
        let matrix = MatrixLayout::new(rows, columns, columns)?;
        // A matrix that exists has at most `isize::MAX` bytes.
        BatchedLayout::new(Batch::following([outer, inner], rows * columns), matrix)
    }

    /// Matrices, rows and columns that are these strides apart.
    pub(crate) fn strided(
        [outer, inner, rows, columns]: [usize; 4],
        [outer_stride, inner_stride, row, column]: [isize; 4],
    ) -> Result<Self, Error> {
        let matrix = MatrixLayout::strided(rows, columns, [row, column])?;
        let dense = matrix.rows * matrix.leading_dimension;
        let inner = steps(inner, inner_stride, dense)?;
        let outer = steps(outer, outer_stride, inner.count.saturating_mul(inner.stride))?;
        BatchedLayout::new(Batch { outer, inner }, matrix)
    }

    /// The same matrices as a batch of two indices, whose outer one has this number of values.
    pub(super) fn nested(&self, outer: usize) -> Result<Self, Error> {
        let batch = self.batch.total();
        let undivided = || Error::from(BatchError::Undivided { batch, outer });
        let inner = batch.checked_div(outer).ok_or_else(undivided)?;
        let Steps { stride, .. } = self.batch.merged().ok_or_else(undivided)?;
        if inner * outer != batch {
            return Err(undivided());
        }
        BatchedLayout::new(Batch::following([outer, inner], stride), self.matrix)
    }

    /// The same matrices at these distances.
    pub(super) fn with_strides(
        &self,
        leading_dimension: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let MatrixLayout { rows, columns, .. } = self.matrix;
        let matrix = MatrixLayout::new(rows, columns, leading_dimension)?;
        let inner = Steps { stride, ..self.batch.inner };
        BatchedLayout::new(Batch { inner, ..self.batch }, matrix)
    }

    /// The bytes from the start of a matrix to the end of the storage.
    pub(super) fn range<T: Element>(
        &self,
        number: usize,
        bytes: usize,
    ) -> Result<Range<usize>, Error> {
        // Its end could not be counted for the last number there is.
        let end = number.saturating_add(1);
        check_range(Dimension::Matrices, &(number..end), self.batch.total())?;
        let start = self.batch.offset(number) * size_of::<T>();
        // An empty matrix may start past the end of the buffer.
        Ok(start.min(bytes)..bytes)
    }

    /// Elements from the first to the end of the last matrix.
    pub(crate) fn elements(&self) -> usize {
        match (self.batch.total(), self.matrix.elements()) {
            (0, _) | (_, 0) => 0,
            (_, elements) => self.batch.last() + elements,
        }
    }

    /// Fails if a buffer of `got` elements ends before the batch does.
    pub(crate) fn fits(&self, got: usize) -> Result<(), Error> {
        let needed = self.elements();
        if got >= needed {
            return Ok(());
        }
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        let (batch, Steps { stride, .. }) = (self.batch.total(), self.batch.inner);
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
        let Some(Steps { count, stride }) = self.batch.merged() else { return self.nested_apart() };
        let dense = self.matrix.elements();
        let side_by_side = count.saturating_sub(1) * stride + columns <= leading_dimension;
        if dense == 0 || stride >= dense || (side_by_side && stride >= columns) {
            return Ok(());
        }
        // Matrices this far apart, and farther, have no common range.
        let far = dense.checked_div(stride).map_or(count, |near| count.min(near + 1));
        let overlap = (1..far).find(|distance| self.meet(distance * stride));
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

    /// Whether a matrix and one that begins this number of elements later have an element in common.
    fn meet(&self, distance: usize) -> bool {
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        // A row of the one begins `past` elements after the start of a row of the other.
        let past = distance % leading_dimension;
        let rows_between = distance / leading_dimension;
        (rows_between < rows && past < columns)
            || (rows_between + 1 < rows && leading_dimension - past < columns)
    }

    /// [`apart`](Self::apart), of two indices that no single stride steps through.
    fn nested_apart(&self) -> Result<(), Error> {
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        let Batch { outer, inner } = self.batch;
        if self.matrix.elements() == 0 {
            return Ok(());
        }
        // All distances between two matrices: from the first of each value to those of a later one, and
        // of the first value.
        let of_inner = |of: usize| (0..inner.count).map(move |other| (of, other));
        let pairs = (0..outer.count).flat_map(|steps| {
            let forth = of_inner(0).map(move |(first, second)| (steps, first, second));
            let back = of_inner(0).map(move |(first, second)| (steps, second, first));
            forth.chain(back)
        });
        let distance = |(steps, first, second): &(usize, usize, usize)| {
            (steps * outer.stride + second * inner.stride).abs_diff(first * inner.stride)
        };
        let meet = |pair: &(usize, usize, usize)| {
            (pair.0 > 0 || pair.1 != pair.2) && self.meet(distance(pair))
        };
        match pairs.into_iter().find(meet) {
            None => Ok(()),
            Some(pair @ (steps, first, second)) => Err(BatchError::Overlap {
                first,
                second: steps * inner.count + second,
                rows,
                columns,
                leading_dimension,
                stride: distance(&pair),
                dense: self.matrix.elements(),
            }
            .into()),
        }
    }
}

/// The values of an index, whose stride is not looked at if there is at most one: it is `dense` then.
fn steps(count: usize, stride: isize, dense: usize) -> Result<Steps, Error> {
    match (count, usize::try_from(stride)) {
        (0 | 1, _) => Ok(Steps { count, stride: dense }),
        (_, Ok(stride)) => Ok(Steps { count, stride }),
        (_, Err(_)) => Err(BatchError::Stride { batch: count, stride }.into()),
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
        BatchedLayout::new(Batch::one(count, stride), MatrixLayout::new(rows, columns, ld).unwrap())
            .unwrap()
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
    fn matrices_of_two_indices_are_apart_where_no_element_is_counted_twice() {
        let (mut rng, mut overlaps) = (fastrand::Rng::with_seed(5), 0);
        for _ in 0..20_000 {
            let [rows, columns] = [(); 2].map(|()| rng.usize(1..4));
            let matrix = MatrixLayout::new(rows, columns, columns + rng.usize(0..12)).unwrap();
            let [outer, inner] =
                [(); 2].map(|()| Steps { count: rng.usize(1..4), stride: rng.usize(0..40) });
            let layout = BatchedLayout::new(Batch { outer, inner }, matrix).unwrap();
            let mut seen = HashSet::new();
            let starts = (0..layout.batch.total()).map(|number| layout.batch.offset(number));
            let rows = starts
                .flat_map(|start| (0..rows).map(move |r| start + r * matrix.leading_dimension));
            let mut elements = rows.flat_map(|row| (0..columns).map(move |c| row + c));
            let twice = elements.any(|element| !seen.insert(element));
            assert_eq!(layout.apart().is_err(), twice, "{layout:?}");
            overlaps += u32::from(twice);
        }
        assert!((2_000..18_000).contains(&overlaps), "{overlaps}");
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
            let error = BatchedLayout::new(Batch::one(count, stride), matrix).unwrap_err();
            assert!(matches!(error, Error::Batch(BatchError::SizeOverflow { .. })), "{error}");
        }
        let most = isize::MAX as usize;
        assert!(matches!(BatchedLayout::dense([1, 2, most, 1]), Err(Error::SizeOverflow { .. })));
        assert!(BatchedLayout::dense([1, usize::MAX, 2, 2]).is_err());
    }

    #[test]
    fn strides_of_other_libraries() {
        let strided = BatchedLayout::strided([1, 3, 2, 4], [0, 8, 4, 1]).unwrap();
        assert_eq!(strided, BatchedLayout::dense([1, 3, 2, 4]).unwrap());
        // The stride of a batch of one is ignored, and so is that of one row.
        assert_eq!(
            BatchedLayout::strided([1, 1, 2, 4], [0, -5, 4, 1]).unwrap().batch.inner.stride,
            8
        );
        let error = BatchedLayout::strided([1, 2, 2, 4], [0, -8, 4, 1]).unwrap_err();
        let expected = BatchError::Stride { batch: 2, stride: -8 };
        assert!(matches!(&error, Error::Batch(found) if *found == expected), "{error}");
        assert!(matches!(
            BatchedLayout::strided([1, 2, 2, 4], [0, 8, 1, 2]),
            Err(Error::Strides { .. })
        ));
    }
}
