//! M, N, K and the number of matrices from the extents of the arguments.

use gemm_codegen::{Axis, Kernel, MAX_EXTENT, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::error::{BatchError, Dimension, Error, KernelFault, Origin};
use crate::shape::Shape;

/// M, N, K and the number of matrices as far as the arguments looked at so far say, and which of
/// them said so.
#[derive(Default)]
pub(super) struct Extents {
    axes: [Option<(usize, Origin)>; 3],
    batch: Option<(usize, Origin)>,
}

impl Extents {
    /// Compares an argument's extents with those of before, and keeps what is new.
    pub(super) fn bind(
        &mut self,
        parameter: &Parameter,
        argument: &Argument<'_>,
        origin: Origin,
    ) -> Result<(), Error> {
        match (&parameter.kind, &argument.0) {
            (
                ParameterKind::Matrix { rows, columns, .. },
                Value::Matrix { layout, batch, .. } | Value::MutableMatrix { layout, batch, .. },
            ) => {
                if let Some(batch) = batch {
                    self.bind_batch(parameter, batch.count, origin.clone())?;
                }
                self.bind_one(parameter, Dimension::Rows, *rows, layout.rows, origin.clone())?;
                self.bind_one(parameter, Dimension::Columns, *columns, layout.columns, origin)
            }
            (ParameterKind::Vector { length: axis, .. }, Value::Vector { length, .. }) => {
                self.bind_one(parameter, Dimension::Elements, *axis, *length, origin)
            }
            // A batch of vectors: the rows of a matrix.
            (ParameterKind::Vector { length: axis, .. }, Value::Matrix { layout, .. }) => {
                self.bind_batch(parameter, layout.rows, origin.clone())?;
                self.bind_one(parameter, Dimension::Columns, *axis, layout.columns, origin)
            }
            _ => Ok(()),
        }
    }

    fn bind_batch(
        &mut self,
        parameter: &Parameter,
        got: usize,
        origin: Origin,
    ) -> Result<(), Error> {
        match &self.batch {
            None => {
                self.batch = Some((got, origin));
                Ok(())
            }
            Some((expected, _)) if *expected == got => Ok(()),
            Some((expected, given_by)) => {
                let (expected, given_by) = (*expected, given_by.clone());
                let operand = parameter.name.to_string();
                Err(BatchError::Count { operand, expected, got, given_by }.into())
            }
        }
    }

    fn bind_one(
        &mut self,
        parameter: &Parameter,
        dimension: Dimension,
        axis: Axis,
        got: usize,
        origin: Origin,
    ) -> Result<(), Error> {
        match &self.axes[axis as usize] {
            None => {
                self.axes[axis as usize] = Some((got, origin));
                Ok(())
            }
            Some((expected, _)) if *expected == got => Ok(()),
            Some((expected, given_by)) => Err(Error::ShapeMismatch {
                operand: parameter.name.to_string(),
                dimension,
                axis,
                expected: *expected,
                got,
                given_by: given_by.clone(),
            }),
        }
    }

    /// The shape, once every argument has been looked at.
    pub(super) fn shape(&self, kernel: &Kernel) -> Result<Shape, Error> {
        let extent = |axis: Axis| match &self.axes[axis as usize] {
            None => Err(broken(kernel, KernelFault::Unbound(axis))),
            Some((extent, _)) if *extent > MAX_EXTENT as usize => {
                Err(Error::DimensionTooLarge { axis, extent: *extent })
            }
            Some((extent, _)) => Ok(*extent),
        };
        Ok(Shape { m: extent(Axis::M)?, n: extent(Axis::N)?, k: extent(Axis::K)? })
    }

    /// How many matrices an output has, once every argument has been looked at: 1 if none is a batch.
    pub(super) fn batch(&self, kernel: &Kernel) -> Result<usize, Error> {
        let (_, outputs) = split(kernel)?;
        match (outputs.iter().any(|output| output.batched), &self.batch) {
            (false, _) => Ok(1),
            (true, Some((count, _))) => Ok(*count),
            (true, None) => Err(broken(kernel, KernelFault::UnboundBatch)),
        }
    }
}

pub(super) fn broken(kernel: &Kernel, what: KernelFault) -> Error {
    Error::Kernel { kernel: kernel.name.to_string(), what }
}

/// The parameters of the operands and those of the outputs.
pub(super) fn split(kernel: &Kernel) -> Result<(&[Parameter], &[Parameter]), Error> {
    let is_matrix = |output: &Parameter| matches!(output.kind, ParameterKind::Matrix { .. });
    let operands = kernel.parameters.len().checked_sub(kernel.outputs);
    let parts = operands.map(|operands| kernel.parameters.split_at(operands));
    parts
        .filter(|(_, outputs)| !outputs.is_empty() && outputs.iter().all(is_matrix))
        .ok_or_else(|| broken(kernel, KernelFault::NoOutput))
}
