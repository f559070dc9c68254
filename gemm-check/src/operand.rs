//! Operands with a guard around them.
//!
//! A matrix lies inside a larger one: a row of guard above and below, columns of guard left and
//! right, so that its leading dimension is longer than its row. All guards are poison: a kernel
//! that computes with the guard of an input gives NaN or a wrong integer, and the guard of an
//! output has to be poison afterwards.
//!
//! Errors, where nothing else is said, are those of the device's allocations and copies.

mod vector;

pub use vector::{GuardedScalar, GuardedVector, Scalar};

use std::ops::Deref;

use gemm_runtime::{
    BatchedMatrix, BatchedMut, BatchedRef, Device, Error, MatrixMut, MatrixRef, VectorMut,
};

use crate::Failure;
use crate::data::Placement;
use crate::judge::TestElement;

/// A matrix inside a guard, with its elements on the host; [`GuardedBatch`] has several.
#[derive(Debug)]
pub struct GuardedMatrix<T: TestElement> {
    /// The elements without the guard, row by row; of an output the old ones, if it has any.
    host: Vec<T>,
    /// The elements with the guard.
    device: BatchedMatrix<T>,
    rows: usize,
    columns: usize,
    /// Columns of guard on the left.
    left: usize,
    /// Whether its rows are so far apart that the guard is not written.
    is_far: bool,
}

impl<T: TestElement> GuardedMatrix<T> {
    /// As many matrices, rows and columns of these elements, row by row, to be read, or read and
    /// written.
    pub fn input(
        device: &Device,
        [batch, rows, columns]: [usize; 3],
        placement: Placement,
        host: Vec<T>,
    ) -> Result<GuardedMatrix<T>, Error> {
        if placement.apart > 0 {
            return GuardedMatrix::far(device, [batch, rows, columns], placement, host);
        }
        let (left, pitch) = (placement.left, placement.pitch(columns));
        let mut guarded = vec![T::poison(); batch * (rows + 2) * pitch];
        for (number, row) in (0..batch).flat_map(|number| (0..rows).map(move |row| (number, row))) {
            let at = (number * (rows + 2) + row + 1) * pitch + left;
            let line = &host[(number * rows + row) * columns..][..columns];
            guarded[at..at + columns].copy_from_slice(line);
        }
        let device = device.batched(batch, rows + 2, pitch, &guarded)?;
        Ok(GuardedMatrix { host, device, rows, columns, left, is_far: false })
    }

    /// The same with rows so far apart that nothing but their elements is written.
    fn far(
        device: &Device,
        extents @ [batch, _, columns]: [usize; 3],
        placement: Placement,
        host: Vec<T>,
    ) -> Result<GuardedMatrix<T>, Error> {
        let mut far = GuardedMatrix::unwritten(device, extents, placement)?;
        let (rows, columns) = (1..far.rows + 1, far.left..far.left + columns);
        for (number, elements) in host.chunks(host.len().div_ceil(batch).max(1)).enumerate() {
            let matrix = far.device.matrix_mut(number)?;
            matrix.submatrix(rows.clone(), columns.clone())?.write(elements)?;
        }
        Ok(GuardedMatrix { host, ..far })
    }

    /// Poison everywhere, or in the matrix alone where its rows are far apart.
    pub fn output(
        device: &Device,
        [batch, rows, columns]: [usize; 3],
        placement: Placement,
    ) -> Result<GuardedMatrix<T>, Error> {
        if placement.apart > 0 {
            let poison = vec![T::poison(); batch * rows * columns];
            let far = GuardedMatrix::far(device, [batch, rows, columns], placement, poison)?;
            return Ok(GuardedMatrix { host: Vec::new(), ..far });
        }
        let pitch = placement.pitch(columns);
        let poison = vec![T::poison(); batch * (rows + 2) * pitch];
        let device = device.batched(batch, rows + 2, pitch, &poison)?;
        let (host, left, is_far) = (Vec::new(), placement.left, false);
        Ok(GuardedMatrix { host, device, rows, columns, left, is_far })
    }

    /// Memory as it is allocated.
    pub fn unwritten(
        device: &Device,
        [batch, rows, columns]: [usize; 3],
        placement: Placement,
    ) -> Result<GuardedMatrix<T>, Error> {
        let device = device.batched_uninitialized(batch, rows + 2, placement.pitch(columns))?;
        let (left, is_far) = (placement.left, placement.apart > 0);
        Ok(GuardedMatrix { host: Vec::new(), device, rows, columns, left, is_far })
    }

    /// The same matrices by batch indices of these values.
    pub(crate) fn by_indices(self, values: &[usize]) -> Result<GuardedBatch<T>, Error> {
        Ok(GuardedBatch(GuardedMatrix { device: self.device.into_batches(values)?, ..self }))
    }

    /// What `reference` takes: the elements before a launch.
    pub fn host(&self) -> &[T] {
        &self.host
    }

    /// What a launch reads.
    pub fn device(&self) -> Result<MatrixRef<'_, T>, Error> {
        self.device.matrix(0)?.submatrix(1..self.rows + 1, self.left..self.left + self.columns)
    }

    /// What a launch writes.
    pub fn device_mut(&mut self) -> Result<MatrixMut<'_, T>, Error> {
        let (rows, columns) = (1..self.rows + 1, self.left..self.left + self.columns);
        self.device.matrix_mut(0)?.submatrix(rows, columns)
    }

    /// All matrices, for a launch that writes a batch.
    pub fn batch_mut(&mut self) -> Result<BatchedMut<'_, T>, Error> {
        let (rows, columns) = (1..self.rows + 1, self.left..self.left + self.columns);
        self.device.view_mut().submatrices(rows, columns)
    }

    /// Rows of each matrix without its guard.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of the matrix without its guard.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The elements of an output, after its guard was found untouched.
    ///
    /// # Errors
    /// [`Failure::Guard`] at the first element outside the matrix that was written.
    pub fn read_back(&self) -> Result<Vec<T>, Failure> {
        if self.is_far {
            return Ok(self.read_rows()?);
        }
        let guarded = self.device.to_vec()?;
        let mut elements = Vec::with_capacity(self.device.batch() * self.rows * self.columns);
        for (row, line) in guarded.chunks(self.device.columns()).enumerate() {
            let row = row % self.device.rows();
            let inside = (1..=self.rows).contains(&row);
            let inner = self.left..self.left + if inside { self.columns } else { 0 };
            for (column, &value) in line.iter().enumerate() {
                if inner.contains(&column) {
                    elements.push(value);
                } else if !value.is_poison() {
                    // Relative to the matrix: the guard has rows and columns below 0.
                    let (row, column) = (row as i64 - 1, column as i64 - self.left as i64);
                    return Err(Failure::Guard { row, column });
                }
            }
        }
        Ok(elements)
    }

    /// The elements, of rows that are far apart.
    fn read_rows(&self) -> Result<Vec<T>, Error> {
        let columns = self.left..self.left + self.columns;
        let mut elements = Vec::new();
        for number in 0..self.device.batch() {
            let matrix = self.device.matrix(number)?;
            for row in 1..=self.rows {
                elements.extend(matrix.submatrix(row..row + 1, columns.clone())?.to_vec()?);
            }
        }
        Ok(elements)
    }
}

/// The only row of a matrix inside its guard: a vector that is written.
#[derive(Debug)]
pub struct GuardedRow<T: TestElement>(pub GuardedMatrix<T>);

impl<T: TestElement> GuardedRow<T> {
    /// What a launch writes.
    pub fn device_mut(&mut self) -> Result<VectorMut<'_, T>, Error> {
        self.0.device_mut()?.row(0)
    }
}

impl<T: TestElement> Deref for GuardedRow<T> {
    type Target = GuardedMatrix<T>;

    fn deref(&self) -> &GuardedMatrix<T> {
        &self.0
    }
}

/// A batch of matrices, each inside a guard of its own, with the elements of all on the host.
#[derive(Debug)]
pub struct GuardedBatch<T: TestElement>(pub GuardedMatrix<T>);

impl<T: TestElement> GuardedBatch<T> {
    /// What a launch reads.
    pub fn device(&self) -> Result<BatchedRef<'_, T>, Error> {
        let (rows, columns) = (1..self.rows + 1, self.left..self.left + self.columns);
        self.0.device.view().submatrices(rows, columns)
    }

    /// What a launch writes.
    pub fn device_mut(&mut self) -> Result<BatchedMut<'_, T>, Error> {
        self.0.batch_mut()
    }
}

impl<T: TestElement> Deref for GuardedBatch<T> {
    type Target = GuardedMatrix<T>;

    fn deref(&self) -> &GuardedMatrix<T> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACEMENT: Placement = Placement { left: 2, right: 1, unit: 1, apart: 0 };

    /// Two 2×3 outputs. In the second one the element at this place of its guarded matrix was
    /// written.
    fn written(row: usize, column: usize) -> GuardedMatrix<f32> {
        let device = Device::emulator();
        let mut output = GuardedMatrix::<f32>::output(&device, [2, 2, 3], PLACEMENT).unwrap();
        let mut guarded = output.device.to_vec().unwrap();
        let pitch = output.device.columns();
        guarded[(4 + row) * pitch + column] = 1.0;
        output.device = device.batched(2, 4, pitch, &guarded).unwrap();
        output
    }

    #[test]
    fn a_write_to_any_part_of_the_guard_is_found() {
        let pitch = PLACEMENT.pitch(3);
        for (row, column) in (0..4).flat_map(|row| (0..pitch).map(move |column| (row, column))) {
            let inside = (1..3).contains(&row) && (2..5).contains(&column);
            match written(row, column).read_back() {
                Ok(elements) => {
                    assert!(inside, "row {row}, column {column} is guard");
                    assert_eq!(elements[6 + (row - 1) * 3 + column - 2], 1.0);
                    assert_eq!(elements.iter().filter(|e| e.is_poison()).count(), 11);
                }
                Err(Failure::Guard { row: r, column: c }) => {
                    assert!(!inside, "row {row}, column {column} is not guard");
                    assert_eq!((r, c), (row as i64 - 1, column as i64 - 2));
                }
                Err(failure) => panic!("{failure}"),
            }
        }
    }

    #[test]
    fn an_input_lies_in_poison() {
        let device = Device::emulator();
        let input = GuardedMatrix::input(&device, [1, 2, 3], PLACEMENT, vec![1.0f32; 6]).unwrap();
        assert_eq!(input.device().unwrap().to_vec().unwrap(), input.host());
        let guarded = input.device.to_vec().unwrap();
        assert_eq!(guarded.iter().filter(|e| !e.is_nan()).count(), 6);
    }

    #[test]
    fn each_matrix_of_a_batch_lies_in_poison() {
        let device = Device::emulator();
        let host: Vec<f32> = (0..18u8).map(f32::from).collect();
        let input = GuardedMatrix::input(&device, [3, 2, 3], PLACEMENT, host).unwrap();
        assert_eq!(input.read_back().unwrap(), input.host());
        let guarded = input.device.to_vec().unwrap();
        assert_eq!(guarded.iter().filter(|e| !e.is_nan()).count(), 18);
        let batch = GuardedBatch(input);
        assert_eq!(batch.device().unwrap().to_vec().unwrap(), batch.host());
    }
}
