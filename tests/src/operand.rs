//! Operands with a guard around them.
//!
//! A matrix lies inside a larger one: a row of guard above and below, columns of guard left and
//! right, so that its leading dimension is longer than its row. The guard of an input is NaN: a
//! kernel that computes with it gives NaN. The guard of an output is poison, and has to be that
//! afterwards.

use gemm_runtime::{Device, DeviceVector, Error, Matrix, MatrixMut, MatrixRef, VectorRef};

use crate::Failure;
use crate::data::{Placement, random};
use crate::judge::TestElement;

/// A matrix inside a guard, with its elements on the host.
#[derive(Debug)]
pub struct GuardedMatrix<T: TestElement> {
    /// The elements without the guard, row by row; empty for an output.
    host: Vec<T>,
    /// The elements with the guard.
    device: Matrix<T>,
    rows: usize,
    columns: usize,
    /// Columns of guard on the left.
    left: usize,
}

impl<T: TestElement> GuardedMatrix<T> {
    /// Random elements in -1..1, seeded.
    ///
    /// # Errors
    /// What the device says to an allocation or a copy.
    pub fn input(
        device: &Device,
        [rows, columns]: [usize; 2],
        placement: Placement,
        seed: u64,
    ) -> Result<GuardedMatrix<T>, Error> {
        let host = random::<T>(rows * columns, seed);
        let (left, pitch) = (placement.left, placement.pitch(columns));
        let mut guarded = vec![T::from_f32(f32::NAN); (rows + 2) * pitch];
        for row in 0..rows {
            let at = (row + 1) * pitch + left;
            guarded[at..at + columns].copy_from_slice(&host[row * columns..][..columns]);
        }
        let device = device.matrix(rows + 2, pitch, &guarded)?;
        Ok(GuardedMatrix { host, device, rows, columns, left })
    }

    /// Poison everywhere.
    ///
    /// # Errors
    /// What the device says to an allocation or a copy.
    pub fn output(
        device: &Device,
        [rows, columns]: [usize; 2],
        placement: Placement,
    ) -> Result<GuardedMatrix<T>, Error> {
        let pitch = placement.pitch(columns);
        let device = device.matrix(rows + 2, pitch, &vec![T::POISON; (rows + 2) * pitch])?;
        Ok(GuardedMatrix { host: Vec::new(), device, rows, columns, left: placement.left })
    }

    /// What `reference` takes.
    pub fn host(&self) -> &[T] {
        &self.host
    }

    /// What a launch reads.
    ///
    /// # Errors
    /// None, unless [`Matrix::submatrix`] is wrong.
    pub fn device(&self) -> Result<MatrixRef<'_, T>, Error> {
        self.device.submatrix(1..self.rows + 1, self.left..self.left + self.columns)
    }

    /// What a launch writes.
    ///
    /// # Errors
    /// None, unless [`Matrix::submatrix_mut`] is wrong.
    pub fn device_mut(&mut self) -> Result<MatrixMut<'_, T>, Error> {
        let (rows, columns) = (1..self.rows + 1, self.left..self.left + self.columns);
        self.device.submatrix_mut(rows, columns)
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
        let guarded = self.device.to_vec()?;
        let mut elements = Vec::with_capacity(self.rows * self.columns);
        for (row, line) in guarded.chunks(self.device.columns()).enumerate() {
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
}

/// A vector between guards, with its elements on the host.
#[derive(Debug)]
pub struct GuardedVector<T: TestElement> {
    host: Vec<T>,
    device: DeviceVector<T>,
    /// Elements of guard before the first.
    left: usize,
}

impl<T: TestElement> GuardedVector<T> {
    /// Random elements in -1..1, seeded.
    ///
    /// # Errors
    /// What the device says to an allocation or a copy.
    pub fn input(
        device: &Device,
        length: usize,
        placement: Placement,
        seed: u64,
    ) -> Result<GuardedVector<T>, Error> {
        let host = random::<T>(length, seed);
        let mut guarded = vec![T::from_f32(f32::NAN); placement.pitch(length)];
        guarded[placement.left..][..length].copy_from_slice(&host);
        let device = device.vector(&guarded)?;
        Ok(GuardedVector { host, device, left: placement.left })
    }

    /// What `reference` takes.
    pub fn host(&self) -> &[T] {
        &self.host
    }

    /// What a launch reads.
    ///
    /// # Errors
    /// None, unless [`DeviceVector::slice`] is wrong.
    pub fn device(&self) -> Result<VectorRef<'_, T>, Error> {
        self.device.slice(self.left..self.left + self.host.len())
    }
}

/// A scalar operand, with the methods of the others.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<T>(pub T);

impl<T: Copy> Scalar<T> {
    /// What `reference` takes.
    pub fn host(&self) -> T {
        self.0
    }

    /// What a launch takes.
    ///
    /// # Errors
    /// None; it has the signature of the others.
    pub fn device(&self) -> Result<T, Error> {
        Ok(self.0)
    }
}
