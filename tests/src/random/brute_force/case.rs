//! [`Case`]: a spec with the values that its keys have or can have.

use std::collections::HashSet;

use gemm_codegen::{
    CacheOperator, CopyAtom, Element, Mma, OperandKind, PerSide, Plan, Side, Spec, Splits, Swizzle,
    Target,
};

use super::{
    atoms, best_atom, body, indices, lanes, outputs, pdl, resources, tensors, tiling, transposed,
};

/// A spec and, for each key, what it says, what its default is, or all that its default could be.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    pub(super) spec: &'a Spec,
    pub(super) tile: [u32; 3],
    /// m, n, k of the MMA atom.
    pub(super) mma: [u32; 3],
    /// Rows and columns of a lane, where there is no tensor core.
    pub(super) lane: Option<[u32; 2]>,
    pub(super) targets: Vec<Target>,
    /// How a side is copied of which nothing is said.
    default_way: Way,
    pub(super) stages: Vec<u32>,
    grids: Vec<[u32; 3]>,
    swizzles: PerSide<Option<Swizzle>>,
}

/// How a tile gets to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Through the registers of threads.
    Registers,
    /// Past them, by copies that threads start.
    Asynchronous,
    /// By a unit of the SM.
    Tensor,
}

impl Way {
    fn of(atom: CopyAtom) -> Way {
        match atom {
            CopyAtom::LdGlobal { .. } => Way::Registers,
            CopyAtom::CpAsync { .. } => Way::Asynchronous,
            CopyAtom::Tma => Way::Tensor,
        }
    }

    /// The architecture that it came with.
    pub(super) fn first_target(self) -> Target {
        match self {
            Way::Registers => Target::Sm75,
            Way::Asynchronous => Target::Sm80,
            Way::Tensor => Target::Sm90,
        }
    }
}

/// Warps along K of a spec.
fn warps_along_k(spec: &Spec) -> u32 {
    spec.schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()))
}

/// One of the two multiplied operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multiplied {
    pub(super) element: Element,
    /// Whether K is its last index; nothing is known of that where the indices are wrong.
    pub(super) k_contiguous: Option<bool>,
}

impl<'a> Case<'a> {
    /// A spec that may be illegal.
    pub fn of_spec(spec: &'a Spec) -> Case<'a> {
        let schedule = &spec.schedule;
        let elements = multiplied_elements(spec).unwrap_or([Element::F16; 2]);
        // 64 bytes along k.
        let bytes = atoms::bytes(elements[0]);
        let lane = match schedule.mma {
            Some(Mma::Fma { m, n }) => Some([m, n].map(|x| u32::from(x.get()))),
            _ => None,
        };
        let named = [schedule.copy.a, schedule.copy.b].map(|atom| atom.map(Way::of));
        let any_tensor = named.contains(&Some(Way::Tensor));
        // A row of a box for each warp along K, or two k-steps of the deepest instructions.
        let default_k = if any_tensor { warps_along_k(spec) * 128 } else { 64 } / bytes;
        let all = spec.operands.iter().filter_map(|o| super::element_of(&o.kind));
        let stored = outputs::all(spec).into_iter().map(|o| atoms::first_to_store(o.element));
        let mma = schedule.mma.map(shape);
        let known = all.map(atoms::first_to_read).chain(stored);
        let known = known.chain(
            mma.filter(|mma| atoms::shapes(elements).contains(mma))
                .map(|mma| atoms::first_target(elements[0], mma)),
        );
        let known = known.chain(any_tensor.then(|| Way::Tensor.first_target()));
        let known = known.chain(schedule.pdl.iter().map(|_| Target::Sm90)).max();
        let mut default = vec![Target::Sm80, Target::Sm86, Target::Sm89, Target::Sm90];
        default.retain(|target| Some(*target) >= known);
        let targets = schedule.targets.clone().unwrap_or(default);
        // Where no tensor core takes 8-bit floats, half of the tile if any runs along M or N.
        let native = [Target::Sm89, Target::Sm120, Target::Sm121];
        let across = multiplied(spec).is_some_and(|sides| {
            !indices::operands(spec) && sides.iter().any(|side| side.k_contiguous == Some(false))
        });
        let halved = across
            && matches!(elements[0], Element::E4m3 | Element::E5m2)
            && targets.iter().any(|target| !native.contains(target));
        let default = match lane {
            Some(lane) => {
                let [m, n, _] = lanes::default_tile(lane, bytes);
                [m, n, default_k]
            }
            None => [128, if halved { 64 } else { 128 }, default_k],
        };
        let tile = schedule.tile.map_or(default, |tile| tile.map(|x| u32::from(x.get())));
        let default_way = match named {
            [Some(named), _] | [None, Some(named)] => named,
            [None, None] if targets.contains(&Target::Sm75) => Way::Registers,
            [None, None] => Way::Asynchronous,
        };
        let stages = if default_way == Way::Registers { 2..=2 } else { 2..=4 };
        let mut case = Case {
            spec,
            tile,
            mma: mma.unwrap_or([16, 8, 16]),
            lane,
            targets,
            default_way,
            stages: schedule.stages.map_or(stages.collect(), |n| vec![u32::from(n.get())]),
            grids: (1..=32).flat_map(|m| (1..=32 / m).map(move |n| [m, n, 1])).collect(),
            swizzles: schedule.swizzle,
        };
        let holds = |bytes| !resources::overflows(&case, bytes);
        if schedule.tile.is_none() && transposed::is_wide(&case, holds) {
            case.tile = [128, 256, 16];
        }
        if case.lane.is_some() {
            case.mma[2] = lanes::depth(&case, case.warp_k());
        }
        if let Some(warps) = schedule.warps {
            case.grids = vec![warps.map(|x| u32::from(x.get()))];
        }
        if mma.is_none() {
            case.mma = best_atom::choose(&case);
        }
        if schedule.warps.is_none() {
            let fits = |grid: &[u32; 3]| {
                !tiling::warps_differ(&case, *grid) && !tiling::atoms_are_left_over(&case, *grid)
            };
            let fitting: Vec<_> = case.grids.iter().copied().filter(fits).collect();
            case.grids = if fitting.is_empty() { case.grids } else { fitting };
        }
        case
    }

    /// Warps along K: one, if nothing is said.
    pub(super) fn warps_along_k(&self) -> u32 {
        warps_along_k(self.spec)
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
    pub(super) fn with_mma(&self, mma: [u32; 3]) -> Case<'a> {
        Case { mma, ..self.clone() }
    }

    /// An accepted spec, with the values that its plan has chosen.
    ///
    /// # Errors
    /// The name of a key of which the plan has another value than the spec.
    pub fn of_plan(spec: &'a Spec, plan: &Plan) -> Result<Case<'a>, &'static str> {
        let mut case = Case::of_spec(spec);
        let swizzle = |side| plan.shared_tile(side).layout.swizzle();
        let written = &spec.schedule;
        let differs = |same: bool, key| if same { Ok(()) } else { Err(key) };
        differs(plan.warps().block == case.tile, "tile")?;
        differs(plan.mma().shape() == case.mma, "mma")?;
        differs(plan.targets() == case.targets, "targets")?;
        differs(case.grids.contains(&plan.warps().grid), "warps")?;
        let stages = plan.mainloop().stages;
        differs(written.stages.is_none_or(|n| u32::from(n.get()) == stages), "stages")?;
        differs(written.raster.is_none_or(|raster| raster == plan.grid()), "raster")?;
        let shared = plan.split_k().map(|split_k| (split_k.splits, split_k.tail));
        let asked = written.split_k.map(|splits| match splits {
            Splits::Every(splits) => (u32::from(splits.get()), false),
            Splits::Tail(most) => (u32::from(most.get()), true),
        });
        differs(asked.filter(|(splits, _)| *splits > 1) == shared, "split_k")?;
        let early = written.pdl.as_ref().map(|named| pdl::early(spec, named));
        differs(plan.pdl().map(|pdl| [pdl.early.a, pdl.early.b]) == early, "pdl")?;
        for side in Side::BOTH {
            let none = transposed::is(&case, side) && swizzle(side).b == 0;
            let same =
                written.swizzle.get(side).is_none_or(|s| s == swizzle(side) || none && s.b == 0);
            differs(same, "swizzle")?;
            let atom = plan.global_to_shared(side).atom;
            differs((atom.bytes(), atom.cache()) == case.copy(side), "copy")?;
            differs(Way::of(atom) == case.way(side), "way of the copy")?;
            let asked = case.spec.schedule.copy.get(side);
            differs(atom.policy() == asked.and_then(|asked| asked.policy()), "policy of the copy")?;
        }
        case.stages = vec![stages];
        case.grids = vec![plan.warps().grid];
        case.swizzles = PerSide { a: Some(swizzle(Side::A)), b: Some(swizzle(Side::B)) };
        Ok(case)
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
        multiplied(self.spec)
    }

    /// Rows and columns of a side's tile in shared memory, and bytes of an element.
    pub(super) fn shared_tile(&self, side: Side) -> Option<[u32; 3]> {
        let [a, b] = self.multiplied()?;
        let (operand, mn) = match side {
            Side::A => (a, self.tile[0]),
            Side::B => (b, self.tile[1]),
        };
        let k = self.staged_k();
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
            let threads = warps(grid).min(32);
            (threads, Side::BOTH.map(|side| self.loads_pairs(side, grid)))
        };
        self.grids.iter().copied().filter(|grid| seen.insert(kind(*grid))).any(f)
    }

    /// Whether something holds for a number of threads that a block can have.
    pub(super) fn some_thread_count(&self, f: impl FnMut(u32) -> bool) -> bool {
        let mut counts: Vec<u32> =
            self.grids.iter().map(|grid| warps(*grid).min(32) * 32).collect();
        counts.sort_unstable();
        counts.dedup();
        counts.into_iter().any(f)
    }

    /// Whether something holds for every swizzle that a side can have.
    pub(super) fn every_swizzle(&self, side: Side, mut f: impl FnMut(Swizzle) -> bool) -> bool {
        if transposed::is(self, side) {
            return f(Swizzle::IDENTITY);
        }
        if let Some(written) = self.swizzles.get(side) {
            return f(*written);
        }
        let all =
            (0..=4u8).flat_map(|b| (1..=6u8).flat_map(move |m| (b..=9u8).map(move |s| (b, m, s))));
        let legal = all.map(|(b, m, s)| Swizzle { b, m, s }).filter(|swizzle| {
            self.shared_tile(side).is_none_or(|tile| {
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

/// The elements of the multiplied operands, if the body says clearly which they are.
pub(super) fn multiplied_elements(spec: &Spec) -> Option<[Element; 2]> {
    let [a, b] = body::multiplied(spec)?;
    let element = |operand: usize| super::element_of(&spec.operands[operand].kind);
    Some([element(a)?, element(b)?])
}

/// The multiplied operands, if the body says clearly which they are.
fn multiplied(spec: &Spec) -> Option<[Multiplied; 2]> {
    let operands = body::multiplied(spec)?;
    let roles = indices::roles(spec);
    Some(operands.map(|operand| {
        let k_contiguous = match (&spec.operands[operand].kind, &roles) {
            (OperandKind::Matrix { indices, .. }, Some([_, _, k])) => Some(indices[1] == *k),
            _ => None,
        };
        let element = super::element_of(&spec.operands[operand].kind);
        Multiplied { element: element.unwrap_or(Element::F32), k_contiguous }
    }))
}

fn shape(mma: Mma) -> [u32; 3] {
    match mma {
        Mma::M8n8k4 => [8, 8, 4],
        Mma::M16n8k4 => [16, 8, 4],
        Mma::M16n8k32 => [16, 8, 32],
        Mma::M16n8k8 => [16, 8, 8],
        Mma::M16n8k16 => [16, 8, 16],
        Mma::Fma { m, n } => [4 * u32::from(m.get()), 8 * u32::from(n.get()), 1],
    }
}
