//! [`Summation`]: the order in which the products of one output element are added.

mod text;

use crate::axis::Side;
use crate::body::Reduction;
use crate::element::{Element, ScalarType};
use crate::form::Form;
use crate::level::mma::{Factors, ScaledBy, Unit};
use crate::level::scheduler::{ClusterSplitK, SplitK};
use crate::plan::Plan;
use crate::spec::{Accumulator, KOrder};

/// Everything in a schedule that the bits of a sum depend on.
///
/// Two plans of the same product, whose summations are equal, give the same bits of every sum for the same
/// factors and the same K on one architecture, whatever M, N and the batch are. If the
/// [launch decides](SumsOfFloats::launch) a part of the order, M, N, the batch and the device must be equal too.
/// Different summations may give the same bits: `mma.sync` of sm_80 adds 16 of K in two halves, as two
/// instructions of 8 do.
///
/// One bit is left out. `fma` rounds a negative product below the smallest subnormal number to −0, and a k-tile
/// padded with zeros makes +0 of it: where the products of a sum underflow, the sign of a zero depends on BLK_K.
///
/// The planes of f32 factors are multiplied in an order that tells A from B. Sums of all other factors keep their
/// bits where a function multiplies the factors in the opposite order.
///
/// The body, its reductions and the rounding of what is stored are not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Summation {
    /// Sums of integers in i32, which wrap: any order gives the same bits.
    Integers,
    /// Sums of floats.
    Floats(SumsOfFloats),
}

/// The order of a sum of floats, from the products that are added at once to the whole sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumsOfFloats {
    /// What the factors are stored as, in the order of the alphabet: a product does not depend on the order of its
    /// factors.
    pub elements: [Element; 2],
    /// How f32 factors are rounded, or the products of their planes. All terms of 32 of K precede those of the
    /// next 32, in the order of [`Planes::terms`](crate::Planes::terms), and those of a term ascend.
    pub factors: Factors,
    /// What adds them.
    pub adder: Adder,
    /// Type of the sums.
    pub accumulator: Accumulator,
    /// K of the products that one instruction adds at once.
    pub step: u32,
    /// Where warps, not warpgroups, convert a factor, the neighbours along K that a lane has: an instruction adds the same part of each.
    pub run: Option<u32>,
    /// K after which a sum is added to an f32 and begins again, from the first k of each part on.
    pub promotion: Option<u32>,
    /// What the scales of factors multiply, if there are any.
    pub scaled: Option<Scaled>,
    /// What a sum begins with, if a term is added to it.
    pub begins: Option<Begins>,
    /// The part of the K of a split that each warp sums, if warps share it.
    pub warps: Option<WarpsAlongK>,
    /// The parts of K that blocks sum, if they share it.
    pub splits: Option<SplitsOfK>,
    /// All of a schedule whose order the launch decides: which tiles of the output are summed backwards
    /// (`k_order = serpentine`), or are split (`split_k = tail(..)`). No other schedule has this value.
    pub launch: Option<Box<str>>,
}

/// What a sum begins with: that of a term which is added to it, in the same order and by the same splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Begins {
    /// The sum of the term.
    Term,
    /// The same, multiplied by a value and rounded.
    Multiple,
}

/// What is multiplied by the scales of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scaled {
    /// Sums: each of this K is multiplied by its scales and added to an f32 by one fma, and the next one begins.
    Sums(u32),
    /// The same of two sums each: instructions add to them by turns, the first one to the first, and they are added
    /// before they are multiplied.
    TwoSums(u32),
    /// A factor that warpgroups convert. Its scales and offsets are rounded to what is multiplied, and so is each
    /// product of an element and its scale.
    Factor,
}

/// What adds products to a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adder {
    /// A fused multiply-add for each k in ascending order. Tensor cores add products of f64 like that, by
    /// instructions of any shape (MMA-Sim, arXiv 2511.10909).
    Fma,
    /// Tensor cores, by `mma.sync` or `wgmma`: both add the same way (compared on an H200).
    TensorCore,
    /// `mma.sync` of 8-bit floats.
    MmaSync,
    /// `wgmma` of 8-bit floats, which keeps 13 bits of fraction.
    Wgmma,
}

/// Warps that share each k-tile of a block. The warps' sums are added in the order of K, in f32 or f64, after
/// those of splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WarpsAlongK {
    /// Warps.
    pub count: u32,
    /// K of a k-tile that one warp sums; `count` of these follow each other in a k-tile.
    pub k: u32,
}

/// Blocks that share the K of a tile: each has a run of k-tiles. The first `tiles % count` blocks have one tile
/// more than the others. Partial sums are added in the order of K, in the type of the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitsOfK {
    /// Blocks; at most that many, if the launch decides.
    pub count: u32,
    /// BLK_K, the K of a k-tile.
    pub block_k: u32,
}

impl Plan {
    /// The order in which the products of one output element are added.
    pub fn summation(&self) -> Summation {
        if self.mma.accumulator == Accumulator::I32 {
            return Summation::Integers;
        }
        let mut elements = Side::BOTH.map(|side| *self.mma.stored.get(side));
        elements.sort_by_key(|element| element.name());
        let (adder, step) = self.adder();
        Summation::Floats(SumsOfFloats {
            elements,
            factors: self.factors(),
            adder,
            accumulator: self.mma.accumulator,
            step,
            run: self.run_of_warps(),
            promotion: self.promotion(),
            scaled: self.scaling.map(|scaling| match scaling.by {
                ScaledBy::Factors => Scaled::Factor,
                ScaledBy::Sums if scaling.two_sums => Scaled::TwoSums(scaling.k),
                ScaledBy::Sums => Scaled::Sums(scaling.k),
            }),
            begins: self.problem.added().map(|_| match self.problem.body.scales_added() {
                true => Begins::Multiple,
                false => Begins::Term,
            }),
            warps: self.warps_along_k(),
            splits: self.splits_of_k(),
            launch: self.decided_by_launch().then(|| self.whole_schedule()),
        })
    }

    /// Whether the results of both plans, of one function or of one whose factors are exchanged, have the same
    /// bits whatever M and N are: their sums have, and what is reduced does not depend on its order.
    pub fn gives_bits_of(&self, other: &Plan) -> bool {
        let sums = self.summation();
        let exchanged = self.spec.body != other.spec.body;
        // The terms of planes tell A from B.
        let is_alike = sums == other.summation() && !(exchanged && self.planes.is_some());
        sums.is_of_k_alone() && is_alike && !self.adds_elements()
    }

    /// Whether the results have the same bits whatever M and N are.
    pub(crate) fn keeps_bits(&self) -> bool {
        self.gives_bits_of(self)
    }

    /// Whether an output is a sum of elements that are floats, which a tile adds in the order of its parts.
    fn adds_elements(&self) -> bool {
        let is_sum = self.reductions().contains(&Some(Reduction::Sum));
        is_sum && self.problem.body.reduced_type() != Some(ScalarType::I32)
    }

    /// The run of a lane where warps convert a factor.
    fn run_of_warps(&self) -> Option<u32> {
        let by_warps = self.form != Form::Groups;
        self.mma.conversion().filter(|_| by_warps).map(|_| self.mma.run)
    }

    /// What adds products, and how much of K at once.
    fn adder(&self) -> (Adder, u32) {
        let element = self.mma.elements.a;
        let k = self.mma.shape()[2] / self.mma.instructions();
        match self.mma.unit {
            Unit::Fma(_) => (Adder::Fma, 1),
            _ if element == Element::F64 => (Adder::Fma, 1),
            Unit::TensorCore(_) if element.is_float8() => (Adder::MmaSync, k),
            Unit::Warpgroup(_) if element.is_float8() => (Adder::Wgmma, k),
            Unit::TensorCore(_) | Unit::Warpgroup(_) => (Adder::TensorCore, k),
        }
    }

    fn warps_along_k(&self) -> Option<WarpsAlongK> {
        let count = self.warps.grid[2];
        (count > 1).then(|| WarpsAlongK { count, k: self.block()[2] / count })
    }

    fn splits_of_k(&self) -> Option<SplitsOfK> {
        let by_workspace = self.split_k().map(|SplitK { splits, .. }| splits);
        let in_cluster = self.scheduler.cluster_split_k();
        let in_cluster = in_cluster.map(|ClusterSplitK { splits }| splits);
        let count = by_workspace.or(in_cluster)?;
        Some(SplitsOfK { count, block_k: self.block()[2] })
    }

    /// Whether the order of a sum depends on more than its K.
    fn decided_by_launch(&self) -> bool {
        let is_serpentine = self.scheduler.k_order() == KOrder::Serpentine;
        is_serpentine || self.split_k().is_some_and(|split_k| split_k.tail)
    }

    /// The parts of a plan that say which tile a block has, and how many blocks run at a time.
    fn whole_schedule(&self) -> Box<str> {
        let sides = self.sides.map(|side| (side.global_to_shared.atom, side.tile.layout.swizzle()));
        let blocks = (&self.scheduler, self.raster, self.warps, self.form, self.ring);
        let resources = (&self.shared_memory, &self.registers, self.pdl, self.promotion);
        format!("{blocks:?} {sides:?} {:?} {resources:?} {:?}", self.mma, self.targets).into()
    }
}

impl Summation {
    /// Whether the bits of a sum depend on nothing of the launch but its factors and its K.
    pub fn is_of_k_alone(&self) -> bool {
        match self {
            Summation::Integers => true,
            Summation::Floats(sums) => sums.launch.is_none(),
        }
    }
}
