//! [`Bound`]: arguments that fit a kernel, with the shape and the grid that follow from them.

use gemm_codegen::auto::Shares;
use gemm_codegen::{Element, Kernel, Parameter, ParameterKind, ScalarType, hardware};

use crate::argument::{Argument, Batch, MatrixLayout, Value};
use crate::compile::Variant;
use crate::device::Device;
use crate::error::{ArgumentKind, Error, KernelFault, Origin};
use crate::launch::extents::Extents;
use crate::launch::tensor::{self, Tensor};
use crate::launch::workspace::Workspace;
use crate::launch::{alignment, overlap};
use crate::shape::Shape;

/// Arguments that fit a kernel. Only [`Bound::new`] makes one, so a launch needs no more checks.
#[derive(Debug)]
pub(crate) struct Bound<'a> {
    /// The operands in the order of the parameters, then the outputs.
    pub(crate) arguments: Vec<Argument<'a>>,
    pub(crate) shape: Shape,
    /// Matrices of the output; 1 where it is no batch.
    pub(crate) batch: usize,
    /// How the tiles of the output are dealt to blocks.
    pub(crate) shares: Shares,
    /// Blocks in x.
    pub(crate) blocks: u32,
    /// What the blocks of a tile leave for each other; none before [`Bound::with_workspace`].
    pub(crate) workspace: Option<Workspace>,
    /// What the pointers, rows and matrices are aligned to.
    pub(crate) variant: Variant,
}

/// The value of one kernel parameter, as the device's memory holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    Four([u8; 4]),
    Eight([u8; 8]),
    /// The map of a tensor, which is the device's to make.
    Map(Tensor),
}

impl<'a> Bound<'a> {
    pub(crate) fn new(
        device: &Device,
        kernel: &Kernel,
        arguments: Vec<Argument<'a>>,
    ) -> Result<Bound<'a>, Error> {
        let (parameters, output_parameters) = split(kernel)?;
        let Some(before) = arguments.len().checked_sub(output_parameters.len()) else {
            return Err(wrong_count(kernel, 0));
        };
        let (operands, outputs) = arguments.split_at(before);
        check_kinds(kernel, parameters, operands)?;
        let written = || output_parameters.iter().zip(outputs);
        written().try_for_each(|(parameter, output)| check_written(parameter, output))?;
        check_places(device, parameters, operands)?;
        check_places(device, output_parameters, outputs)?;
        for (number, output) in written().enumerate() {
            overlap::check(output, parameters.iter().zip(operands))?;
            overlap::check_outputs(output, written().take(number))?;
        }

        let mut extents = Extents::default();
        for (parameter, output) in written() {
            extents.bind(parameter, output, origin(parameter, outputs.len()))?;
        }
        for (parameter, argument) in parameters.iter().zip(operands) {
            extents.bind(parameter, argument, Origin::Operand(parameter.name.to_string()))?;
        }
        let (shape, batch) = (extents.shape(kernel)?, extents.batch(kernel)?);
        let shares = shares(device, kernel, shape, batch)?;
        let blocks = blocks(&shares)?;
        let variant = variant(kernel, &arguments)?;
        tensor::check(kernel, &arguments)?;
        Ok(Bound { arguments, shape, batch, shares, blocks, workspace: None, variant })
    }

    /// Whether the output has no elements: nothing is launched then.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.is_empty() || self.batch == 0
    }

    /// Allocates the workspace, if the kernel needs one.
    pub(super) fn with_workspace(
        self,
        device: &Device,
        kernel: &Kernel,
    ) -> Result<Bound<'a>, Error> {
        let shared = kernel.launch.split_k.filter(|_| self.shares.shared() > 0);
        let workspace = shared.map(|split_k| Workspace::new(device, split_k, &self.shares));
        Ok(Bound { workspace: workspace.transpose()?, ..self })
    }

    /// The kernel's parameters in order: m, n, k, the operands, the outputs, the workspace.
    pub(crate) fn words(&self, kernel: &Kernel) -> Vec<Word> {
        // `Extents::shape` has checked that the extents fit an i32.
        let extent = |extent: usize| Word::Four((extent as i32).to_ne_bytes());
        let mut words = vec![extent(self.shape.m), extent(self.shape.n), extent(self.shape.k)];
        let address = |address: u64| Word::Eight(address.to_ne_bytes());
        // `MatrixLayout::new` and `BatchedLayout::new` have checked that it fits an isize.
        let distance = |elements: usize| Word::Eight((elements as i64).to_ne_bytes());
        for (parameter, argument) in kernel.parameters.iter().zip(&self.arguments) {
            if let Some(tensor) = Tensor::of(parameter, argument) {
                words.push(Word::Map(tensor));
                continue;
            }
            let mut tensor = |start: u64, layout: &MatrixLayout, batch: &Option<Batch>| {
                // Of a batch of vectors it is the distance from one to the next.
                words.extend([address(start), distance(layout.leading_dimension)]);
                words.extend(batch.map(|batch| distance(batch.stride)));
            };
            match &argument.0 {
                Value::Matrix { storage, layout, batch, .. } => {
                    tensor(storage.address(), layout, batch);
                }
                Value::MutableMatrix { storage, layout, batch, .. } => {
                    tensor(storage.address(), layout, batch);
                }
                Value::Vector { storage, .. } | Value::Scalar { storage, .. } => {
                    words.push(address(storage.address()));
                }
                Value::F32(value) => words.push(Word::Four(value.to_ne_bytes())),
                Value::F64(value) => words.push(Word::Eight(value.to_ne_bytes())),
                Value::I32(value) => words.push(Word::Four(value.to_ne_bytes())),
            }
        }
        let Some(split_k) = kernel.launch.split_k else { return words };
        // Where no tile is shared nothing reads the workspace.
        let parts = self.workspace.as_ref().map(Workspace::parts);
        let addresses = parts.map_or([0; 2], |parts| parts.map(|part| part.address));
        words.extend(addresses.map(|address| Word::Eight(address.to_ne_bytes())));
        if split_k.tail {
            // A grid has less than 2³¹ blocks.
            let Shares { whole, splits, .. } = self.shares;
            words
                .extend([whole as i32, splits as i32].map(|count| Word::Four(count.to_ne_bytes())));
        }
        words
    }
}

/// Checks the operands of a kernel whose outputs, of these elements, have yet to be allocated.
pub(super) fn operands(
    device: &Device,
    kernel: &Kernel,
    operands: &[Argument<'_>],
    of_outputs: &[Element],
) -> Result<(Shape, usize), Error> {
    let (parameters, outputs) = split(kernel)?;
    if outputs.len() != of_outputs.len() {
        let (outputs, asked) = (outputs.len(), of_outputs.len());
        return Err(broken(kernel, KernelFault::OutputCount { outputs, asked }));
    }
    for (output, &got) in outputs.iter().zip(of_outputs) {
        if let Some(expected) = output.kind.element().filter(|expected| *expected != got) {
            let operand = output.name.to_string();
            return Err(Error::ElementMismatch { operand, expected, got });
        }
    }
    check_kinds(kernel, parameters, operands)?;
    check_places(device, parameters, operands)?;
    let mut extents = Extents::default();
    for (parameter, argument) in parameters.iter().zip(operands) {
        extents.bind(parameter, argument, Origin::Operand(parameter.name.to_string()))?;
    }
    let (shape, batch) = (extents.shape(kernel)?, extents.batch(kernel)?);
    blocks(&shares(device, kernel, shape, batch)?)?;
    variant(kernel, operands)?;
    tensor::check(kernel, operands)?;
    Ok((shape, batch))
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

fn check_places(
    device: &Device,
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
) -> Result<(), Error> {
    parameters
        .iter()
        .zip(arguments)
        .try_for_each(|(parameter, argument)| check_place(device, parameter, argument))
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

/// How the tiles of each matrix of the output are dealt to blocks.
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

/// What each pointer, its rows and its matrices are aligned to, where the kernel's text asks for it.
fn variant(kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<Variant, Error> {
    let mut variant = Variant::default();
    for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
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
