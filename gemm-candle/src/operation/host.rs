//! An operation on the CPU, by the `reference` of its function.

use std::borrow::Cow;

use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, Layout, Result, Shape};
use gemm_runtime::erased::{Function, HostArgument};
use gemm_runtime::{Parameter, ParameterKind};

use super::choose;
use super::given::Given;
use crate::cpu;
use crate::element::with_stored;
use crate::error::Error;
use crate::extents::{Extents, outputs};
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
    let layouts = Given::layouts(signature.parameters, given);
    let Extents { shape, batch, outputs } = outputs(signature, &layouts)?;
    let operands = signature.parameters.iter().zip(given).enumerate();
    let operands = operands.map(|(number, (parameter, given))| match given {
        Given::F32(value) => Ok(Box::new(vec![*value]) as Box<dyn Operand>),
        Given::F64(value) => Ok(Box::new(vec![*value]) as Box<dyn Operand>),
        Given::I32(value) => Ok(Box::new(vec![*value]) as Box<dyn Operand>),
        Given::Tensor(storage, layout) => with_stored!(kernel.element(signature, number), T => {
            read::<T>(parameter, storage, layout)
        }),
    });
    let operands = operands.collect::<Result<Vec<_>>>()?;
    let arguments: Vec<_> = operands.iter().map(|operand| operand.argument()).collect();
    let values = kernel.reference(&batch, shape, &arguments).map_err(Error::from)?;
    let first = signature.operands().len();
    let stored = values.into_iter().zip(outputs).enumerate().map(|(number, (values, output))| {
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

impl<T: gemm_runtime::Element> Operand for Cow<'_, [T]> {
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
    parameter: &Parameter,
    storage: &'a CpuStorage,
    layout: &Layout,
) -> Result<Box<dyn Operand + 'a>> {
    if parameter.batch.is_batched() {
        let stored = cpu::elements::<T>(storage)?;
        // Matrices may lie anywhere, as the heads of an attention do.
        return Ok(match layout.contiguous_offsets() {
            _ if layout.shape().elem_count() == 0 => Box::new(Vec::<T>::new()),
            Some((start, end)) => Box::new(Cow::Borrowed(&stored[start..end])),
            None => {
                let mut elements = Vec::with_capacity(layout.shape().elem_count());
                gather(
                    stored,
                    layout.start_offset(),
                    (layout.dims(), layout.stride()),
                    &mut elements,
                );
                Box::new(elements)
            }
        });
    }
    let place = match parameter.kind {
        ParameterKind::Vector { .. } => Rows::flat(layout)?,
        _ => Rows::of(layout)?,
    };
    Ok(Box::new(place.dense(cpu::elements::<T>(storage)?)))
}

/// Appends the elements of a tensor whose last dimension is contiguous.
fn gather<T: Copy>(
    stored: &[T],
    start: usize,
    (dims, strides): (&[usize], &[usize]),
    elements: &mut Vec<T>,
) {
    match (dims, strides) {
        ([count, dims @ ..], [stride, strides @ ..]) if !dims.is_empty() => {
            for index in 0..*count {
                gather(stored, start + index * stride, (dims, strides), elements);
            }
        }
        _ => elements.extend_from_slice(&stored[start..start + dims.first().unwrap_or(&1)]),
    }
}
