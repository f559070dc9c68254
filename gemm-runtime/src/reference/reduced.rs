//! What the values of a body are reduced to, on the host.

use gemm_codegen::Axis;
use gemm_codegen::body::Reduction;

use crate::body::Reduced;
use crate::error::{Error, Operand};
use crate::memory::BatchCounts;

/// What the rows, or else the columns, of each of `matrices` matrices are reduced to, one after the other. Floats
/// are summed in f64, and rounded once. `over` is the index over which the output `name` is reduced.
///
/// # Errors
/// [`Error::NothingToReduce`] if that has no elements, as a launch refuses it.
pub fn reduced<T: Reducible>(
    elements: &[Reduced<T>],
    by: Reduction,
    of_rows: bool,
    (matrices, [rows, columns]): (usize, [usize; 2]),
    (name, over, index): (&str, Axis, &str),
) -> Result<Vec<T>, Error> {
    let (lines, others) = if of_rows { (rows, columns) } else { (columns, rows) };
    let (line, other) = if of_rows { (columns, 1) } else { (1, columns) };
    if lines > 0 && others == 0 {
        return Err(Error::NothingToReduce {
            output: Operand::new(name),
            over,
            index: index.into(),
        });
    }
    let reduced = |at: usize| {
        let first = at / lines * rows * columns + at % lines * line;
        let values = (0..others).map(|i| elements[first + i * other].0);
        T::reduced(by, values)
    };
    Ok((0..matrices * lines).map(reduced).collect())
}

/// How many matrices a batch has.
pub fn matrices(batch: impl BatchCounts) -> usize {
    batch.counts().iter().product()
}

/// A value that can be reduced.
pub trait Reducible: Copy {
    /// What these are reduced to.
    fn reduced(by: Reduction, values: impl Iterator<Item = Self>) -> Self;
}

impl Reducible for f32 {
    fn reduced(by: Reduction, values: impl Iterator<Item = f32>) -> f32 {
        by.of_floats(values.map(f64::from)) as f32
    }
}

impl Reducible for f64 {
    fn reduced(by: Reduction, values: impl Iterator<Item = f64>) -> f64 {
        by.of_floats(values)
    }
}

impl Reducible for i32 {
    fn reduced(by: Reduction, values: impl Iterator<Item = i32>) -> i32 {
        by.of_integers(values)
    }
}
