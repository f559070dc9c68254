//! A kernel decoded for execution: registers, branch targets and symbols are numbers, nothing is text.
//!
//! Every source of an instruction is a register slot: immediates, special registers and symbol addresses live in slots
//! of their own that are filled when a block starts (see [`Constant`]), so that the interpreter reads one kind of
//! operand. Device functions are expanded at their call sites.

mod alu;
mod bulk;
mod matrix;
mod moves;
mod op;
mod order;
mod parts;
mod source;
mod summation;
mod warpgroup;

pub(crate) use alu::*;
pub(crate) use bulk::*;
pub(crate) use matrix::*;
pub(crate) use moves::*;
pub(crate) use op::*;
pub(crate) use order::*;
pub(crate) use parts::*;
pub(crate) use source::*;
pub(crate) use summation::*;
pub(crate) use warpgroup::*;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ptx::Space;

/// Where a value of a register class lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// One bit a lane.
    Predicate(u32),
    /// 16 or 32 bits a lane; a 16-bit value has its upper half zero.
    Word(u32),
    /// 64 bits a lane.
    Long(u32),
}

/// A value that a slot holds from the start of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Constant {
    Bits(u64),
    Special(Special),
    /// The address of a variable of [`Program::variables`], plus an offset.
    Address(u32, i64),
    /// An address in local or parameter space, known when decoding.
    Offset(Space, u64),
}

/// A special register whose value does not change while a thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    Laneid,
    Warpid,
    Nwarpid,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    DynamicSharedBytes,
    TotalSharedBytes,
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    ClusterCtarank,
    ClusterNctarank,
    Clusterid(u8),
    Nclusterid(u8),
    IsExplicitCluster,
    Smid,
    Gridid,
}

/// A variable of the module or of the kernel's shared memory.
#[derive(Clone, Debug)]
pub(crate) struct StaticVariable {
    pub(crate) space: Space,
    pub(crate) align: u32,
    /// 0: the launch's dynamic shared memory.
    pub(crate) bytes: u64,
    pub(crate) initial: Arc<[u8]>,
}

/// A stretch of local or parameter space that a variable occupies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

/// Where an instruction stands in the texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) ptx_line: u32,
    /// Index into [`SourceMap::frames`], if the PTX tells.
    pub(crate) frame: Option<u32>,
    /// Index into [`Program::opcodes`].
    pub(crate) opcode: u32,
}

/// A word register that an instruction accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    pub(crate) register: u32,
    pub(crate) writes: bool,
}

/// By what a kernel may order what its blocks store and load in global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OrderMeans {
    /// Fences, of any scope.
    pub(crate) fences: bool,
    /// Atomics.
    pub(crate) atomics: bool,
    /// Loads or stores that order by themselves: `.volatile`, `.acquire` and their like. Atomics that do are taken
    /// for fences and an atomic.
    pub(crate) strong_accesses: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) code: Vec<Instruction>,
    /// Parallel to `code`.
    pub(crate) origins: Vec<Origin>,
    pub(crate) words: usize,
    pub(crate) longs: usize,
    pub(crate) predicates: usize,
    pub(crate) constants: Vec<(Slot, Constant)>,
    pub(crate) variables: Vec<StaticVariable>,
    /// The kernel's parameters in order.
    pub(crate) parameters: Vec<Extent>,
    pub(crate) parameter_bytes: u64,
    /// The variables in local memory; between them lies space that must not be touched.
    pub(crate) locals: Vec<Extent>,
    pub(crate) local_bytes: u64,
    pub(crate) max_threads: Option<u64>,
    /// The shape of the cluster that it must be launched with.
    pub(crate) cluster: Option<[u32; 3]>,
    /// It says that it is launched with a cluster, of whatever shape.
    pub(crate) explicit_cluster: bool,
    /// By what it may order the stores of blocks.
    pub(crate) means: OrderMeans,
    /// Whether it orders some threads of a block: by mbarriers, by barriers of some threads, or what `wgmma` has read.
    pub(crate) clocks: bool,
    /// Whether it multiplies by `wgmma`.
    pub(crate) warpgroups: bool,
    /// The accumulators of `wgmma` that other instructions access, by position in the code.
    pub(crate) touches: HashMap<u32, Vec<Touched>>,
    /// Whether it loads by `ld.global.nc` or `ldu`.
    pub(crate) non_coherent: bool,
    /// Targets of indexed branches.
    pub(crate) tables: Vec<Vec<u32>>,
    pub(crate) source: SourceMap,
    /// The opcodes with their modifiers, each once.
    pub(crate) opcodes: Vec<String>,
}
