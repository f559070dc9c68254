//! [`Problem`]: the shape of a launch, checked against its kernel.

use gemm_codegen::auto::Shares;
use gemm_codegen::{
    Axis, Element, Kernel, Parameter, ParameterKind, ScalarType, Variant, hardware,
};

use crate::argument::{Argument, Named, Region};
use crate::device::Device;
use crate::error::{ArgumentKind, Error, KernelFault, Operand};
use crate::launch::axis_extents::AxisExtents;
use crate::launch::extents::{self, Bounds, broken, split};
use crate::launch::tiles;
use crate::launch::{alignment, overlap};
use crate::shape::Shape;
use crate::split_by::SplitBy;

/// The shape of a launch on a device, and how the kernel covers it.
#[derive(Debug)]
pub(crate) struct Problem {
    /// M, N and K: N are the columns of all products in turn.
    pub(crate) shape: Shape,
    pub(crate) extents: AxisExtents,
    /// The values of each batch index of the output, the outermost first.
    pub(crate) batches: Vec<usize>,
    /// How the tiles of the output are assigned to blocks.
    pub(crate) shares: Shares,
    /// Blocks in x.
    pub(crate) blocks: u32,
    /// The alignments of pointers, rows and matrices.
    pub(crate) variant: Variant,
}

impl Problem {
    /// The problem of these arguments: the operands and the outputs, whose bounds may be known.
    pub(super) fn of_launch(
        device: &Device,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
        bounds: Option<Bounds>,
    ) -> Result<Problem, Error> {
        let (operands, outputs) = split(kernel)?;
        check_count(kernel, operands.len(), arguments.len().saturating_sub(outputs.len()))?;
        Problem::new(device, kernel, arguments, bounds)
    }

    /// The problem of these operands, whose outputs, of these elements, are not allocated yet.
    pub(super) fn of_operands(
        device: &Device,
        kernel: &Kernel,
        operands: &[Argument<'_>],
        elements: &[Element],
    ) -> Result<Problem, Error> {
        let (parameters, outputs) = split(kernel)?;
        if outputs.len() != elements.len() {
            let (outputs, asked) = (outputs.len(), elements.len());
            return Err(broken(kernel, KernelFault::OutputCount { outputs, asked }));
        }
        for (output, &got) in outputs.iter().zip(elements) {
            output
                .kind
                .element()
                .map_or(Ok(()), |expected| check_element(output, expected, got))
                .map_err(|error| error.of_function(&kernel.name))?;
        }
        check_count(kernel, parameters.len(), operands.len())?;
        Problem::new(device, kernel, operands, None)
    }

    /// The problem of a kernel without factors, whose output is a batch of M×N matrices that fit its
    /// arguments.
    pub(super) fn of_copy(
        device: &Device,
        kernel: &Kernel,
        batches: Vec<usize>,
        [m, n]: [usize; 2],
    ) -> Result<Problem, Error> {
        let (shape, batch) = (Shape { m, n, k: 0 }, batches.iter().product());
        // Rows without elements have exponents.
        let shares = shares(device, kernel, Shape { n: n.max(1), ..shape }, batch)?;
        let blocks = blocks(device, kernel, (shape, batch), &shares)?;
        let (extents, variant) = (AxisExtents::of_shape(shape), Variant::default());
        Ok(Problem { shape, extents, batches, shares, blocks, variant })
    }

    /// The problem of these arguments: the operands, and then all outputs or none, if they do not
    /// exist yet.
    fn new(
        device: &Device,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
        bounds: Option<Bounds>,
    ) -> Result<Problem, Error> {
        Problem::checked(device, kernel, arguments, bounds).map_err(|error| {
            error.of_function(&kernel.name).with_indices(|axis| kernel.index_name(axis))
        })
    }

    /// Finds everything that can be wrong with the arguments.
    fn checked(
        device: &Device,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
        known: Option<Bounds>,
    ) -> Result<Problem, Error> {
        let all: Vec<Named<'_, '_>> = kernel.parameters.iter().zip(arguments).collect();
        let (read, written) = all.split_at(split(kernel)?.0.len());
        read.iter().try_for_each(|argument| check_kind(*argument, read_kind(*argument)))?;
        written.iter().try_for_each(|output| check_kind(*output, written_kind(output.0)))?;
        all.iter().try_for_each(|argument| check_place(device, *argument))?;
        overlap::check(read, written)?;
        let Bounds { extents, batches } = match known {
            None => extents::bind(kernel, arguments)?,
            Some(bounds) => {
                debug_assert_eq!(Some(&bounds), extents::bind(kernel, arguments).ok().as_ref());
                extents::check_limits(kernel, &bounds.extents)?;
                bounds
            }
        };
        let (shape, tiled) = (extents.whole(&kernel.launch), extents.tiled(&kernel.launch));
        check_reduced(kernel, shape)?;
        tiles::check(&kernel.parameters, arguments, &extents)?;
        let batch = extents::matrices(kernel, &batches)?;
        let shares = shares(device, kernel, tiled, batch)?;
        let blocks = blocks(device, kernel, (tiled, batch), &shares)?;
        let variant = variant(&all)?;
        Ok(Problem { shape, extents, batches, shares, blocks, variant })
    }

    /// Whether the output has no elements: nothing is launched then.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.is_empty() || self.batch() == 0
    }

    /// Matrices of the output; 1 for a single matrix.
    pub(crate) fn batch(&self) -> usize {
        self.batches.iter().product()
    }
}

/// Compares the number of operands.
fn check_count(kernel: &Kernel, expected: usize, got: usize) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::ArgumentCount { kernel: kernel.name.to_string(), expected, got })
}

/// An output that is reduced has elements to be reduced for each of its own.
fn check_reduced(kernel: &Kernel, shape: Shape) -> Result<(), Error> {
    for output in split(kernel)?.1 {
        let ParameterKind::Vector { length, .. } = output.kind else { continue };
        let over = if length == Axis::M { Axis::N } else { Axis::M };
        if shape.extent(length) > 0 && shape.extent(over) == 0 {
            let (output, index) = (Operand::new(&output.name), over.letter().into());
            return Err(Error::NothingToReduce { output, over, index });
        }
    }
    Ok(())
}

/// The kind that an operand must have. What is multiplied as planes may be a matrix, or planes of it by
/// the index that is not summed over.
fn read_kind((parameter, argument): Named<'_, '_>) -> ArgumentKind {
    match parameter.kind {
        ParameterKind::Matrix { columns, .. }
            if !parameter.batch.is_batched()
                && matches!(argument.kind(), ArgumentKind::Split(..)) =>
        {
            let by = if columns == Axis::K { SplitBy::Rows } else { SplitBy::Columns };
            parameter.planes.map_or(ArgumentKind::Matrix, |planes| ArgumentKind::Split(by, planes))
        }
        ParameterKind::Matrix { .. } if parameter.batch.is_batched() => ArgumentKind::Batch,
        ParameterKind::Matrix { .. } | ParameterKind::Tiled { .. } => ArgumentKind::Matrix,
        // The innermost index of a batch of vectors is that of the rows of a matrix.
        ParameterKind::Vector { .. } => match parameter.batch.indices().count() {
            0 => ArgumentKind::Vector,
            1 => ArgumentKind::Matrix,
            _ => ArgumentKind::Batch,
        },
        ParameterKind::DeviceScalar(_) => ArgumentKind::DeviceScalar,
        ParameterKind::Scalar(ScalarType::F32) => ArgumentKind::F32,
        ParameterKind::Scalar(ScalarType::F64) => ArgumentKind::F64,
        // A bool is never a parameter; in a kernel made by hand it would be an int.
        ParameterKind::Scalar(ScalarType::I32 | ScalarType::Bool) => ArgumentKind::I32,
    }
}

/// The kind that an output must have: a matrix, a vector, or a batch of either, that can be written.
fn written_kind(parameter: &Parameter) -> ArgumentKind {
    let indices = parameter.batch.indices().count();
    match (parameter.kind, indices) {
        (ParameterKind::Vector { .. }, 0) => ArgumentKind::MutableVector,
        // The innermost index of a batch of vectors is that of the rows of a matrix.
        (ParameterKind::Vector { .. }, 1) | (_, 0) => ArgumentKind::MutableMatrix,
        _ => ArgumentKind::MutableBatch,
    }
}

fn check_kind((parameter, argument): Named<'_, '_>, expected: ArgumentKind) -> Result<(), Error> {
    let got = argument.kind();
    if got != expected {
        return Err(Error::KindMismatch { operand: Operand::new(&parameter.name), expected, got });
    }
    match (parameter.kind.element(), argument.region()) {
        (Some(expected), Some(region)) => check_element(parameter, expected, region.element),
        _ => Ok(()),
    }
}

fn check_element(parameter: &Parameter, expected: Element, got: Element) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::ElementMismatch { operand: Operand::new(&parameter.name), expected, got })
}

pub(super) fn check_place(
    device: &Device,
    (parameter, argument): Named<'_, '_>,
) -> Result<(), Error> {
    let expected = device.place();
    match argument.place() {
        Some(got) if got != expected => {
            Err(Error::DeviceMismatch { operand: Operand::new(&parameter.name), expected, got })
        }
        _ => check_stream(device, (parameter, argument)),
    }
}

/// The memory of a shared handle is ordered by its stream alone.
fn check_stream(device: &Device, (parameter, argument): Named<'_, '_>) -> Result<(), Error> {
    match argument.shared() {
        Some(shared) if shared.stream() != device.stream() => {
            Err(Error::StreamMismatch { operand: Operand::new(&parameter.name) })
        }
        _ => Ok(()),
    }
}

/// How the tiles of each matrix of the output are assigned to blocks.
fn shares(device: &Device, kernel: &Kernel, shape: Shape, batch: usize) -> Result<Shares, Error> {
    let [block_m, block_n, block_k] = kernel.launch.block_tile;
    if block_m == 0 || block_n == 0 || block_k == 0 || kernel.launch.threads == 0 {
        return Err(broken(kernel, KernelFault::ZeroExtent));
    }
    Ok(kernel.shares(shape, batch, &device.machine()))
}

/// Blocks of the grid: one for each share of a tile, or as many as run at a time where blocks walk
/// over tiles, which they count in numbers of the same size.
fn blocks(
    device: &Device,
    kernel: &Kernel,
    (shape, batch): (Shape, usize),
    shares: &Shares,
) -> Result<u32, Error> {
    let size = kernel.launch.cluster_size();
    let extents = [shape.m, shape.n].map(|extent| extent as u64);
    let blocks = kernel.launch.blocks(extents, batch as u64, shares);
    let limit = hardware::MAX_GRID_X;
    let fits = u32::try_from(blocks).ok().filter(|_| blocks <= limit);
    let fits = fits.ok_or_else(|| {
        let kernel = kernel.name.to_string();
        Error::GridTooLarge { kernel, blocks, limit }
    })?;
    if !kernel.launch.walks {
        return Ok(fits);
    }
    let resident = kernel.resident_blocks(&device.machine());
    let whole = (resident / u64::from(size)).max(1) * u64::from(size);
    Ok(u32::try_from(whole).map_or(fits, |whole| fits.min(whole)))
}

/// The alignment of each pointer, its rows and its matrices, where the kernel's text has a constant for
/// it.
fn variant(arguments: &[Named<'_, '_>]) -> Result<Variant, Error> {
    let mut variant = Variant::default();
    for &(parameter, argument) in arguments {
        check_address(parameter, argument)?;
        let bytes = alignment::of(parameter, argument);
        if let (Some(name), Some(bytes)) = (&parameter.align_constant, bytes) {
            variant.push(name, bytes);
        }
    }
    Ok(variant)
}

/// An argument begins at an address that one of its elements can have.
pub(super) fn check_address(parameter: &Parameter, argument: &Argument<'_>) -> Result<(), Error> {
    match argument.region() {
        Some(Region { address, element, .. })
            if !address.is_multiple_of(u64::from(element.bytes())) =>
        {
            let operand = Operand::new(&parameter.name);
            Err(Error::Misaligned { operand, address, element })
        }
        _ => Ok(()),
    }
}
