//! An operation on a GPU, by a launch of its function on candle's stream.

use candle_core::backend::BackendStorage;
use candle_core::{CudaStorage, Layout, Result, Shape};
use gemm_runtime::erased::{Function, Instance};
use gemm_runtime::{Argument, AsBatched, AsMatrix, AsScalar, AsVector, Device};
use gemm_runtime::{Parameter, ParameterKind, ScalarRef};

use super::choose;
use super::given::Given;
use crate::cuda;
use crate::element::with_stored;
use crate::error::Error;
use crate::extents::{Extents, Output, outputs};
use crate::rows::Rows;

/// The outputs of a function.
///
/// # Errors
/// Those of an operation.
pub(super) fn run(
    function: &'static Function,
    given: &[Given<'_, CudaStorage>],
) -> Result<Vec<(CudaStorage, Shape)>> {
    let signature = function.signature;
    let kernel = choose(function, given, CudaStorage::dtype)?;
    let layouts = Given::layouts(signature.parameters, given);
    let Extents { batch, outputs, .. } = outputs(signature, &layouts)?;
    let gpu = given.iter().find_map(|given| match given {
        Given::Tensor(storage, _) => Some(&storage.device),
        _ => None,
    });
    // A product has factors, which are tensors.
    let Some(gpu) = gpu else { return Ok(Vec::new()) };
    let first = signature.operands().len();
    let mut stored = Vec::new();
    for (number, output) in outputs.iter().enumerate() {
        stored.push(with_stored!(kernel.element(signature, first + number), T => {
            cuda::uninitialized::<T>(gpu, [1, output.shape.elem_count()])
        })?);
    }
    let operands = signature.parameters.iter().zip(given).enumerate();
    let operands = operands.map(|(number, (parameter, given))| match given {
        Given::F32(value) => Ok(Argument::from(*value)),
        Given::F64(value) => Ok(Argument::from(*value)),
        Given::I32(value) => Ok(Argument::from(*value)),
        Given::Tensor(storage, layout) => with_stored!(kernel.element(signature, number), T => {
            read::<T>(parameter, storage, layout)
        }),
    });
    let operands = operands.collect::<Result<Vec<_>>>()?;
    let launch =
        Launch { function, kernel, device: &cuda::device(gpu)?, outputs: &outputs, batch: &batch };
    launch.run(&mut stored, operands, Vec::new())?;
    Ok(stored.into_iter().zip(outputs).map(|(storage, output)| (storage, output.shape)).collect())
}

fn read<'a, T: crate::TensorElement>(
    parameter: &Parameter,
    storage: &'a CudaStorage,
    layout: &Layout,
) -> Result<Argument<'a>> {
    // The vectors of one batch index are a matrix.
    if parameter.batch.is_batched() && layout.dims().len() > 2 {
        return Ok(AsBatched::argument(cuda::batch::<T>(storage, layout)?));
    }
    Ok(match parameter.kind {
        ParameterKind::Vector { .. } if parameter.batch.is_batched() => {
            AsMatrix::argument(cuda::matrix::<T>(storage, layout)?)
        }
        ParameterKind::Vector { .. } => AsVector::argument(cuda::vector::<T>(storage, layout)?),
        ParameterKind::DeviceScalar(_) => {
            let element = cuda::elements::<T>(storage, Rows::of(layout)?)?;
            AsScalar::argument(ScalarRef::new(element).map_err(Error::from)?)
        }
        _ => AsMatrix::argument(cuda::matrix::<T>(storage, layout)?),
    })
}

/// A launch into storages. Each of them is lent once.
struct Launch<'l> {
    function: &'static Function,
    kernel: &'static Instance,
    device: &'l Device,
    outputs: &'l [Output],
    /// The values of each batch index.
    batch: &'l [usize],
}

impl Launch<'_> {
    /// Adds the storages to `outputs`, those that were lent, and launches when there are no more.
    fn run<'a>(
        &self,
        storages: &'a mut [CudaStorage],
        operands: Vec<Argument<'a>>,
        lent: Vec<Argument<'a>>,
    ) -> Result<()> {
        let Some((storage, others)) = storages.split_first_mut() else {
            let launched = self.kernel.launch(self.device, operands, lent);
            return Ok(launched.map_err(Error::from)?);
        };
        let (signature, number) = (self.function.signature, lent.len());
        let parameter = signature.operands().len() + number;
        let [rows, columns] = self.outputs[number].extents;
        let declared = &signature.parameters[parameter];
        let is_vector = matches!(declared.kind, ParameterKind::Vector { .. });
        // The vectors of a batch are the rows of a matrix, or of a batch over several indices.
        let (batch, [rows, columns]) = match (is_vector, self.batch) {
            (true, [outer @ .., last]) if declared.batch.is_batched() => (outer, [*last, columns]),
            (false, batch) if declared.batch.is_batched() => (batch, [rows, columns]),
            _ => (&[][..], [rows, columns]),
        };
        let is_vector = is_vector && !declared.batch.is_batched();
        with_stored!(self.kernel.element(signature, parameter), T => {
            cuda::lend::<T>(storage, (batch, is_vector, [rows, columns]), |output| {
                let lent: Vec<Argument<'_>> = lent;
                self.run(others, operands, lent.into_iter().chain([output]).collect())
            })
        })
    }
}
