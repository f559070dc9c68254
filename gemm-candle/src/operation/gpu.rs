//! An operation on a GPU, by a launch of its function on candle's stream.

use candle_core::backend::BackendStorage;
use candle_core::{CudaStorage, Layout, Result, Shape};
use gemm_runtime::erased::{Function, Instance};
use gemm_runtime::{Argument, AsMatrix, AsMatrixMut, AsScalar, AsVector, AsVectorMut, Device};
use gemm_runtime::{ParameterKind, ScalarRef};

use super::choose;
use super::given::Given;
use crate::cuda;
use crate::element::with_stored;
use crate::error::Error;
use crate::extents::{Output, outputs};
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
    let (_, shapes) = outputs(signature, &Given::layouts(signature.parameters, given))?;
    let gpu = given.iter().find_map(|given| match given {
        Given::Tensor(storage, _) => Some(&storage.device),
        _ => None,
    });
    // A product has factors, which are tensors.
    let Some(gpu) = gpu else { return Ok(Vec::new()) };
    let first = signature.operands().len();
    let mut stored = Vec::new();
    for (number, output) in shapes.iter().enumerate() {
        stored.push(with_stored!(kernel.element(signature, first + number), T => {
            cuda::uninitialized::<T>(gpu, output.extents)
        })?);
    }
    let operands = signature.parameters.iter().zip(given).enumerate();
    let operands = operands.map(|(number, (parameter, given))| match given {
        Given::F32(value) => Ok(Argument::from(*value)),
        Given::F64(value) => Ok(Argument::from(*value)),
        Given::I32(value) => Ok(Argument::from(*value)),
        Given::Tensor(storage, layout) => with_stored!(kernel.element(signature, number), T => {
            read::<T>(parameter.kind, storage, layout)
        }),
    });
    let operands = operands.collect::<Result<Vec<_>>>()?;
    let launch = Launch { function, kernel, device: &cuda::device(gpu)?, outputs: &shapes };
    launch.run(&mut stored, operands, Vec::new())?;
    Ok(stored.into_iter().zip(shapes).map(|(storage, output)| (storage, output.shape)).collect())
}

fn read<'a, T: crate::TensorElement>(
    kind: ParameterKind,
    storage: &'a CudaStorage,
    layout: &Layout,
) -> Result<Argument<'a>> {
    Ok(match kind {
        ParameterKind::Vector { .. } => AsVector::argument(cuda::vector::<T>(storage, layout)?),
        ParameterKind::DeviceScalar(_) => {
            let element = cuda::elements::<T>(storage, Rows::of(layout)?)?;
            AsScalar::argument(ScalarRef::new(element).map_err(Error::from)?)
        }
        _ => AsMatrix::argument(cuda::matrix::<T>(storage, layout)?),
    })
}

/// A launch into storages, of which each is lent once.
struct Launch<'l> {
    function: &'static Function,
    kernel: &'static Instance,
    device: &'l Device,
    outputs: &'l [Output],
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
        let extents = self.outputs[number].extents;
        let is_vector =
            matches!(signature.parameters[parameter].kind, ParameterKind::Vector { .. });
        with_stored!(self.kernel.element(signature, parameter), T => match is_vector {
            true => cuda::lend_vector::<T>(storage, extents[1], |vector| {
                let mut lent: Vec<Argument<'_>> = lent;
                lent.push(AsVectorMut::argument(vector));
                self.run(others, operands, lent)
            }),
            false => cuda::lend_matrix::<T>(storage, extents, |matrix| {
                let mut lent: Vec<Argument<'_>> = lent;
                lent.push(AsMatrixMut::argument(matrix));
                self.run(others, operands, lent)
            }),
        })
    }
}
