//! [`Problem`]: what a launch computes, checked against its kernel.

use gemm_codegen::auto::Shares;
use gemm_codegen::{Element, Kernel, Parameter, ParameterKind, ScalarType, hardware};

use crate::argument::{Argument, Value};
use crate::compile::Variant;
use crate::device::Device;
use crate::error::{ArgumentKind, Error, KernelFault, Origin};
use crate::launch::extents::{Extents, broken, split};
use crate::launch::{alignment, overlap, tensor};
use crate::shape::Shape;

/// What a launch computes on a device: its shape, and how the kernel covers it.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) shape: Shape,
    /// Matrices of the output; 1 for a single matrix.
    pub(crate) batch: usize,
    /// How the tiles of the output are assigned to blocks.
    pub(crate) shares: Shares,
    /// Blocks in x.
    pub(crate) blocks: u32,
    /// What the pointers, rows and matrices are aligned to.
    pub(crate) variant: Variant,
}

impl Problem {
    /// That of these arguments: the operands and the outputs.
    pub(super) fn of_launch(
        device: &Device,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
    ) -> Result<Problem, Error> {
        let (_, outputs) = split(kernel)?;
        let Some(operands) = arguments.len().checked_sub(outputs.len()) else {
            return Err(wrong_count(kernel, 0));
        };
        let (operands, outputs) = arguments.split_at(operands);
        Problem::new(device, kernel, operands, outputs)
    }

    /// That of these operands, whose outputs, of these elements, are not allocated yet.
    pub(super) fn of_operands(
        device: &Device,
        kernel: &Kernel,
        operands: &[Argument<'_>],
        elements: &[Element],
    ) -> Result<Problem, Error> {
        let (_, outputs) = split(kernel)?;
        if outputs.len() != elements.len() {
            let (outputs, asked) = (outputs.len(), elements.len());
            return Err(broken(kernel, KernelFault::OutputCount { outputs, asked }));
        }
        for (output, &got) in outputs.iter().zip(elements) {
            if let Some(expected) = output.kind.element().filter(|expected| *expected != got) {
                let operand = output.name.to_string();
                return Err(Error::ElementMismatch { operand, expected, got });
            }
        }
        Problem::new(device, kernel, operands, &[])
    }

    /// Everything that can be wrong with the arguments; no outputs, if they do not exist yet.
    fn new(
        device: &Device,
        kernel: &Kernel,
        operands: &[Argument<'_>],
        outputs: &[Argument<'_>],
    ) -> Result<Problem, Error> {
        let (parameters, output_parameters) = split(kernel)?;
        let read = || parameters.iter().zip(operands);
        let written = || output_parameters.iter().zip(outputs);
        check_kinds(kernel, parameters, operands)?;
        written().try_for_each(|(parameter, output)| check_written(parameter, output))?;
        let mut all = read().chain(written());
        all.try_for_each(|(parameter, argument)| check_place(device, parameter, argument))?;
        for (number, output) in written().enumerate() {
            overlap::check(output, read())?;
            overlap::check_outputs(output, written().take(number))?;
        }

        let mut extents = Extents::default();
        for (parameter, output) in written() {
            extents.bind(parameter, output, origin(parameter, outputs.len()))?;
        }
        for (parameter, argument) in read() {
            extents.bind(parameter, argument, Origin::Operand(parameter.name.to_string()))?;
        }
        let (shape, batch) = (extents.shape(kernel)?, extents.batch(kernel)?);
        let shares = shares(device, kernel, shape, batch)?;
        let blocks = blocks(&shares)?;
        let variant = variant(read().chain(written()))?;
        tensor::check(kernel, operands)?;
        Ok(Problem { shape, batch, shares, blocks, variant })
    }

    /// Whether the output has no elements: nothing is launched then.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.is_empty() || self.batch == 0
    }
}

/// Whose extents an output has: its name says which of several it is.
fn origin(output: &Parameter, outputs: usize) -> Origin {
    if outputs == 1 { Origin::Output } else { Origin::Operand(output.name.to_string()) }
}

fn wrong_count(kernel: &Kernel, got: usize) -> Error {
    let expected = kernel.parameters.len().saturating_sub(kernel.outputs);
    Error::ArgumentCount { kernel: kernel.name.to_string(), expected, got }
}

fn check_kinds(
    kernel: &Kernel,
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
) -> Result<(), Error> {
    if parameters.len() != arguments.len() {
        return Err(wrong_count(kernel, arguments.len()));
    }
    parameters.iter().zip(arguments).try_for_each(|(parameter, argument)| {
        let expected = match parameter.kind {
            ParameterKind::Matrix { .. } if parameter.batched => ArgumentKind::Batch,
            ParameterKind::Matrix { .. } => ArgumentKind::Matrix,
            ParameterKind::Vector { .. } if parameter.batched => ArgumentKind::Matrix,
            ParameterKind::Vector { .. } => ArgumentKind::Vector,
            ParameterKind::DeviceScalar(_) => ArgumentKind::DeviceScalar,
            ParameterKind::Scalar(ScalarType::F32) => ArgumentKind::F32,
            ParameterKind::Scalar(ScalarType::F64) => ArgumentKind::F64,
            // A truth value is never a parameter; if a kernel had one it would be an int.
            ParameterKind::Scalar(ScalarType::I32 | ScalarType::Bool) => ArgumentKind::I32,
        };
        check_kind(parameter, argument, expected)
    })
}

/// An output is a matrix, or a batch of them, that can be written.
fn check_written(parameter: &Parameter, output: &Argument<'_>) -> Result<(), Error> {
    let written = match parameter.batched {
        true => ArgumentKind::MutableBatch,
        false => ArgumentKind::MutableMatrix,
    };
    check_kind(parameter, output, written)
}

fn check_kind(
    parameter: &Parameter,
    argument: &Argument<'_>,
    expected: ArgumentKind,
) -> Result<(), Error> {
    let operand = || parameter.name.to_string();
    if argument.kind() != expected {
        return Err(Error::KindMismatch { operand: operand(), expected, got: argument.kind() });
    }
    let (expected, got) = match (&parameter.kind, &argument.0) {
        (
            ParameterKind::Matrix { element: expected, .. }
            | ParameterKind::Vector { element: expected, .. },
            Value::Matrix { element, .. } | Value::MutableMatrix { element, .. },
        )
        | (ParameterKind::Vector { element: expected, .. }, Value::Vector { element, .. })
        | (ParameterKind::DeviceScalar(expected), Value::Scalar { element, .. }) => {
            (*expected, *element)
        }
        _ => return Ok(()),
    };
    if expected != got {
        return Err(Error::ElementMismatch { operand: operand(), expected, got });
    }
    Ok(())
}

fn check_place(
    device: &Device,
    parameter: &Parameter,
    argument: &Argument<'_>,
) -> Result<(), Error> {
    let got = match &argument.0 {
        Value::Matrix { storage, .. }
        | Value::Vector { storage, .. }
        | Value::Scalar { storage, .. } => storage.place(),
        Value::MutableMatrix { storage, .. } => storage.place(),
        Value::F32(_) | Value::F64(_) | Value::I32(_) => return Ok(()),
    };
    let expected = device.place();
    if got != expected {
        return Err(Error::DeviceMismatch { operand: parameter.name.to_string(), expected, got });
    }
    Ok(())
}

/// How the tiles of each matrix of the output are assigned to blocks.
fn shares(device: &Device, kernel: &Kernel, shape: Shape, batch: usize) -> Result<Shares, Error> {
    let [block_m, block_n, block_k] = kernel.launch.block_tile;
    if block_m == 0 || block_n == 0 || block_k == 0 || kernel.launch.threads == 0 {
        return Err(broken(kernel, KernelFault::ZeroExtent));
    }
    let every = kernel.launch.split_k.filter(|split_k| !split_k.tail);
    let splits = every.map_or(1, |split_k| split_k.splits);
    let tiles = (shape.k as u64).div_ceil(block_k.into());
    let is_empty = shape.is_empty() || batch == 0;
    if !is_empty && splits > 1 && tiles < u64::from(splits) {
        return Err(Error::TooFewTiles { splits, k: shape.k, tiles, block_k });
    }
    Ok(kernel.shares(shape, batch, &device.machine()))
}

/// Blocks of the grid.
fn blocks(shares: &Shares) -> Result<u32, Error> {
    let (blocks, limit) = (shares.blocks(), hardware::MAX_GRID_X);
    match u32::try_from(blocks) {
        Ok(fits) if blocks <= limit => Ok(fits),
        _ => Err(Error::GridTooLarge { blocks, limit }),
    }
}

/// What each pointer, its rows and its matrices are aligned to, where the kernel's text uses it.
fn variant<'p, 'a: 'p>(
    arguments: impl Iterator<Item = (&'p Parameter, &'p Argument<'a>)>,
) -> Result<Variant, Error> {
    let mut variant = Variant::default();
    for (parameter, argument) in arguments {
        check_address(parameter, argument)?;
        let bytes = alignment::of(parameter, argument);
        if let (Some(name), Some(bytes)) = (&parameter.align_macro, bytes) {
            variant.push(name, bytes);
        }
    }
    Ok(variant)
}

/// An argument begins at an address that one of its elements can have.
fn check_address(parameter: &Parameter, argument: &Argument<'_>) -> Result<(), Error> {
    let (address, element) = match &argument.0 {
        Value::Matrix { storage, element, .. }
        | Value::Vector { storage, element, .. }
        | Value::Scalar { storage, element } => (storage.address(), *element),
        Value::MutableMatrix { storage, element, .. } => (storage.address(), *element),
        Value::F32(_) | Value::F64(_) | Value::I32(_) => return Ok(()),
    };
    if !address.is_multiple_of(u64::from(element.bytes())) {
        let operand = parameter.name.to_string();
        return Err(Error::Misaligned { operand, address, element });
    }
    Ok(())
}
