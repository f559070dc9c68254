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
mod tests;
