//! [`BatchedLayout`]: how the matrices of a batch lie.

use std::iter;
use std::ops::Range;

use crate::element::Element;
use crate::error::{BatchError, Dimension, Error};
use crate::memory::batch::{Batch, Steps};
use crate::memory::layout::{MOST_BYTES, MatrixLayout};
use crate::memory::meet::{Multiples, sum_within};
use crate::memory::view::check_range;

/// Matrices of equal extents, at equal distances along each batch index, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let span = || {
            batch.checked_total()?;
            let mut distances = batch.steps().iter().map(|of| of.count.checked_mul(of.stride));
            distances.try_fold(matrix.elements(), |all, distance| all.checked_add(distance?))
        };
        let bytes = span().and_then(|elements| elements.checked_mul(MOST_BYTES));
        match bytes.filter(|bytes| *bytes <= isize::MAX as usize) {
            Some(_) => Ok(BatchedLayout { matrix, batch }),
            None => {
                let stride = batch.strides().into_iter().max().unwrap_or(0);
                Err(BatchError::SizeOverflow { batch: batch.total(), stride }.into())
            }
        }
    }

    /// Matrices of these rows and columns without gaps, within them or between.
    pub(crate) fn dense(counts: &[usize], [rows, columns]: [usize; 2]) -> Result<Self, Error> {
        let matrix = MatrixLayout::new(rows, columns, columns)?;
        // A matrix that exists has at most `isize::MAX` bytes.
        BatchedLayout::new(Batch::dense(counts, rows * columns), matrix)
    }

    /// Matrices, rows and columns that are these strides apart: those of each batch index, and then of
    /// rows and columns.
    pub(crate) fn strided<const EXTENTS: usize>(
        extents: [usize; EXTENTS],
        strides: [isize; EXTENTS],
    ) -> Result<Self, Error> {
        const { assert!(EXTENTS > 2, "a batch has at least one index, rows and columns") };
        let [row, column] = [EXTENTS - 2, EXTENTS - 1];
        let matrix =
            MatrixLayout::strided(extents[row], extents[column], [strides[row], strides[column]])?;
        let mut dense = matrix.rows * matrix.leading_dimension;
        let mut along = |(count, stride): (&usize, &isize)| {
            let along = steps(*count, *stride, dense)?;
            dense = along.count.saturating_mul(along.stride);
            Ok(along)
        };
        let inner_first = extents[..row].iter().zip(&strides[..row]).rev();
        let steps: Vec<Steps> = inner_first.map(&mut along).collect::<Result<_, Error>>()?;
        BatchedLayout::new(steps.into_iter().rev().collect(), matrix)
    }

    /// The same matrices as a batch over indices of these values.
    pub(super) fn over(&self, counts: &[usize]) -> Result<Self, Error> {
        let batch = self.batch.total();
        let one = self.batch.merged_to(1);
        let over = one.map(|one| Batch::dense(counts, one.steps()[0].stride));
        match over.filter(|over| over.checked_total() == Some(batch)) {
            Some(over) => BatchedLayout::new(over, self.matrix),
            None => Err(BatchError::Counts { batch, counts: counts.to_vec() }.into()),
        }
    }

    /// The same matrices at these distances, the last along the innermost index.
    pub(super) fn with_strides(
        &self,
        leading_dimension: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let MatrixLayout { rows, columns, .. } = self.matrix;
        let matrix = MatrixLayout::new(rows, columns, leading_dimension)?;
        let [outer @ .., inner] = self.batch.steps() else {
            return Ok(BatchedLayout { matrix, ..self.clone() });
        };
        let inner = Steps { stride, ..*inner };
        BatchedLayout::new(outer.iter().copied().chain([inner]).collect(), matrix)
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
        let steps = self.batch.steps();
        let too_small = BatchError::BufferTooSmall {
            counts: steps.iter().map(|along| along.count).collect(),
            rows,
            columns,
            leading_dimension,
            strides: steps.iter().map(|along| along.stride).collect(),
            needed,
            got,
        };
        Err(too_small.into())
    }

    /// Fails if two matrices have an element in common. They may lie in each other's gaps, as the
    /// heads of a transformer do.
    pub(crate) fn apart(&self) -> Result<(), Error> {
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        let indices = 0..if self.elements() > 0 { self.batch.steps().len() } else { 0 };
        let Some(values) = indices.rev().find_map(|first| self.meet(first)) else { return Ok(()) };
        // The numbers of both matrices, and the elements from the first one to theirs.
        let [mut numbers, mut places] = [[0; 2]; 2];
        for (along, value) in self.batch.steps().iter().zip(values) {
            for (of, value) in
                [-value, value].map(|value| value.max(0) as usize).into_iter().enumerate()
            {
                numbers[of] = numbers[of] * along.count + value;
                places[of] += value * along.stride;
            }
        }
        let [first, second] = numbers;
        let (stride, dense) = (places[1].abs_diff(places[0]), self.dense_strides());
        let overlap =
            BatchError::Overlap { first, second, rows, columns, leading_dimension, stride, dense };
        Err(overlap.into())
    }

    /// The strides of each index where matrices follow each other, the innermost last.
    fn dense_strides(&self) -> Vec<usize> {
        let mut stride = self.matrix.elements();
        let inwards = self.batch.steps().iter().rev();
        let mut strides: Vec<usize> = inwards
            .map(|along| {
                let of_this = stride;
                stride = stride.saturating_mul(along.count);
                of_this
            })
            .collect();
        strides.reverse();
        strides
    }

    /// Along each index, the values between two matrices with a common element that differ along this
    /// one, but along none outside it.
    fn meet(&self, first: usize) -> Option<Vec<i128>> {
        let MatrixLayout { rows, columns, leading_dimension } = self.matrix;
        let row = Steps { count: rows, stride: leading_dimension };
        let mut terms: Vec<Multiples> =
            self.batch.steps()[first..].iter().chain([&row]).map(|of| between(*of)).collect();
        terms[0].least = 1;
        let values = sum_within(&terms, &(1 - columns as i128..columns as i128))?;
        Some(iter::repeat_n(0, first).chain(values).collect())
    }
}

/// From any value of an index to any other.
fn between(steps: Steps) -> Multiples {
    let forth = Multiples::forth(steps);
    Multiples { least: -forth.most, ..forth }
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
