//! [`Rows`]: a tensor as a matrix.

use std::borrow::Cow;

use candle_core::Layout;

use crate::error::Error;

/// Where the rows of a tensor lie in its storage, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// Of the first row; 0 for a tensor without elements, which may start anywhere.
    pub(crate) start: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// From the start of a row to the start of the next; at least `columns`.
    pub(crate) leading_dimension: usize,
}

impl Rows {
    /// The tensor as a matrix: its last dimension along a row, all others as rows.
    ///
    /// # Errors
    /// [`Error::NotRows`].
    pub(crate) fn of(layout: &Layout) -> Result<Rows, Error> {
        let not_rows = || Error::NotRows {
            operand: None,
            dims: layout.dims().to_vec(),
            strides: layout.stride().to_vec(),
        };
        let columns = layout.dims().last().copied().unwrap_or(1);
        if layout.shape().elem_count() == 0 {
            let rows = layout.dims().iter().rev().skip(1).product();
            return Ok(Rows { start: 0, rows, columns, leading_dimension: columns });
        }
        if columns > 1 && layout.stride().last() != Some(&1) {
            return Err(not_rows());
        }
        let (rows, leading_dimension) = spacing(layout).ok_or_else(not_rows)?;
        // A single row has no distance to the next.
        let leading_dimension = leading_dimension.unwrap_or(columns);
        if leading_dimension < columns {
            return Err(not_rows());
        }
        Ok(Rows { start: layout.start_offset(), rows, columns, leading_dimension })
    }

    /// The tensor as a matrix of one row.
    ///
    /// # Errors
    /// [`Error::NotVector`], and those of [`Rows::of`].
    pub(crate) fn vector(layout: &Layout) -> Result<Rows, Error> {
        let rows = Rows::of(layout)?;
        if rows.rows != 1 {
            return Err(Error::NotVector { operand: None, dims: layout.dims().to_vec() });
        }
        Ok(rows)
    }

    /// The elements of a tensor of any dimensions as one row.
    ///
    /// # Errors
    /// [`Error::NotContiguous`].
    pub(crate) fn flat(layout: &Layout) -> Result<Rows, Error> {
        let columns = layout.shape().elem_count();
        let rows =
            Rows { start: layout.start_offset(), rows: 1, columns, leading_dimension: columns };
        match columns {
            0 => Ok(Rows { start: 0, ..rows }),
            _ if layout.is_contiguous() => Ok(rows),
            _ => Err(Error::NotContiguous {
                operand: None,
                dims: layout.dims().to_vec(),
                strides: layout.stride().to_vec(),
            }),
        }
    }

    /// The elements row by row without gaps; borrowed, where they are stored so.
    pub(crate) fn dense<'a, T: Clone>(&self, stored: &'a [T]) -> Cow<'a, [T]> {
        let stored = &stored[self.start..];
        if self.rows <= 1 || self.leading_dimension == self.columns {
            return Cow::Borrowed(&stored[..self.rows * self.columns]);
        }
        Cow::Owned(self.ranges().flat_map(|range| stored[range].iter().cloned()).collect())
    }

    /// Copies elements without gaps into the rows.
    pub(crate) fn write<T: Copy>(&self, elements: &[T], stored: &mut [T]) {
        let stored = &mut stored[self.start..];
        for (range, row) in self.ranges().zip(elements.chunks_exact(self.columns.max(1))) {
            stored[range].copy_from_slice(row);
        }
    }

    /// Where each row lies, from the start of the first.
    fn ranges(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..self.rows).map(move |row| {
            let start = row * self.leading_dimension;
            start..start + self.columns
        })
    }
}

/// How many rows a tensor with elements has, and the distance between them if there are several;
/// `None` where the distance varies.
fn spacing(layout: &Layout) -> Option<(usize, Option<usize>)> {
    let dims = layout.dims().iter().zip(layout.stride()).rev().skip(1);
    dims.filter(|(extent, _)| **extent > 1).try_fold((1, None), |(rows, distance), dim| {
        let (extent, stride) = dim;
        match distance {
            None => Some((*extent, Some(*stride))),
            Some(distance) if *stride == rows * distance => Some((rows * extent, Some(distance))),
            Some(_) => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use candle_core::Shape;

    use super::*;

    fn rows(dims: &[usize], strides: &[usize], start: usize) -> Result<[usize; 4], String> {
        let layout = Layout::new(Shape::from(dims), strides.to_vec(), start);
        let rows = Rows::of(&layout).map_err(|error| error.to_string())?;
        Ok([rows.start, rows.rows, rows.columns, rows.leading_dimension])
    }

    #[test]
    fn leading_dimensions_become_rows_where_these_are_evenly_spaced() {
        for (dims, strides, start, expected) in [
            (&[3, 4][..], &[4, 1][..], 0, [0, 3, 4, 4]),
            (&[3, 4], &[9, 1], 5, [5, 3, 4, 9]),
            (&[2, 3, 4], &[12, 4, 1], 0, [0, 6, 4, 4]),
            (&[2, 3, 4], &[27, 9, 1], 1, [1, 6, 4, 9]),
            // The stride of an extent of 1 says nothing.
            (&[2, 1, 4], &[8, 77, 1], 0, [0, 2, 4, 8]),
            (&[1, 4], &[0, 1], 3, [3, 1, 4, 4]),
            (&[3, 1], &[2, 5], 0, [0, 3, 1, 2]),
            (&[4], &[1], 2, [2, 1, 4, 4]),
            (&[], &[], 2, [2, 1, 1, 1]),
            (&[2, 0, 4], &[0, 9, 3], 8, [0, 0, 4, 4]),
        ] {
            assert_eq!(rows(dims, strides, start), Ok(expected), "{dims:?} {strides:?}");
        }
    }

    #[test]
    fn what_is_not_stored_row_by_row_is_refused_with_what_to_do() {
        for (dims, strides, help) in [
            (&[3, 4][..], &[1, 3][..], "its last two dimensions are transposed"),
            (&[2, 3, 4], &[12, 1, 3], "its last two dimensions are transposed"),
            // Broadcast rows, every other column, overlapping rows, rows unevenly spaced.
            (&[3, 4], &[0, 1], "call `contiguous()`"),
            (&[3, 4], &[8, 2], "call `contiguous()`"),
            (&[3, 4], &[3, 1], "call `contiguous()`"),
            (&[2, 3, 4], &[13, 4, 1], "call `contiguous()`"),
            (&[2, 3, 4], &[4, 8, 1], "call `contiguous()`"),
        ] {
            let error = rows(dims, strides, 0).expect_err("it is not row by row");
            assert!(error.contains(help), "{dims:?} {strides:?}: {error}");
        }
    }

    #[test]
    fn rows_apart_are_gathered_and_written_back() {
        let stored = [9, 0, 1, 9, 2, 3, 9];
        let window = Rows { start: 1, rows: 2, columns: 2, leading_dimension: 3 };
        let dense = window.dense(&stored);
        assert_eq!(*dense, [0, 1, 2, 3]);
        let doubled: Vec<i32> = dense.iter().map(|element| 2 * element).collect();
        let mut written = stored;
        window.write(&doubled, &mut written);
        assert_eq!(written, [9, 0, 2, 9, 4, 6, 9]);
    }
}
