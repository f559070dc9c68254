//! [`Kernel`]: the emitted text and what a launch has to know about it.

use std::borrow::Cow;

use crate::abi::Abi;
use crate::auto::{Footprint, Shares};
use crate::axis::Axis;
use crate::facts::Facts;
use crate::hardware::{Machine, Target};
use crate::level::epilogue::Partials;
use crate::level::mma::Factors;
use crate::level::scheduler::SplitK;
use crate::parameter::Parameter;
use crate::plan::Plan;
use crate::ptx_feature::PtxFeature;
use crate::resources;
use crate::spec::Planes;

/// CUDA C++ text with its launch facts.
///
/// [`emit`](crate::emit) makes one of a plan, at run time or for `#[gemm]`, which writes it into a
/// constant. A launch trusts this description: the text of one that is written by hand must take
/// these words, and stay within the operands at any shape, leading dimension and alignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Name of the function, for messages.
    pub name: Cow<'static, str>,
    /// Name of the `extern "C"` entry point; an emitted one ends in a hash of the text.
    pub entry: Cow<'static, str>,
    /// The CUDA C++ text. It includes nothing.
    pub text: Cow<'static, str>,
    /// What a caller passes: the operands as declared, then the outputs, wherever the function has them.
    pub parameters: Cow<'static, [Parameter]>,
    /// The C parameters of the entry point, in order.
    pub abi: Abi,
    /// How many of the parameters are outputs, one or more: the last ones.
    pub outputs: usize,
    /// How it rounds its factors. The copy unit rounds ties to even, threads away from zero, so two
    /// kernels of one function may differ.
    pub factors: Factors,
    /// Whether it reads the output's old elements, so that a launch needs an output that was
    /// written.
    pub reads_output: bool,
    /// How it is launched.
    pub launch: LaunchShape,
    /// What its speed depends on, besides the shape of a product.
    pub footprint: Footprint,
    /// What its plan says of the text. One that is written by hand, or edited, may state nothing.
    pub facts: Option<Facts>,
}

/// How a kernel is launched: grid, block and attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchShape {
    /// Rows and columns of the output that a block computes, and BLK_K. The columns are BLK_N, divided by
    /// the number of products. The grid is `(ceil(m / rows) * ceil(n / columns), 1, 1)`, for a batch as
    /// many times that as it has matrices, and times the splits where K is split.
    pub block_tile: [u32; 3],
    /// Products whose columns lie next to each other, BLK_N of them in a block: as many times N is counted
    /// in 32 bits.
    pub products: u32,
    /// The axis of the columns of each product in turn, which has an output of its own: the grid has the tiles of
    /// all. Empty where all products have the columns N.
    pub columns: Cow<'static, [Axis]>,
    /// How blocks share the K of each tile of the output through a workspace, if they do.
    ///
    /// A launch brings a workspace: for each tile `splits` times `partial_bytes`, aligned to 16
    /// bytes, and a count of 4 bytes that is 0. The kernel leaves each count at 0.
    pub split_k: Option<SplitK>,
    /// The workspaces of outputs that are reduced: one for each index that any of these has.
    pub partials: Cow<'static, [Partials]>,
    /// Whether blocks walk over tiles: then any grid from one block on computes all of them, and a
    /// larger one than a device runs at a time gains nothing.
    pub walks: bool,
    /// Blocks of a cluster along M, N and K, which the text fixes: then the grid has a block for
    /// each tile of whole clusters, as often as a cluster has blocks along K, and where blocks walk
    /// a multiple of their number.
    pub cluster: [u32; 3],
    /// Threads of a block, in x.
    pub threads: u32,
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// The attribute of programmatic dependent launch: it may start before its predecessor in the
    /// stream has ended. The parameters of these numbers are read before that: whoever launches it
    /// promises that the predecessor does not write them. `None` of a kernel that does not wait for its predecessor itself.
    pub pdl: Option<Cow<'static, [usize]>>,
    /// Whether the blocks of its successor may start beside its own.
    pub launches_dependents: bool,
    /// The architectures it was proved legal on.
    pub targets: Cow<'static, [Target]>,
    /// The instructions for which it needs the newest NVRTC; `None` if every supported one compiles it.
    pub newest_feature: Option<PtxFeature>,
}

impl LaunchShape {
    /// That of a plan.
    pub fn of(plan: &Plan) -> LaunchShape {
        let [block_m, block_n, block_k] = plan.block();
        LaunchShape {
            block_tile: [block_m, block_n / plan.problem.products(), block_k],
            products: plan.problem.products(),
            columns: plan.problem().columns_in_turn().to_vec().into(),
            split_k: plan.split_k(),
            partials: plan.partials().into(),
            walks: plan.scheduler.walk().is_some(),
            cluster: cluster(plan),
            threads: plan.threads(),
            shared_bytes: plan.shared_memory.bytes(),
            pdl: Some(plan.pdl.parameters(&plan.problem).into()),
            launches_dependents: plan.pdl.launches_dependents,
            targets: plan.targets.clone().into(),
            newest_feature: PtxFeature::newest(plan),
        }
    }

    /// The columns that are computed, where each axis has this extent: of products in turn those of the tiles of all.
    /// Saturates.
    pub fn all_columns(&self, extent: impl Fn(Axis) -> usize) -> usize {
        let block_n = self.block_tile[1].max(1) as usize;
        let whole = |axis: &Axis| extent(*axis).div_ceil(block_n).saturating_mul(block_n);
        match &self.columns[..] {
            [] => extent(Axis::N),
            all => all.iter().map(whole).fold(0, usize::saturating_add),
        }
    }

    /// The clusters that whole tiles of an M×N matrix take, each with a tile for each of its blocks
    /// along M and N.
    pub fn clusters(&self, [m, n]: [u64; 2]) -> u64 {
        let of = |extent: u64, axis: usize| {
            let tile = u64::from(self.block_tile[axis]) * u64::from(self.cluster[axis]);
            extent.div_ceil(tile.max(1))
        };
        of(m, 0) * of(n, 1)
    }

    /// Blocks of a `batch` of M×N matrices, whose tiles are dealt as `shares` says: as if none
    /// walked over several tiles. Clusters are whole, and each has tiles of one matrix at a time.
    pub fn blocks(&self, extents: [u64; 2], batch: u64, shares: &Shares) -> u64 {
        match self.cluster_size() {
            1 => shares.blocks(),
            size => self.clusters(extents).saturating_mul(batch).saturating_mul(size.into()),
        }
    }

    /// Blocks of a cluster; 1 where there are none.
    pub fn cluster_size(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Whether the kernel reads a parameter before its predecessor in the stream has ended.
    pub fn is_early(&self, parameter: usize) -> bool {
        self.pdl.as_ref().is_some_and(|early| early.contains(&parameter))
    }

    /// The target of the lowest compute capability, if there is any.
    pub fn lowest_target(&self) -> Option<Target> {
        self.targets.iter().copied().min_by_key(|target| target.capability())
    }

    /// A block for each tile, without dynamic shared memory and attributes, of a text that every
    /// supported NVRTC compiles.
    pub const fn new(
        block_tile: [u32; 3],
        threads: u32,
        targets: &'static [Target],
    ) -> LaunchShape {
        LaunchShape {
            block_tile,
            products: 1,
            columns: Cow::Borrowed(&[]),
            split_k: None,
            partials: Cow::Borrowed(&[]),
            walks: false,
            cluster: [1; 3],
            threads,
            shared_bytes: 0,
            pdl: None,
            launches_dependents: false,
            targets: Cow::Borrowed(targets),
            newest_feature: None,
        }
    }
}

/// Blocks of a cluster along M, N and K.
fn cluster(plan: &Plan) -> [u32; 3] {
    let [m, n] = plan.cluster().map_or([1; 2], |cluster| cluster.blocks);
    [m, n, plan.scheduler.cluster_split_k().map_or(1, |split_k| split_k.splits)]
}

impl Kernel {
    /// What its factors are multiplied as, if that is planes.
    pub fn planes(&self) -> Option<Planes> {
        self.parameters.iter().find_map(|parameter| parameter.planes)
    }

    /// What the signature calls an axis; its letter where that is not known.
    pub fn index_name(&self, axis: Axis) -> &str {
        self.facts.as_ref().and_then(|facts| facts.index_name(axis)).unwrap_or(axis.letter())
    }

    /// How many batch indices its outputs have.
    pub fn batch_rank(&self) -> usize {
        let outputs = self.parameters.iter().rev().take(self.outputs);
        outputs.map(|output| output.batch.rank()).max().unwrap_or(0)
    }

    /// Blocks that such a machine runs at a time, as far as the registers of a thread can be estimated.
    pub fn resident_blocks(&self, machine: &Machine) -> u64 {
        let LaunchShape { threads, shared_bytes, .. } = self.launch;
        let registers = self.footprint.registers.max(1);
        let of_one =
            resources::blocks_per_sm(machine.target, threads.max(1), shared_bytes, registers);
        u64::from(of_one.max(1)) * u64::from(machine.processors.max(1))
    }

    /// How a launch on such a machine deals the tiles of the output to blocks: of `batch` matrices
    /// of M, N and K; 1 for a single matrix.
    pub fn shares(&self, shape: impl Into<[usize; 3]>, batch: usize, machine: &Machine) -> Shares {
        // A launch relies on the launch shape; a footprint only estimates.
        let LaunchShape { block_tile: [block_m, block_n, block_k], products, split_k, .. } =
            self.launch;
        let footprint = Footprint {
            block: [block_m, block_n.saturating_mul(products), block_k],
            side_by_side: products,
            splits: split_k.map_or(1, |split_k| split_k.splits),
            tail: split_k.is_some_and(|split_k| split_k.tail),
            ..self.footprint
        };
        footprint.shares(shape.into(), batch, machine)
    }
}
