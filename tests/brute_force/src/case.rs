//! [`Case`]: a spec with the values that its keys have or can have.

use std::collections::HashSet;

use gemm_codegen::{
    Accumulator, CacheOperator, Element, Mma, PerSide, Side, Spec, Swizzle, Target,
};

mod default;
mod multiplied;
mod of_plan;

use super::way::Way;
use super::{atoms, best_atom, converted, indices, lanes, resources, tensors, tiling};
use super::{transposed, warpgroups};
use default::{shape, warps_along_k};
use multiplied::multiplied;
pub(super) use multiplied::{Multiplied, multiplied_elements};

/// A spec and, for each key, what it says, what its default is, or all that its default could be.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// What was asked; the other fields are of the spec that its kernel has.
    pub(super) asked: &'a Spec,
    pub(super) spec: &'a Spec,
    pub(super) tile: [u32; 3],
    /// m, n, k of a k-step of an MMA atom.
    pub(super) mma: [u32; 3],
    /// Those of the instruction; a k-step may have several.
    pub(super) instruction: [u32; 3],
    /// Rows and columns of a lane, where there is no tensor core.
    pub(super) lane: Option<[u32; 2]>,
    /// Whether warpgroups multiply: then `grids` are theirs.
    pub(super) of_groups: bool,
    pub(super) targets: Vec<Target>,
    /// How a side is copied where that is not written.
    default_way: Way,
    /// The multiplied operands, found once for all addresses.
    multiplied: Option<[Multiplied; 2]>,
    /// How many products lie next to each other; one where that is not clear.
    pub(super) products: u32,
    pub(super) stages: Vec<u32>,
    grids: Vec<[u32; 3]>,
    swizzles: PerSide<Option<Swizzle>>,
}

impl<'a> Case<'a> {
    /// A spec that may be illegal.
    pub fn of_spec(spec: &'a Spec) -> Case<'a> {
        let schedule = &spec.schedule;
        let of_groups = schedule.mma.is_some_and(|mma| matches!(mma, Mma::Wgmma(_)));
        let elements = multiplied_elements(spec).unwrap_or([Element::F16; 2]);
        let elements = converted::multiplied_as(elements);
        let mma = match of_groups {
            true => Some(warpgroups::smallest(elements[0])),
            false => schedule.mma.map(shape),
        };
        let lane = lanes::of(spec);
        let targets = schedule.targets.clone().unwrap_or_else(|| default::targets(spec));
        let default = || default::tile(spec, lane, &targets);
        let tile = schedule.tile.map_or_else(default, |tile| tile.map(|x| u32::from(x.get())));
        let default_way = default::way(spec, &targets);
        let stages = if default_way == Way::Registers { 2..=2 } else { 2..=4 };
        let mut case = Case {
            asked: spec,
            spec,
            tile,
            mma: [0; 3],
            instruction: [0; 3],
            lane,
            of_groups,
            targets,
            default_way,
            multiplied: multiplied(spec),
            products: indices::products(spec),
            stages: schedule.stages.map_or(stages.collect(), |n| vec![u32::from(n.get())]),
            grids: (1..=32).flat_map(|m| (1..=32 / m).map(move |n| [m, n, 1])).collect(),
            swizzles: schedule.swizzle,
        };
        case = case.with_mma(mma.unwrap_or([16, 8, 16]));
        case.choose_unwritten();
        case
    }

    /// The same, of the kernel of another spec that was asked for.
    #[must_use]
    pub fn asked_by(self, asked: &'a Spec) -> Case<'a> {
        Case { asked, ..self }
    }

    /// The same with this number of stages.
    pub(super) fn with_stages(&self, stages: u32) -> Case<'a> {
        Case { stages: vec![stages], ..self.clone() }
    }

    /// Chooses what depends on other choices: a wide tile, the instruction, the warps.
    fn choose_unwritten(&mut self) {
        let schedule = &self.spec.schedule;
        let holds = |bytes| !resources::overflows(self, bytes);
        if schedule.tile.is_none() && transposed::is_wide(self, holds) {
            self.tile = [128, 256, 16];
        }
        if let (Some(_), None) = (self.lane, schedule.mma) {
            // A tile that is not written has whole parts for its lanes.
            let tile = |lane| match schedule.tile {
                None if lane != [8, 8] => default::tile(self.spec, Some(lane), &self.targets),
                _ => self.tile,
            };
            let lane = lanes::largest(self, tile);
            (self.tile, self.lane) = (tile(lane), Some(lane));
            self.mma = [4 * lane[0], 8 * lane[1], 1];
        }
        if self.lane.is_some() {
            self.mma[2] = lanes::depth(self, self.warp_k());
        }
        let written = match self.of_groups {
            true => schedule.warpgroups.map(|[m, n]| [m.get(), n.get(), 1]),
            false => schedule.warps.map(|warps| warps.map(|count| count.get())),
        };
        if self.of_groups {
            self.grids = warpgroups::grids(schedule.walk);
        }
        if let Some(grid) = written {
            self.grids = vec![grid.map(u32::from)];
        }
        if schedule.mma.is_none() && self.lane.is_none() {
            *self = self.with_mma(best_atom::choose(self));
        }
        if written.is_none() {
            let fits = |grid: &[u32; 3]| {
                !tiling::warps_differ(self, *grid) && !tiling::atoms_are_left_over(self, *grid)
            };
            let fitting: Vec<_> = self.grids.iter().copied().filter(fits).collect();
            if !fitting.is_empty() {
                self.grids = fitting;
            }
        }
    }

    /// Warps along K: one, if nothing is said, and of warpgroups.
    pub(super) fn warps_along_k(&self) -> u32 {
        if self.of_groups { 1 } else { warps_along_k(self.spec) }
    }

    /// A warp's part of BLK_K, or all of it where the parts differ.
    pub(super) fn warp_k(&self) -> u32 {
        tiling::deal(self.tile[2], self.warps_along_k()).unwrap_or(self.tile[2])
    }

    /// The k that lie beside each other in shared memory: a unit of the SM brings those of each warp
    /// by themselves.
    pub(super) fn staged_k(&self) -> u32 {
        if tensors::copied(self) { self.warp_k() } else { self.tile[2] }
    }

    /// The same with another instruction.
    pub(super) fn with_mma(&self, instruction @ [m, n, k]: [u32; 3]) -> Case<'a> {
        let converts = !self.of_groups && self.lane.is_none() && converted::is_one_of(self.spec);
        let mma = [m, n, if converts { 4 * converted::run(self.spec) } else { k }];
        Case { mma, instruction, ..self.clone() }
    }

    /// How a side is copied.
    pub(super) fn way(&self, side: Side) -> Way {
        self.spec.schedule.copy.get(side).map_or(self.default_way, Way::of)
    }

    /// The swizzle that is asked for.
    pub(super) fn written_swizzle(&self, side: Side) -> Option<Swizzle> {
        *self.spec.schedule.swizzle.get(side)
    }

    /// Bytes and cache operator of a side's copy; no operator if threads do not copy past registers.
    pub(super) fn copy(&self, side: Side) -> (u32, Option<CacheOperator>) {
        let default = match self.default_way {
            Way::Asynchronous if transposed::can_be(self, side) => (4, Some(CacheOperator::Ca)),
            Way::Asynchronous => (16, Some(CacheOperator::Cg)),
            Way::Registers | Way::Tensor => (16, None),
        };
        let atom = self.spec.schedule.copy.get(side);
        atom.map_or(default, |atom| (atom.bytes(), atom.cache()))
    }

    /// The multiplied operands, if the body says clearly which they are.
    pub(super) fn multiplied(&self) -> Option<[Multiplied; 2]> {
        self.multiplied
    }

    /// What the unit can sum in, the default first.
    pub(super) fn accumulators(&self) -> Vec<Accumulator> {
        let elements = multiplied_elements(self.spec).map(converted::multiplied_as);
        let element = elements.map_or(Element::F16, |[a, _]| a);
        match self.lane {
            Some(_) => vec![lanes::accumulator(element)],
            None if self.of_groups => vec![warpgroups::accumulator(element)],
            None => atoms::accumulators(element),
        }
    }

    /// What it sums in: as written where it can.
    pub(super) fn sums(&self) -> Accumulator {
        let possible = self.accumulators();
        let written = self.spec.schedule.acc.filter(|acc| possible.contains(acc));
        written.unwrap_or(possible[0])
    }

    /// Rows and columns of a side's tile in shared memory, in elements, and bytes of one.
    pub(super) fn shared_tile(&self, side: Side) -> Option<[u32; 3]> {
        let [a, b] = self.multiplied()?;
        let (operand, mn) = match side {
            Side::A => (a, self.tile[0]),
            Side::B => (b, self.tile[1]),
        };
        let k = self.staged_k() / atoms::numbers(operand.element);
        let mn = mn / atoms::lines(operand.element);
        let [rows, columns] = if operand.k_contiguous? { [mn, k] } else { [k, mn] };
        Some([rows, columns, atoms::bytes(operand.element)])
    }

    /// Whether something holds for every grid of warps.
    pub(super) fn every_grid(&self, f: impl FnMut([u32; 3]) -> bool) -> bool {
        self.grids.iter().copied().all(f)
    }

    /// Whether the warps of a grid load a side's bytes in pairs that `ldmatrix` transposes: those that
    /// lie along M or N, in matrices of 16 lines and 8 k, four of them at a time.
    pub(super) fn loads_pairs(&self, side: Side, grid: [u32; 3]) -> bool {
        let axis = usize::from(side == Side::B);
        let across = self.multiplied().is_some_and(|sides| {
            let Multiplied { element, k_contiguous } = sides[axis];
            atoms::bytes(element) == 1 && k_contiguous == Some(false)
        });
        let lines = tiling::deal(self.tile[axis], grid[axis]);
        across
            && lines.is_some_and(|lines| {
                (lines / 16 * self.mma[2] / 8).is_multiple_of(4) && lines % 16 == 0
            })
    }

    /// Whether something holds for a grid of warps. Of those that have as many threads and load both
    /// sides alike one is looked at.
    pub(super) fn some_grid(&self, f: impl FnMut([u32; 3]) -> bool) -> bool {
        let mut seen = HashSet::new();
        let kind = |grid: [u32; 3]| {
            let threads = self.threads(grid);
            (threads, Side::BOTH.map(|side| self.loads_pairs(side, grid)))
        };
        self.grids.iter().copied().filter(|grid| seen.insert(kind(*grid))).any(f)
    }

    /// Threads of a grid that multiply, as far as a block can have them.
    pub(super) fn threads(&self, grid: [u32; 3]) -> u32 {
        let of_one = if self.of_groups { 128 } else { 32 };
        warps(grid).saturating_mul(of_one).min(1024)
    }

    /// Whether something holds for a number of threads that a block can have.
    pub(super) fn some_thread_count(&self, f: impl FnMut(u32) -> bool) -> bool {
        let mut counts: Vec<u32> = self.grids.iter().map(|grid| self.threads(*grid)).collect();
        counts.sort_unstable();
        counts.dedup();
        counts.into_iter().any(f)
    }

    /// Whether something holds for every swizzle that a side can have.
    pub(super) fn every_swizzle(&self, side: Side, mut f: impl FnMut(Swizzle) -> bool) -> bool {
        if transposed::is(self, side) {
            return f(Swizzle::IDENTITY);
        }
        if let Some(written) = self.swizzles.get(side).or(tensors::swizzle_of_box(self, side)) {
            return f(written);
        }
        let all =
            (0..=4u8).flat_map(|b| (1..=6u8).flat_map(move |m| (b..=9u8).map(move |s| (b, m, s))));
        let tile = self.shared_tile(side);
        let legal = all.map(|(b, m, s)| Swizzle { b, m, s }).filter(|swizzle| {
            tile.is_none_or(|tile| {
                !super::swizzle::does_not_repeat(*swizzle, tile)
                    && !super::swizzle::splits_chunks(*swizzle, tile)
            })
        });
        legal.into_iter().all(f)
    }

    /// Whether there is a side for which a property of its swizzle and tile holds with every
    /// swizzle that the side can have.
    pub(super) fn any_side_with_every_swizzle(&self, f: fn(Swizzle, [u32; 3]) -> bool) -> bool {
        Side::BOTH.into_iter().any(|side| {
            let tile = self.shared_tile(side).filter(|_| !transposed::is(self, side));
            tile.is_some_and(|tile| self.every_swizzle(side, |swizzle| f(swizzle, tile)))
        })
    }
}

/// Warps of a grid.
pub(super) fn warps(grid: [u32; 3]) -> u32 {
    grid.into_iter().fold(1, u32::saturating_mul)
}
