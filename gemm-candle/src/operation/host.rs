//! An operation on the CPU, by the `reference` of its function.

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Layout, Result, Shape};
use gemm_runtime::ParameterKind;
use gemm_runtime::erased::{Function, HostArgument};

use super::choose;
use super::given::Given;
use crate::cpu;
use crate::element::with_stored;
use crate::error::Error;
use crate::extents::outputs;
use crate::rows::Rows;

/// The outputs of a function.
///
/// # Errors
/// Those of an operation.
pub(super) fn run(
    function: &'static Function,
    given: &[Given<'_, CpuStorage>],
) -> Result<Vec<(CpuStorage, Shape)>> {
    let signature = function.signature;
    let kernel = choose(function, given, CpuStorage::dtype)?;
    let (extents, shapes) = outputs(signature, &Given::layouts(signature.parameters, given))?;
    let operands = signature.parameters.iter().zip(given).enumerate();
    let operands = operands.map(|(number, (parameter, given))| match given {
        Given::F32(value) => Ok(Box::new(vec![*value]) as Box<dyn Operand>),
        Given::F64(value) => Ok(Box::new(vec![*value]) as Box<dyn Operand>),
        Given::I32(value) => Ok(Box::new(vec![*value]) as Box<dyn Operand>),
        Given::Tensor(storage, layout) => with_stored!(kernel.element(signature, number), T => {
            read::<T>(parameter.kind, storage, layout)
        }),
    });
    let operands = operands.collect::<Result<Vec<_>>>()?;
    let arguments: Vec<_> = operands.iter().map(|operand| operand.argument()).collect();
    let values = kernel.reference(&[], extents, &arguments).map_err(Error::from)?;
    let first = signature.operands().len();
    let stored = values.into_iter().zip(shapes).enumerate().map(|(number, (values, output))| {
        with_stored!(kernel.element(signature, first + number), T => {
            Ok((cpu::output::<T, f64>(Ok(values))?, output.shape))
        })
    });
    stored.collect()
}

/// Elements on the host, borrowed where they lie row by row.
trait Operand {
    fn argument(&self) -> HostArgument<'_>;
}

impl<T: gemm_runtime::Element> Operand for std::borrow::Cow<'_, [T]> {
    fn argument(&self) -> HostArgument<'_> {
        HostArgument::new(self)
    }
}

impl<T: gemm_runtime::Element> Operand for Vec<T> {
    fn argument(&self) -> HostArgument<'_> {
        HostArgument::new(self)
    }
}

fn read<'a, T: crate::TensorElement>(
    kind: ParameterKind,
    storage: &'a CpuStorage,
    layout: &Layout,
) -> Result<Box<dyn Operand + 'a>> {
    let place = match kind {
        ParameterKind::Vector { .. } => Rows::vector(layout)?,
        _ => Rows::of(layout)?,
    };
    Ok(Box::new(place.dense(cpu::elements::<T>(storage)?)))
}
