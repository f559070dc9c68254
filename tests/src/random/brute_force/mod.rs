//! Whether a spec violates a rule, found by simulation.
//!
//! Nothing here calls the generator's rules, layouts or plans: rows are dealt to warps one by one,
//! every thread's copies are walked, swizzles move single bits, banks are counted with a map, and
//! the limits of the hardware are a table of its own.
//!
//! A key that is left out can be blamed for nothing: a spec without `warps`, `swizzle` or `stages`
//! violates a rule only if it does so with every value of the key; but copies and banks have to do
//! with every number of warps. Once there is a plan, its values are the ones that count.

mod atoms;
mod banks;
mod best_atom;
mod body;
mod case;
mod copies;
mod indices;
mod lanes;
pub(crate) mod limits;
mod outputs;
mod pdl;
mod resources;
mod swizzle;
mod tensors;
mod tiling;
mod transposed;
mod warpgroups;
mod way;

use std::num::NonZeroU16;

use gemm_codegen::{
    Allow, CacheOperator, Element, KOrder, Mma, OperandKind, Precision, Rule, Side, Target, Walk,
};

pub use case::Case;
use case::multiplied_elements;
use resources::Held;
use way::Way;

/// Whether the spec of a case violates a rule, whatever value a key takes that is left out.
pub fn violates(rule: Rule, case: &Case<'_>) -> bool {
    let spec = case.spec;
    let sides = || Side::BOTH.into_iter();
    match rule {
        Rule::ContractionIndices => indices::contraction(spec),
        Rule::OperandIndices => indices::operands(spec),
        Rule::BatchIndices => indices::batches(spec),
        Rule::OutputCount => outputs::count(spec),
        Rule::OutputsAlike => outputs::differ(spec),
        Rule::OperandNames => indices::names(spec),
        Rule::Matmul
        | Rule::BodyNames
        | Rule::BodyFunctions
        | Rule::BodyTypes
        | Rule::OutputsOfBody => body::broken(spec).contains(&rule),
        Rule::ElementsMatchAtom => case.multiplied().is_some_and(|sides| {
            let elements = sides.map(|side| side.element);
            match case.lane {
                Some(_) => !lanes::multiply(elements),
                None if case.of_groups => !warpgroups::multiply(elements),
                None => !atoms::shapes(elements).contains(&case.mma),
            }
        }),
        Rule::Tf32ByName => multiplied_elements(spec).is_some_and(|elements| {
            let rounded = spec.schedule.precision == Some(Precision::Tf32);
            match (elements, spec.schedule.mma) {
                ([Element::F32, Element::F32], Some(Mma::Fma { .. })) => rounded,
                ([Element::F32, Element::F32], Some(mma)) => {
                    !rounded
                        && (matches!(mma, Mma::Wgmma(_))
                            || atoms::shapes(elements).contains(&case.mma))
                }
                ([Element::F32, Element::F32], None) => false,
                _ => spec.schedule.precision.is_some(),
            }
        }),
        Rule::AccumulatorOfAtom => case.multiplied().is_some_and(|sides| {
            let possible = match case.lane {
                Some(_) => vec![lanes::accumulator(sides[0].element)],
                None if case.of_groups => vec![warpgroups::accumulator(sides[0].element)],
                None => atoms::accumulators(sides[0].element),
            };
            spec.schedule.acc.is_some_and(|acc| !possible.contains(&acc))
        }),
        Rule::WarpsOfAtom => match case.of_groups {
            true => spec.schedule.warps.is_some(),
            false => spec.schedule.warpgroups.is_some(),
        },
        Rule::WarpgroupsOfBlock => case.of_groups && case.every_grid(warpgroups::are_too_many),
        Rule::WarpgroupColumns => {
            case.of_groups
                && case.multiplied().is_some()
                && warpgroups::is_reason(case, warpgroups::miss_their_columns)
        }
        Rule::WgmmaShape => {
            case.of_groups && warpgroups::is_reason(case, warpgroups::have_another_shape)
        }
        Rule::WarpgroupCopies => case.of_groups && !tensors::copied(case),
        Rule::WarpgroupSplits => case.of_groups && warpgroups::are_no_cluster(case),
        Rule::SplitColumns => {
            case.of_groups && warpgroups::is_reason(case, warpgroups::share_unevenly)
        }
        Rule::WalkOfWarpgroups => !case.of_groups && spec.schedule.walk.is_some(),
        Rule::KOrderOfWalk => {
            spec.schedule.k_order == Some(KOrder::Serpentine) && spec.schedule.walk.is_none()
        }
        Rule::PingpongWarpgroups => {
            let shares = |[m, n]: [NonZeroU16; 2]| m.get() > 1 || n.get() > 1;
            case.of_groups
                && spec.schedule.walk == Some(Walk::Pingpong)
                && spec.schedule.warpgroups.is_some_and(shares)
        }
        Rule::ClusterOfWarpgroups => !case.of_groups && spec.schedule.cluster.is_some(),
        Rule::ClusterSize => spec.schedule.cluster.is_some_and(|blocks| {
            let [m, n] = blocks.map(|extent| extent.get());
            let few = [1, 2, 4, 8];
            !few.contains(&m) || !few.contains(&n) || m * n > 8
        }),
        Rule::SplitsAlone => case.of_groups && warpgroups::do_more_than_share(case),
        Rule::RegisterTileFits => case.lane.is_some_and(|lane| lanes::overflow(lane, spec)),
        Rule::AtomOnTarget if case.lane.is_some() => false,
        Rule::AtomOnTarget => case.multiplied().is_some_and(|sides| {
            if case.of_groups {
                return case.targets.iter().any(|target| *target != Target::Sm90a);
            }
            let first = atoms::first_target(sides[0].element, case.mma);
            case.targets.iter().any(|target| target.capability() < first)
        }),
        Rule::CopyOnTarget => {
            let newest = sides().map(|side| case.way(side).first_target()).max();
            // Of targets without the instruction only that is said.
            let can_multiply = |target: &&Target| !case.of_groups || **target == Target::Sm90a;
            let mut targets = case.targets.iter().filter(can_multiply);
            targets.any(|target| Some(target.capability()) < newest)
        }
        Rule::CopiesAlike => case.way(Side::A) != case.way(Side::B),
        Rule::TensorCopy => tensors::are_no_boxes(case),
        Rule::ElementsOnTarget => {
            let since = body::converted(spec);
            case.targets.iter().any(|target| since.iter().any(|since| target.capability() < *since))
        }
        Rule::TargetsNamed => {
            let same = |target| case.targets.iter().filter(|other| **other == target).count();
            case.targets.is_empty() || case.targets.iter().any(|target| same(*target) > 1)
        }
        Rule::CopySize => sides().any(|side| match case.copy(side) {
            (16, _) | (4 | 8, None | Some(CacheOperator::Ca)) => false,
            (..) => true,
        }),
        Rule::WarpsTileBlock => case.every_grid(|grid| tiling::warps_differ(case, grid)),
        Rule::AtomsTileWarp => case.every_grid(|grid| tiling::atoms_are_left_over(case, grid)),
        Rule::AtomsTileK => case.every_grid(|grid| tiling::k_steps_are_left_over(case, grid)),
        Rule::ThreadsFitBlock => {
            !case.of_groups
                && case.every_grid(|grid| grid.map(u64::from).iter().product::<u64>() * 32 > 1024)
        }
        Rule::CopyCoversTile => case.some_thread_count(|threads| {
            sides().any(|side| copies::leave_gaps(case, side, threads))
        }),
        Rule::SwizzleOfRows => sides().any(|side| {
            let written = case.written_swizzle(side);
            transposed::is(case, side) && written.is_some_and(|swizzle| swizzle.b > 0)
        }),
        Rule::SwizzleKeepsChunks => case.any_side_with_every_swizzle(swizzle::splits_chunks),
        Rule::SwizzleInvertsItself => case.any_side_with_every_swizzle(swizzle::is_no_involution),
        Rule::SwizzleSpanDividesTile => case.any_side_with_every_swizzle(swizzle::does_not_repeat),
        Rule::BankConflictFree => {
            !spec.schedule.allow.contains(&Allow::BankConflicts)
                && sides().any(|side| {
                    // A default of `warps` that suits the banks is not asked for.
                    case.some_grid(|grid| {
                        case.every_swizzle(side, |swizzle| {
                            banks::conflict(case, side, swizzle, grid)
                        })
                    })
                })
        }
        Rule::SplitsOfTile => spec.schedule.split_k.is_some_and(|splits| splits.most() > 256),
        Rule::PdlOnTarget => {
            spec.schedule.pdl.is_some()
                && case.targets.iter().any(|target| target.capability() < (9, 0))
        }
        Rule::PdlOperands => {
            spec.schedule.pdl.as_ref().is_some_and(|named| pdl::names(case, named))
        }
        Rule::PipelineDepth => {
            let takes_turns = !case.of_groups && case.way(Side::A) == Way::Registers;
            case.stages.iter().all(|stages| *stages < 2 || (takes_turns && *stages > 2))
        }
        Rule::SharedMemoryFits if case.of_groups => {
            warpgroups::is_reason(case, resources::shared_memory_overflows)
        }
        Rule::RegistersFit if case.of_groups => {
            warpgroups::is_reason(case, warpgroups::registers_overflow)
        }
        Rule::TensorFragments if case.of_groups => false,
        Rule::SharedMemoryFits | Rule::RegistersFit | Rule::TensorFragments => {
            let shared = |grid| resources::shared_memory_overflows(case, grid);
            let registers = |grid| resources::registers_overflow(case, grid, Held::Least);
            if rule == Rule::TensorFragments {
                return tensors::cannot_be_loaded(case, |grid| shared(grid) || registers(grid));
            }
            let this =
                |grid| if rule == Rule::RegistersFit { registers(grid) } else { shared(grid) };
            // No grid is a way out, and for some it is this law that says so.
            case.every_grid(|g| shared(g) || registers(g) || tensors::loads_differ(case, g))
                && !case.every_grid(|g| !this(g))
        }
        // The enum may grow; a rule without its judgement here must not pass.
        other => panic!("{other}: nothing here judges this rule"),
    }
}

/// The rules without which another cannot be judged: while they hold, its violation is reported
/// beside all others. `None` where that is not claimed.
pub fn needs(rule: Rule) -> Option<Vec<Rule>> {
    use Rule::*;
    let body = vec![Matmul, BodyNames, BodyFunctions, BodyTypes];
    let roles = || [body.clone(), vec![OperandNames, ContractionIndices, OperandIndices]].concat();
    Some(match rule {
        OperandNames | TargetsNamed | CopySize | CopyOnTarget | CopiesAlike | ElementsOnTarget => {
            Vec::new()
        }
        OutputCount | OutputsAlike => Vec::new(),
        SplitsOfTile | PdlOnTarget => Vec::new(),
        WarpsOfAtom | WarpgroupsOfBlock | WarpgroupCopies | WarpgroupSplits => Vec::new(),
        WalkOfWarpgroups | KOrderOfWalk | PingpongWarpgroups | ClusterOfWarpgroups
        | ClusterSize | SplitsAlone => Vec::new(),
        WarpgroupColumns | WgmmaShape => {
            let tiling = [WarpsTileBlock, AtomsTileWarp, AtomsTileK];
            let groups = [WarpgroupsOfBlock, PingpongWarpgroups];
            let others = [ElementsMatchAtom, AtomOnTarget, AccumulatorOfAtom, TensorCopy];
            let resources = [SharedMemoryFits, RegistersFit, TargetsNamed, SplitColumns];
            let columns = [WarpgroupColumns, WgmmaShape];
            let mut all = [&tiling[..], &groups, &others, &resources, &columns].concat();
            all.retain(|other| *other != rule);
            [roles(), all].concat()
        }
        // An operand that shares its name with another is the first of that name.
        PdlOperands | Tf32ByName => [body, vec![OperandNames]].concat(),
        PipelineDepth | WarpsTileBlock | AtomsTileWarp | AtomsTileK | ThreadsFitBlock => Vec::new(),
        RegistersFit => {
            let tiling = [WarpsTileBlock, AtomsTileWarp, AtomsTileK, ThreadsFitBlock];
            let atom = [ElementsMatchAtom, AtomOnTarget, AccumulatorOfAtom];
            let others = [SharedMemoryFits, CopySize, RegisterTileFits, TensorFragments];
            let columns = [WarpgroupColumns, WgmmaShape, SplitColumns];
            let groups = [WarpgroupsOfBlock, PingpongWarpgroups];
            [&tiling[..], &atom, &others, &columns, &groups].concat()
        }
        TensorCopy => {
            let atom = [ElementsMatchAtom, RegisterTileFits, AtomOnTarget, AccumulatorOfAtom];
            let others = [CopiesAlike, SharedMemoryFits, TargetsNamed, WarpgroupColumns];
            [roles(), atom.to_vec(), others.to_vec()].concat()
        }
        TensorFragments => {
            let tiling = [WarpsTileBlock, AtomsTileWarp, AtomsTileK, ThreadsFitBlock];
            let atom = [ElementsMatchAtom, RegisterTileFits, AtomOnTarget, AccumulatorOfAtom];
            let others = [CopiesAlike, SharedMemoryFits, RegistersFit, TargetsNamed];
            [roles(), tiling.to_vec(), atom.to_vec(), others.to_vec()].concat()
        }
        ContractionIndices | BatchIndices => body,
        OperandIndices => [body, vec![ContractionIndices]].concat(),
        RegisterTileFits => Vec::new(),
        ElementsMatchAtom => [roles(), vec![RegisterTileFits]].concat(),
        AtomOnTarget | AccumulatorOfAtom => {
            [roles(), vec![RegisterTileFits, ElementsMatchAtom]].concat()
        }
        SwizzleOfRows | SwizzleKeepsChunks | SwizzleInvertsItself | SwizzleSpanDividesTile => {
            let atom = [ElementsMatchAtom, RegisterTileFits, AtomOnTarget, AccumulatorOfAtom];
            let others = [CopySize, SharedMemoryFits, TargetsNamed, WarpgroupColumns];
            [roles(), atom.to_vec(), others.to_vec()].concat()
        }
        _ => return None,
    })
}

/// Element type of what is in device memory.
fn element_of(kind: &OperandKind) -> Option<Element> {
    match kind {
        OperandKind::Matrix { element, .. }
        | OperandKind::Vector { element, .. }
        | OperandKind::DeviceScalar(element) => Some(*element),
        OperandKind::Scalar(_) => None,
    }
}
