//! [`Bound`]: arguments that fit a kernel, with the shape and the grid that follow from them.

use gemm_codegen::{MAX_ALIGN, ParameterKind, ScalarType, hardware};

use crate::argument::{Argument, MatrixLayout, Value};
use crate::compile::Variant;
use crate::device::Device;
use crate::element::Element;
use crate::error::{ArgumentKind, Error, KernelFault, Origin};
use crate::kernel::{KernelSource, Parameter};
use crate::launch::extents::Extents;
use crate::launch::overlap;
use crate::shape::Shape;

/// Arguments that fit a kernel. Only [`Bound::new`] makes one, so a launch needs no more checks.
#[derive(Debug)]
pub(crate) struct Bound<'a> {
    /// The operands in the order of the parameters, then the output.
    pub(crate) arguments: Vec<Argument<'a>>,
    pub(crate) shape: Shape,
    /// Blocks in x.
    pub(crate) blocks: u32,
    /// What the pointers and rows are aligned to.
    pub(crate) variant: Variant,
}

/// The value of one kernel parameter, as the device's memory holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    Four([u8; 4]),
    Eight([u8; 8]),
}

impl<'a> Bound<'a> {
    pub(crate) fn new(
        device: &Device,
        kernel: &KernelSource,
        arguments: Vec<Argument<'a>>,
    ) -> Result<Bound<'a>, Error> {
        let (output_parameter, parameters) = split(kernel)?;
        let (output, operands) = match arguments.split_last() {
            Some((output, operands)) => (output, operands),
            None => return Err(wrong_count(kernel, 0)),
        };
        check_kinds(kernel, parameters, operands)?;
        check_kind(output_parameter, output, ArgumentKind::MutableMatrix)?;
        check_places(device, parameters, operands)?;
        check_place(device, output_parameter, output)?;
        overlap::check((output_parameter, output), parameters.iter().zip(operands))?;

        let mut extents = Extents::default();
        extents.bind(output_parameter, output, Origin::Output)?;
        for (parameter, argument) in parameters.iter().zip(operands) {
            extents.bind(parameter, argument, Origin::Operand(parameter.name.to_string()))?;
        }
        let shape = extents.shape(kernel)?;
        let blocks = blocks(kernel, shape)?;
        let variant = variant(kernel, &arguments)?;
        Ok(Bound { arguments, shape, blocks, variant })
    }

    /// The kernel's parameters in order: m, n, k, the operands, the output.
    pub(crate) fn words(&self) -> Vec<Word> {
        // `Extents::shape` has checked that the extents fit an i32.
        let extent = |extent: usize| Word::Four((extent as i32).to_ne_bytes());
        let mut words = vec![extent(self.shape.m), extent(self.shape.n), extent(self.shape.k)];
        let matrix = |address: u64, layout: &MatrixLayout| {
            // `MatrixLayout::new` has checked that it fits an isize.
            let leading_dimension = layout.leading_dimension as i64;
            [Word::Eight(address.to_ne_bytes()), Word::Eight(leading_dimension.to_ne_bytes())]
        };
        for argument in &self.arguments {
            match &argument.0 {
                Value::Matrix { storage, layout, .. } => {
                    words.extend(matrix(storage.address(), layout));
                }
                Value::MutableMatrix { storage, layout, .. } => {
                    words.extend(matrix(storage.address(), layout));
                }
                Value::Vector { storage, .. } => {
                    words.push(Word::Eight(storage.address().to_ne_bytes()));
                }
                Value::F32(value) => words.push(Word::Four(value.to_ne_bytes())),
                Value::I32(value) => words.push(Word::Four(value.to_ne_bytes())),
            }
        }
        words
    }
}

/// Checks the operands of a kernel whose output, of elements `T`, has yet to be allocated.
pub(super) fn operands<T: Element>(
    device: &Device,
    kernel: &KernelSource,
    operands: &[Argument<'_>],
) -> Result<Shape, Error> {
    let (output, parameters) = split(kernel)?;
    if let ParameterKind::Matrix { element, .. } = output.kind
        && element != T::ELEMENT
    {
        let operand = output.name.to_string();
        return Err(Error::ElementMismatch { operand, expected: element, got: T::ELEMENT });
    }
    check_kinds(kernel, parameters, operands)?;
    check_places(device, parameters, operands)?;
    let mut extents = Extents::default();
    for (parameter, argument) in parameters.iter().zip(operands) {
        extents.bind(parameter, argument, Origin::Operand(parameter.name.to_string()))?;
    }
    let shape = extents.shape(kernel)?;
    blocks(kernel, shape)?;
    variant(kernel, operands)?;
    Ok(shape)
}

pub(super) fn broken(kernel: &KernelSource, what: KernelFault) -> Error {
    Error::KernelSource { kernel: kernel.name.to_string(), what }
}

/// The output's parameter and those of the operands.
fn split(kernel: &KernelSource) -> Result<(&Parameter, &[Parameter]), Error> {
    match kernel.parameters.split_last() {
        Some((output, operands)) if matches!(output.kind, ParameterKind::Matrix { .. }) => {
            Ok((output, operands))
        }
        _ => Err(broken(kernel, KernelFault::NoOutput)),
    }
}

fn wrong_count(kernel: &KernelSource, got: usize) -> Error {
    let expected = kernel.parameters.len().saturating_sub(1);
    Error::ArgumentCount { kernel: kernel.name.to_string(), expected, got }
}

fn check_kinds(
    kernel: &KernelSource,
    parameters: &[Parameter],
    arguments: &[Argument<'_>],
) -> Result<(), Error> {
    if parameters.len() != arguments.len() {
        return Err(wrong_count(kernel, arguments.len()));
    }
    parameters.iter().zip(arguments).try_for_each(|(parameter, argument)| {
        let expected = match parameter.kind {
            ParameterKind::Matrix { .. } => ArgumentKind::Matrix,
            ParameterKind::Vector { .. } => ArgumentKind::Vector,
            ParameterKind::Scalar(ScalarType::F32) => ArgumentKind::F32,
            // A truth value is never a parameter; if a kernel had one it would be an int.
            ParameterKind::Scalar(ScalarType::I32 | ScalarType::Bool) => ArgumentKind::I32,
        };
        check_kind(parameter, argument, expected)
    })
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
            ParameterKind::Matrix { element: expected, .. },
            Value::Matrix { element, .. } | Value::MutableMatrix { element, .. },
        )
        | (ParameterKind::Vector { element: expected, .. }, Value::Vector { element, .. }) => {
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
        Value::Matrix { storage, .. } | Value::Vector { storage, .. } => storage.place(),
        Value::MutableMatrix { storage, .. } => storage.place(),
        Value::F32(_) | Value::I32(_) => return Ok(()),
    };
    let expected = device.place();
    if got != expected {
        return Err(Error::DeviceMismatch { operand: parameter.name.to_string(), expected, got });
    }
    Ok(())
}

/// Blocks of the grid: one for each tile of the output.
fn blocks(kernel: &KernelSource, shape: Shape) -> Result<u32, Error> {
    let [block_m, block_n, block_k] = kernel.block_tile;
    if block_m == 0 || block_n == 0 || block_k == 0 || kernel.threads == 0 {
        return Err(broken(kernel, KernelFault::ZeroExtent));
    }
    let tiles = |extent: usize, block: u32| (extent as u64).div_ceil(u64::from(block));
    // Both factors are below 2³¹: `Extents::shape` bounds the extents.
    let blocks = tiles(shape.m, block_m) * tiles(shape.n, block_n);
    let limit = hardware::MAX_GRID_X;
    match u32::try_from(blocks) {
        Ok(fits) if blocks <= limit => Ok(fits),
        _ => Err(Error::GridTooLarge { blocks, limit }),
    }
}

/// What each pointer and its rows are aligned to, where the kernel's text asks for it.
fn variant(kernel: &KernelSource, arguments: &[Argument<'_>]) -> Result<Variant, Error> {
    let mut variant = Variant::default();
    for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
        let (address, element, rows) = match &argument.0 {
            Value::Matrix { storage, element, layout } => {
                // Copies of what is multiplied are never cut at the end of a row.
                let whole = if parameter.kind.is_multiplied() { layout.columns } else { 0 };
                (storage.address(), *element, layout.leading_dimension | whole)
            }
            Value::MutableMatrix { storage, element, layout } => {
                (storage.address(), *element, layout.leading_dimension)
            }
            Value::Vector { storage, element, .. } => (storage.address(), *element, 0),
            Value::F32(_) | Value::I32(_) => continue,
        };
        let bytes = u64::from(element.bytes());
        if !address.is_multiple_of(bytes) {
            let operand = parameter.name.to_string();
            return Err(Error::Misaligned { operand, address, element });
        }
        if let Some(name) = &parameter.align_macro {
            // The lowest set bit is the largest power of two that divides them all.
            let common = address | (rows as u64 * bytes) | u64::from(MAX_ALIGN);
            variant.push(name, 1 << common.trailing_zeros());
        }
    }
    Ok(variant)
}
