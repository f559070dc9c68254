//! [`Plan`]: a spec together with its proof.

mod asked;
mod body;
mod promoting;
mod scaling;

use crate::axis::{Axis, PerSide, Side};
use crate::body::Reduction;
use crate::element::ScalarType;
use crate::form::Form;
use crate::hardware::Target;
use crate::layout::Swizzle;
use crate::level::epilogue::{Epilogue, Partials, Parts};
use crate::level::feed::Feed;
use crate::level::global_to_shared::{Copiers, GlobalToShared, Piece, TensorBox, TensorCopies};
use crate::level::mma::{Factors, Multiply, Scaling};
use crate::level::pdl::Pdl;
use crate::level::pipeline::{Ring, Roles, StageCounts};
use crate::level::scheduler::{Cluster, Scheduler, SplitK};
use crate::level::shared_tile::SharedTile;
use crate::level::warps::Warps;
use crate::occupancy::Occupancy;
use crate::problem::{Batching, ParameterKind, Problem, Segment};
use crate::registers::Registers;
use crate::resources::SharedMemory;
use crate::side::SidePlan;
use crate::spec::{Planes, Raster, Spec, Walk};

pub(crate) use asked::Asked;

/// A spec with its proof: every [`Rule`](crate::Rule) holds and every default is filled in. Only [`Plan::new`]
/// makes one, and every plan can be emitted.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was asked, where that is not what the kernel computes.
    pub(crate) asked: Option<Box<Asked>>,
    /// What the kernel computes: of planes of the factors, if it multiplies these.
    pub(crate) spec: Spec,
    pub(crate) problem: Problem,
    /// What f32 factors are multiplied as, if that is planes.
    pub(crate) planes: Option<Planes>,
    /// The products that are computed in turn; empty for one, or for several that lie next to each other. What is here is
    /// of the first one.
    pub(crate) segments: Vec<Segment>,
    pub(crate) targets: Vec<Target>,
    pub(crate) raster: Raster,
    pub(crate) scheduler: Scheduler,
    pub(crate) pdl: Pdl,
    pub(crate) warps: Warps,
    pub(crate) mma: Multiply,
    /// K-tiles after which sums are promoted, if they are.
    pub(crate) promotion: Option<u32>,
    /// How sums are scaled, if a factor is.
    pub(crate) scaling: Option<Scaling>,
    pub(crate) form: Form,
    pub(crate) ring: Ring,
    pub(crate) sides: PerSide<SidePlan>,
    pub(crate) epilogue: Epilogue,
    pub(crate) shared_memory: SharedMemory,
    pub(crate) registers: Registers,
}

impl Plan {
    /// Passes of the banks that one load of staged elements needs at most in the epilogue; 1 is free of
    /// conflicts.
    pub fn staged_load_passes(&self) -> u32 {
        self.epilogue.load_passes(self.vector())
    }

    /// The block → warps level: extents, warp grid, threads.
    pub fn warps(&self) -> &Warps {
        &self.warps
    }

    /// The MMA atom and what it multiplies.
    pub fn mma(&self) -> &Multiply {
        &self.mma
    }

    /// How both factors are rounded before they are multiplied.
    pub fn factors(&self) -> Factors {
        match self.planes {
            Some(Planes::F16x3) => Factors::F16x3,
            Some(Planes::Bf16x6) => Factors::Bf16x6,
            None => self.mma.factors(self.form.copies_tensors()),
        }
    }

    /// The swizzle of each side's tile.
    pub(crate) fn swizzle(&self) -> PerSide<Swizzle> {
        self.sides.map(|side| side.tile.layout.swizzle())
    }

    /// Who copies the k-tiles, and who multiplies them.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The stages through which k-tiles reach the multiply.
    pub fn ring(&self) -> Ring {
        self.ring
    }

    /// The threads of a block that do something of their own, if they do.
    pub fn roles(&self) -> Option<Roles> {
        let groups =
            Walk::tiles_at_a_time(self.scheduler.walk()) * self.warps.grid.iter().product::<u32>();
        let roles = (self.form == Form::Groups).then(|| Roles::of(groups))?;
        Some(if self.segments.is_empty() { roles } else { roles.of_products_in_turn() })
    }

    /// What the barriers of a stage count, if it has any.
    pub fn stage_counts(&self) -> Option<StageCounts> {
        let [a, b] = Side::BOTH.map(|side| {
            let part = self.tensor_box(self.problem.factor(side).operand)?;
            Some((self.shared_tile(side), part))
        });
        // The warps at one place along K share a ring.
        let threads = self.warps.threads / self.warps.grid[2];
        Some(StageCounts::new([a?, b?], threads, self.cluster()))
    }

    /// The order in which blocks walk the tiles of the output.
    pub fn raster(&self) -> Raster {
        self.raster
    }

    /// Which tile a block computes, and which part of its K.
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// How blocks share the K of a tile through a workspace, if they do.
    pub fn split_k(&self) -> Option<SplitK> {
        self.scheduler.split_k()
    }

    /// Where the kernel waits for its predecessor, and when its successor may start.
    pub fn pdl(&self) -> Pdl {
        self.pdl
    }

    /// The copies of one side.
    pub fn global_to_shared(&self, side: Side) -> &GlobalToShared {
        &self.sides.get(side).global_to_shared
    }

    /// The box by which tensor copies read an operand; none where it is not multiplied, or copied
    /// in another way.
    pub fn tensor_box(&self, operand: usize) -> Option<TensorBox> {
        let side = self.problem.axes.side(operand)?;
        let tile = &self.sides.get(side).tile;
        let is_tensor = self.form.copies_tensors();
        let parts = Cluster::parts(self.cluster(), side);
        is_tensor.then(|| TensorBox::new(tile, parts, self.factors()))
    }

    /// What each copy of a stage brings of the tile of one side, in the order in which they are started;
    /// of a tile that the blocks of a cluster share, the copies of all of them.
    pub fn pieces(&self, side: Side) -> Vec<Piece> {
        let SidePlan { tile, global_to_shared, .. } = self.sides.get(side);
        let copiers = match self.tensor_box(self.problem.factor(side).operand) {
            Some(each) => Copiers::Blocks { parts: Cluster::parts(self.cluster(), side), each },
            None => Copiers::Threads(self.threads()),
        };
        global_to_shared.pieces(tile, copiers)
    }

    /// How tensor copies bring both tiles, where they do.
    pub(crate) fn tensor_copies(&self) -> TensorCopies {
        TensorCopies {
            batched: self.batched_factors(),
            rank: self.problem.batch.len(),
            cluster: self.cluster(),
        }
    }

    /// The blocks that copy a tile together, if they do.
    pub fn cluster(&self) -> Option<Cluster> {
        self.scheduler.cluster()
    }

    /// How one side reaches the multiplication.
    pub fn feed(&self, side: Side) -> &Feed {
        &self.sides.get(side).feed
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.roles().map_or(self.warps.threads, |roles| roles.threads())
    }

    /// The tile of one side in shared memory.
    pub fn shared_tile(&self, side: Side) -> &SharedTile {
        &self.sides.get(side).tile
    }

    /// Whether threads of warpgroups load matrices that the body reads where they store.
    pub(crate) fn loads_matrices(&self) -> bool {
        let is_matrix = |number: &usize| {
            matches!(self.problem.operands()[*number], ParameterKind::Matrix { .. })
        };
        let reads =
            self.problem.body.old.is_some() || self.problem.body.values.iter().any(is_matrix);
        reads && self.form == Form::Groups && self.epilogue.fetched().is_none()
    }

    /// The way of the result to global memory.
    pub fn epilogue(&self) -> &Epilogue {
        &self.epilogue
    }

    /// The indices of the batch, the outermost first; empty if it multiplies single matrices.
    pub fn batch(&self) -> &[String] {
        &self.problem.batch
    }

    /// Along which batch indices an operand has a matrix or a vector for each value.
    pub fn batching(&self, operand: usize) -> Batching {
        Batching::of(&self.spec().operands[operand].batch, &self.problem.batch)
    }

    /// The same of an operand of the kernel: one of a product in turn, or the exponents of planes.
    pub(crate) fn own_batching(&self, operand: usize) -> Batching {
        Batching::of(&self.spec.operands[operand].batch, &self.problem.batch)
    }

    /// Along which batch indices each output has a matrix for each value.
    pub fn output_batching(&self) -> Batching {
        Batching::of(&self.problem.batch, &self.problem.batch)
    }

    /// The factors that have a matrix for each one of the batch; the others are the same for all.
    pub(crate) fn batched_factors(&self) -> PerSide<bool> {
        let [a, b] = Side::BOTH
            .map(|side| !self.spec.operands[self.problem.factor(side).operand].batch.is_empty());
        PerSide { a, b }
    }

    /// The types of the body's values, from which the elements of each output are made.
    pub fn results(&self) -> impl Iterator<Item = ScalarType> {
        self.problem().results()
    }

    /// The same of what the kernel stores for a tile: of products in turn, of one.
    pub(crate) fn own_results(&self) -> impl Iterator<Item = ScalarType> {
        self.problem.results()
    }

    /// The workspaces of outputs that are reduced, in the order of M and N.
    pub fn partials(&self) -> Vec<Partials> {
        let (order, parts) = (self.problem.axes.order(), self.epilogue.parts());
        let stores = self.problem.stores();
        let of = |along: Axis| {
            let outputs =
                stores.iter().filter(|store| store.reduced_along() == Some(along)).count();
            let Parts { lines, part, passes, .. } = parts[usize::from(order[1] == along)];
            let bytes = self.problem.body.reduced_type().filter(|_| outputs > 0)?.bytes();
            Some(Partials { along, outputs: outputs as u32, bytes, lines, part, passes })
        };
        [Axis::M, Axis::N].into_iter().filter_map(of).collect()
    }

    /// How each output is reduced, if it is.
    pub fn reductions(&self) -> &[Option<Reduction>] {
        self.problem().reductions()
    }

    /// Elements of a row that a thread stores to each output that is a matrix, at a time.
    pub(crate) fn vector(&self) -> u32 {
        self.epilogue.vector_of(self.problem.stores(), self.mma.accumulator.staged())
    }

    /// Shared memory of a block.
    pub fn shared_memory(&self) -> &SharedMemory {
        &self.shared_memory
    }

    /// The blocks that an SM of `target` runs at a time, whose threads have this number of 32-bit registers each.
    pub fn occupancy_on(&self, target: Target, registers: u32) -> Occupancy {
        Occupancy::new(target, self.threads(), self.shared_memory.bytes(), registers)
    }

    /// Registers of a thread.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// The architectures it is legal on.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }
}
