//! The outputs of a problem: poisoned before a launch, judged or recorded after it.

use std::cell::RefCell;

use gemm_codegen::{Axis, Batching, Parameter};
use gemm_runtime::{Error, Kernel};

use super::{Problem, added_k};
use crate::Failure;
use crate::judge::{Bound, Expected, TestElement, Verdict, judge_carried, tolerance_of};
use crate::numbers::numbers;
use crate::operand::{GuardedBatch, GuardedMatrix};
use crate::record::{Record, RecordedMatrix, Written};

impl Problem<'_> {
    /// The same problem, whose matrices and outputs are kept, and whose outputs are not judged.
    pub fn recorded(self) -> Self {
        Problem { record: Some(RefCell::default()), ..self }
    }

    /// What was recorded.
    pub fn into_record(self) -> Record {
        self.record.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Keeps a matrix that is read, if the problem is recorded.
    pub(super) fn record_matrix<T: TestElement>(&self, axes: [Axis; 2], matrix: &GuardedMatrix<T>) {
        if let Some(record) = &self.record {
            let shape = [matrix.rows(), matrix.columns()];
            let elements = numbers(matrix.host(), shape);
            let [lines, of_k] = [T::ELEMENT.lines(), T::ELEMENT.numbers()].map(|of| of as usize);
            let shape = [shape[0] * lines, shape[1] * of_k];
            record.borrow_mut().matrices.push(RecordedMatrix { axes, shape, elements });
        }
    }

    /// What is judged from now on has the sums of this kernel, exact ones if it states none.
    pub fn sums_of(&mut self, kernel: &Kernel) {
        self.of_sums = tolerance_of(kernel);
        let is_along_r = |one: &Parameter| one.kind.summed_over() == Some(Axis::R);
        self.has_term = kernel.parameters.iter().any(is_along_r);
    }

    /// What the sums may be off by, over their root mean square.
    pub(crate) fn error_of_sums(&self) -> f64 {
        self.of_sums * (self.summed().max(1) as f64).sqrt()
    }

    /// How many products are summed at the most.
    fn summed(&self) -> usize {
        self.shape.k + if self.has_term { added_k(self.shape) } else { 0 }
    }

    /// A matrix to write to, poisoned if not asked otherwise.
    pub fn output<T: TestElement>(
        &mut self,
        rows: Axis,
        columns: Axis,
    ) -> Result<GuardedMatrix<T>, Error> {
        self.written([1, self.extent(rows), self.extent(columns)])
    }

    /// A batch of such matrices.
    pub fn batch_of_outputs<T: TestElement>(
        &mut self,
        rows: Axis,
        columns: Axis,
        along: &Batching,
    ) -> Result<GuardedBatch<T>, Error> {
        let values = self.values_along(along);
        let matrices = values.iter().product();
        let output = self.written::<T>([matrices, self.extent(rows), self.extent(columns)])?;
        output.by_indices(&values)
    }

    /// A vector along an axis for each matrix of a batch, to write to: rows of a matrix, or of a batch over
    /// several indices.
    pub fn reduced<T: TestElement>(
        &mut self,
        axis: Axis,
        along: &Batching,
    ) -> Result<GuardedMatrix<T>, Error> {
        let values = self.values_along(along);
        let (rows, outer) = values.split_last().unwrap_or((&1, &[]));
        let output = self.written::<T>([outer.iter().product(), *rows, self.extent(axis)])?;
        match outer {
            [] => Ok(output),
            _ => Ok(output.by_indices(outer)?.0),
        }
    }

    fn written<T: TestElement>(&mut self, extents: [usize; 3]) -> Result<GuardedMatrix<T>, Error> {
        let placement = self.placement::<T>(self.apart);
        if self.poison {
            GuardedMatrix::output(self.device, extents, placement)
        } else {
            GuardedMatrix::unwritten(self.device, extents, placement)
        }
    }

    /// Compares what was written with what should have been; a problem that is recorded keeps it instead.
    ///
    /// # Errors
    /// Where it is wrong.
    pub fn judge<T: TestElement, R: Expected>(
        &self,
        output: &GuardedMatrix<T>,
        expected: &[R],
    ) -> Result<Verdict, Failure> {
        self.judge_carried(output, expected, &[])
    }

    /// The same where the body makes this of the errors that it computes with, for each element.
    pub(crate) fn judge_carried<T: TestElement, R: Expected>(
        &self,
        output: &GuardedMatrix<T>,
        expected: &[R],
        carried: &[f64],
    ) -> Result<Verdict, Failure> {
        let written = output.read_back()?;
        if let Some(record) = &self.record {
            record.borrow_mut().outputs.push(Written::of(
                &written,
                output.rows(),
                output.columns(),
            ));
            return Ok(Verdict::default());
        }
        let bound = Bound { k: self.summed(), of_sums: self.of_sums, carried };
        judge_carried(&written, expected, output.columns(), &bound)
    }
}
