//! [`KernelSource`]: the text of a kernel and what a launch has to know about it.

use std::borrow::Cow;

use gemm_codegen::auto::{Footprint, Machine, Shares};
use gemm_codegen::{Kernel, ParameterKind, SplitK, Target, TensorBox};

use crate::shape::Shape;

/// The CUDA C++ text of a kernel with its launch facts, as `#[gemm]` writes it into a constant.
///
/// Kernels made at run time convert from [`gemm_codegen::Kernel`]. A launch trusts this description:
/// one that is written by hand must have a text that takes these parameters, and that stays within
/// the operands at any shape, leading dimension and alignment.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSource {
    /// Name of the function, for messages.
    pub name: Cow<'static, str>,
    /// Name of the `extern "C"` entry point.
    pub entry: Cow<'static, str>,
    /// The CUDA C++ text.
    pub text: Cow<'static, str>,
    /// BLK_M, BLK_N, BLK_K.
    pub block_tile: [u32; 3],
    /// Threads of a block, in x.
    pub threads: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// Whether it reads the output's old elements: [`launch::run`](crate::launch::run) allocates an
    /// output that has none, and refuses it.
    pub reads_output: bool,
    /// How blocks share the K of each tile of the output, if they do: a launch brings a workspace
    /// for it, [`Kernel::split_k`](gemm_codegen::Kernel::split_k) says which.
    pub split_k: Option<SplitK>,
    /// Whether a launch lets it start before the kernel in front of it in the stream has ended, and
    /// the parameters, by number, that it reads before that.
    pub pdl: Option<Cow<'static, [usize]>>,
    /// What its speed depends on, by which [`launch::choose`](crate::launch::choose) picks it.
    pub footprint: Footprint,
    /// How many outputs it has, one or more: the last parameters.
    pub outputs: usize,
    /// The parameters behind `int m, int n, int k`: the operands, then the outputs.
    pub parameters: Cow<'static, [Parameter]>,
    /// The architectures the kernel was proved legal on.
    pub targets: Cow<'static, [Target]>,
}

/// One parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name in the signature and in the text.
    pub name: Cow<'static, str>,
    /// What is passed, or what a batch of it has.
    pub kind: ParameterKind,
    /// Whether it is a batch. Of matrices a [`BatchedMatrix`](crate::BatchedMatrix) is passed, of
    /// vectors a matrix, whose rows they are.
    pub batched: bool,
    /// The macro of the text that promises the alignment of this parameter's pointer, rows and
    /// matrices, in bytes, as [`gemm_codegen::Parameter::align_macro`] says.
    pub align_macro: Option<Cow<'static, str>>,
    /// The box by which tensor copies read it, as [`gemm_codegen::Parameter::tensor`] says.
    pub tensor: Option<TensorBox>,
}

impl KernelSource {
    /// Whether the unit that copies its factors rounds them: then ties go to even, and not away from
    /// zero as in a kernel of the same function that rounds them in registers.
    pub(crate) fn rounds_on_copy(&self) -> bool {
        let rounds =
            |parameter: &Parameter| parameter.tensor.is_some_and(|part| part.rounds_to_tf32);
        self.parameters.iter().any(rounds)
    }
}

/// The text of these parts, for the life of the program, like them: a kernel that was loaded is known
/// by where its text lies.
pub fn join(parts: &'static [&'static str], numbers: &[u16]) -> &'static str {
    let parts = numbers.iter().filter_map(|number| parts.get(usize::from(*number)).copied());
    String::leak(parts.collect())
}

impl KernelSource {
    /// How a launch on such a machine deals the tiles of the output to blocks: of `batch` matrices, 1 where
    /// it is no batch.
    pub fn shares(&self, shape: Shape, batch: usize, machine: &Machine) -> Shares {
        // What a launch relies on is said of the kernel itself; its footprint only estimates.
        let footprint = Footprint {
            block: self.block_tile,
            splits: self.split_k.map_or(1, |split_k| split_k.splits),
            tail: self.split_k.is_some_and(|split_k| split_k.tail),
            ..self.footprint
        };
        footprint.shares([shape.m, shape.n, shape.k], batch, machine)
    }
}

impl From<&Kernel> for KernelSource {
    fn from(kernel: &Kernel) -> KernelSource {
        // An entry point is the function's name and a hash of the text: `name_0123456789abcdef`.
        let name = kernel.entry().rsplit_once('_').map_or(kernel.entry(), |(name, _)| name);
        KernelSource {
            name: Cow::Owned(name.to_owned()),
            entry: Cow::Owned(kernel.entry().to_owned()),
            text: Cow::Owned(kernel.source().to_owned()),
            block_tile: kernel.block_tile(),
            threads: kernel.threads(),
            shared_bytes: kernel.shared_bytes(),
            reads_output: kernel.reads_output(),
            split_k: kernel.split_k(),
            pdl: kernel.pdl().map(|early| Cow::Owned(early.to_vec())),
            outputs: kernel.outputs(),
            footprint: *kernel.footprint(),
            parameters: kernel.parameters().iter().map(Parameter::from).collect(),
            targets: Cow::Owned(kernel.targets().to_vec()),
        }
    }
}

impl From<&gemm_codegen::Parameter> for Parameter {
    fn from(parameter: &gemm_codegen::Parameter) -> Parameter {
        Parameter {
            name: Cow::Owned(parameter.name.clone()),
            kind: parameter.kind,
            batched: parameter.batched,
            align_macro: parameter.align_macro.clone().map(Cow::Owned),
            tensor: parameter.tensor,
        }
    }
}
