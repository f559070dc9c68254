//! [`EmulatedLaunch`]: a kernel with its arguments, ready to be emulated.

use std::sync::Arc;
use std::time::Instant;

use gemm_emulator::{Launch, Operand, Swizzle, TensorMap};

use gemm_codegen::Kernel;

use crate::argument::{Argument, Region};
use crate::device::LaunchProfile;
use crate::device::emulated::{Emulated, EmulatedKernel};
use crate::error::Error;
use crate::launch::bound::{Bound, WordValue};
use crate::launch::problem::Problem;
use crate::launch::tensor::{Dimensions, Tensor};
use crate::launch::workspace::Workspace;
use crate::shape::Shape;

/// A kernel with its arguments, ready to run.
pub(in crate::launch) struct EmulatedLaunch<'a> {
    device: Emulated,
    kernel: Arc<EmulatedKernel>,
    entry: String,
    shape: Shape,
    batch: usize,
    blocks: u32,
    threads: u32,
    shared_bytes: u32,
    arguments: Vec<Vec<u8>>,
    operands: Vec<Operand>,
    overlaps: bool,
    instruction_limit: u64,
    workspace: Option<Workspace>,
    /// Keeps the memory that `arguments` point to borrowed or owned, and so allocated.
    _memory: Vec<Argument<'a>>,
}

impl<'a> EmulatedLaunch<'a> {
    pub(in crate::launch) fn new(
        device: &Emulated,
        kernel: &Kernel,
        bound: Bound<'a>,
    ) -> Result<EmulatedLaunch<'a>, Error> {
        let named = kernel.parameters.iter().zip(&bound.arguments).enumerate();
        let outputs = kernel.parameters.len().saturating_sub(kernel.outputs);
        let named = named.flat_map(|(number, (parameter, argument))| {
            operands(&parameter.name, argument, [number >= outputs, kernel.launch.is_early(number)])
        });
        let exponents = bound.exponents.iter().flat_map(|(number, exponents)| {
            let of = kernel.parameters.get(*number).map_or("", |parameter| &parameter.name);
            operands(&format!("exponents_{of}"), exponents, [false; 2])
        });
        let parts = exponents.chain(bound.workspace.iter().flat_map(of_workspace));
        let loaded = device.load(kernel, &bound.problem.variant)?;
        Ok(EmulatedLaunch {
            device: device.clone(),
            entry: kernel.entry.to_string(),
            shape: bound.problem.shape,
            batch: bound.problem.batch(),
            blocks: bound.problem.blocks,
            threads: kernel.launch.threads,
            shared_bytes: kernel.launch.shared_bytes,
            arguments: bound
                .values(kernel)
                .map(|value| value.map(bytes_of))
                .collect::<Result<_, _>>()?,
            operands: named.chain(parts).collect(),
            overlaps: kernel.launch.pdl.is_some() && loaded.target.starts_kernels_early(),
            kernel: loaded,
            instruction_limit: instruction_limit(kernel, &bound.problem),
            workspace: bound.workspace,
            _memory: bound
                .arguments
                .into_iter()
                .chain(bound.exponents.into_iter().map(|(_, exponents)| exponents))
                .collect(),
        })
    }

    /// Whether it runs on this device.
    pub(in crate::launch) fn is_on(&self, device: &Emulated) -> bool {
        self.device.place() == device.place()
    }

    /// Runs the kernel.
    pub(in crate::launch) fn launch(&mut self) -> Result<(), Error> {
        let launch = Launch {
            shared_bytes: self.shared_bytes,
            arguments: &self.arguments,
            operands: Some(&self.operands),
            overlaps: self.overlaps,
            instruction_limit: self.instruction_limit,
            ..Launch::new(&self.entry, [self.blocks, 1, 1], [self.threads, 1, 1])
        };
        let start = Instant::now();
        let mut result = self.device.launch(&self.kernel, &launch);
        let elapsed = start.elapsed();
        self.device.keep_trace(result.as_mut().ok());
        self.device.keep_profile(|| {
            Some(LaunchProfile {
                kernel: self.entry.clone(),
                shape: self.shape,
                batch: self.batch,
                blocks: self.blocks,
                threads: self.threads,
                shared_bytes: self.shared_bytes,
                target: self.kernel.target,
                elapsed,
                statistics: result.as_ref().ok()?.clone(),
            })
        });
        match &mut self.workspace {
            None => result.map(|_| ()),
            Some(workspace) => result.and_then(|_| workspace.check(&self.entry)).or_else(|error| {
                workspace.clear()?;
                Err(error)
            }),
        }
    }
}

/// The most instructions that a warp may execute: far more than a kernel needs that ends, and few
/// enough that one that does not end is stopped in seconds. An option of the device overrides it.
///
/// A thread that multiplies its part of a tile product by product executes a dozen instructions for
/// each, fewer than `PER_PRODUCT`; tensor cores multiply hundreds of products in one. `REST` is for
/// everything else, mainly the body of an epilogue.
///
/// A block that walks does so for each of its tiles.
fn instruction_limit(kernel: &Kernel, problem: &Problem) -> u64 {
    const PER_PRODUCT: u64 = 32;
    const REST: u64 = 1 << 20;
    let [block_m, block_n, block_k] = kernel.launch.block_tile.map(u64::from);
    let sums = block_m * block_n * u64::from(kernel.launch.products);
    let elements = sums.div_ceil(u64::from(kernel.launch.threads.max(1)));
    let depth = (problem.shape.k as u64).next_multiple_of(block_k.max(1));
    let size = u64::from(kernel.launch.cluster_size());
    let tiles = (size * problem.shares.blocks()).div_ceil(u64::from(problem.blocks.max(1)));
    let of_tile = elements.saturating_mul(depth).saturating_mul(PER_PRODUCT).saturating_add(REST);
    of_tile.saturating_mul(tiles.max(1))
}

/// The bytes of an argument that the kernel may access; none for a value. Each matrix of a batch is a
/// separate operand, so that the kernel may access nothing between two. `early`: no predecessor
/// writes it.
fn operands(name: &str, argument: &Argument<'_>, [writable, early]: [bool; 2]) -> Vec<Operand> {
    let Some(Region { address, element, layout, batch, .. }) = argument.region() else {
        return Vec::new();
    };
    let bytes = |elements: usize| elements as u64 * u64::from(element.bytes());
    let matrix = |name: String, address: u64| Operand {
        name,
        address,
        rows: layout.rows as u64,
        row_bytes: bytes(layout.columns),
        pitch_bytes: bytes(layout.leading_dimension),
        writable,
        early,
    };
    let Some(batch) = batch else { return vec![matrix(name.to_owned(), address)] };
    // Where all matrices are the same one, it is one operand, without its number.
    let distinct = batch.distinct();
    let of = |number: usize| {
        let values = distinct.values(number).filter(|(along, _)| along.stride > 0);
        let at = values.fold(String::new(), |at, (_, value)| format!("[{value}]{at}"));
        matrix(format!("{name}{at}"), address + bytes(distinct.offset(number)))
    };
    (0..distinct.total()).map(of).collect()
}

/// The parts of the workspace. The kernel may access every byte.
fn of_workspace(workspace: &Workspace) -> impl Iterator<Item = Operand> {
    workspace.parts().map(|(part, bytes)| {
        let (address, bytes) = (workspace.address(*part), bytes.len() as u64);
        Operand {
            name: part.name().to_owned(),
            address,
            rows: 1,
            row_bytes: bytes,
            pitch_bytes: bytes,
            writable: true,
            early: false,
        }
    })
}

fn bytes_of(value: WordValue) -> Vec<u8> {
    match value {
        WordValue::Four(bytes) => bytes.to_vec(),
        WordValue::Eight(bytes) => bytes.to_vec(),
        // `Bound` has checked that the map can be encoded; an empty tensor is not read.
        WordValue::Map(tensor) => map(&tensor).encode().unwrap_or([0; 128]).to_vec(),
    }
}

/// How a matrix, or a batch of them, is described to the emulator's copies.
fn map(tensor: &Tensor) -> TensorMap {
    let Dimensions { rank, extents, strides, part } = tensor.dimensions();
    TensorMap {
        address: tensor.address,
        element_bytes: tensor.column_bytes(),
        dims: extents[..rank].to_vec(),
        strides: strides[..rank - 1].to_vec(),
        box_dims: part[..rank].to_vec(),
        swizzle: match tensor.swizzled_bytes() {
            None => Swizzle::None,
            Some(32) => Swizzle::Bytes32,
            Some(64) => Swizzle::Bytes64,
            Some(_) => Swizzle::Bytes128,
        },
        rounds_to_tf32: tensor.part.rounds_to_tf32,
    }
}
