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
mod converted;
mod copies;
mod indices;
mod lanes;
pub mod limits;
mod needs;
mod outputs;
mod packed;
mod pdl;
mod planes;
mod resources;
mod scaled;
mod swizzle;
mod tensors;
mod terms;
mod tiling;
mod transposed;
mod warpgroups;
mod way;

use std::num::NonZeroU16;

use gemm_codegen::{
    Allow, CacheOperator, Element, KOrder, OperandKind, Rule, Schedule, Side, Splits, Target, Walk,
};

pub use case::Case;
pub use needs::needs;
pub use planes::kernel_of;
use resources::Held;
use way::Way;

/// Whether the spec of a case violates a rule, whatever value a key takes that is left out.
pub fn violates(rule: Rule, case: &Case<'_>) -> bool {
    let judges = [by_operands, by_multiplier, by_warpgroups, by_copies, by_resources];
    let judged = judges.into_iter().find_map(|judge| judge(rule, case));
    // The enum may grow; a rule without its judgement here must not pass.
    judged.unwrap_or_else(|| panic!("{rule}: nothing here judges this rule"))
}

/// Whether operands, outputs or the body violate a rule; `None` for rules of anything else.
fn by_operands(rule: Rule, case: &Case<'_>) -> Option<bool> {
    let spec = case.asked;
    let pdl = spec.schedule.pdl.as_ref();
    let is_older = |since| case.targets.iter().any(|target| target.capability() < since);
    Some(match rule {
        Rule::ContractionIndices => indices::contraction(spec),
        Rule::OperandIndices => indices::operands(spec),
        Rule::BatchIndices => indices::batches(spec),
        Rule::OutputCount => outputs::count(spec),
        Rule::OutputsAlike => outputs::differ(spec),
        Rule::ReductionOfOutput => spec.outputs.iter().any(outputs::is_vector),
        // No spec that is drawn reduces anything.
        Rule::ReductionOfTile => false,
        // Each output of a spec that is drawn takes all products.
        Rule::ProductsInTurn => indices::have_own_columns(spec),
        Rule::AddedTerm => {
            body::broken(spec).contains(&rule)
                || terms::lie_elsewhere(spec)
                || terms::are_summed_otherwise(case)
        }
        Rule::OperandNames => indices::names(spec),
        Rule::Matmul
        | Rule::BodyNames
        | Rule::BodyFunctions
        | Rule::BodyTypes
        | Rule::OutputsOfBody => body::broken(spec).contains(&rule),
        Rule::SharedFactor => body::broken(spec).contains(&rule) || indices::lie_apart(spec),
        Rule::ElementsOnTarget => body::converted(spec).into_iter().any(is_older),
        Rule::TargetsNamed => {
            let same = |target| case.targets.iter().filter(|other| **other == target).count();
            case.targets.is_empty() || case.targets.iter().any(|target| same(*target) > 1)
        }
        Rule::PdlOperands => pdl.is_some_and(|named| pdl::names(case, named)),
        _ => return None,
    })
}

/// The same of what multiplies.
fn by_multiplier(rule: Rule, case: &Case<'_>) -> Option<bool> {
    let schedule = &case.spec.schedule;
    Some(match rule {
        Rule::ElementsMatchAtom => case.multiplied().is_some_and(|sides| {
            let elements = converted::multiplied_as(sides.map(|side| side.element));
            match case.lane {
                Some(_) => !lanes::multiply(sides.map(|side| side.element)),
                None if case.of_groups => !warpgroups::multiply(elements),
                None => !atoms::shapes(elements).contains(&case.instruction),
            }
        }),
        Rule::PrecisionByName => planes::differ_from_their_precision(case),
        Rule::PlanesOfTile => planes::are_cut(case.asked),
        Rule::AccumulatorOfAtom if planes::are_summed_otherwise(case.asked) => true,
        Rule::AccumulatorOfAtom => case
            .multiplied()
            .is_some_and(|_| schedule.acc.is_some_and(|acc| !case.accumulators().contains(&acc))),
        Rule::ConvertedFactor => {
            converted::cannot_be(case)
                || converted::has_several_elsewhere(case.asked)
                || packed::are_cut(case)
                || lines_of_packed_are_cut(case)
        }
        Rule::ScaledFactor => body::broken(case.asked).contains(&rule) || scaled::cannot_be(case),
        Rule::RegisterTileFits => case.lane.is_some_and(|lane| lanes::overflow(lane, case.spec)),
        Rule::AtomOnTarget if case.lane.is_some() => false,
        Rule::AtomOnTarget => case.multiplied().is_some_and(|sides| {
            let [element, _] = converted::multiplied_as(sides.map(|side| side.element));
            let first = atoms::first_target(element, case.instruction);
            case.targets.iter().any(|target| match case.of_groups {
                true => *target != Target::Sm90a,
                false => target.capability() < first,
            })
        }),
        _ => return None,
    })
}

/// The same of warpgroups, and of what only they have.
fn by_warpgroups(rule: Rule, case: &Case<'_>) -> Option<bool> {
    let (schedule, groups) = (&case.spec.schedule, case.of_groups);
    let is_reason = |this| groups && warpgroups::is_reason(case, this);
    Some(match rule {
        Rule::WarpsOfAtom if groups => schedule.warps.is_some(),
        Rule::WarpsOfAtom => schedule.warpgroups.is_some(),
        Rule::WarpgroupsOfBlock => groups && case.every_grid(warpgroups::are_too_many),
        Rule::WarpgroupColumns => {
            case.multiplied().is_some() && is_reason(warpgroups::miss_their_columns)
        }
        Rule::WgmmaShape => is_reason(warpgroups::have_another_shape),
        Rule::WarpgroupCopies => groups && !tensors::copied(case),
        Rule::WarpgroupSplits => groups && warpgroups::are_no_cluster(case),
        Rule::SplitColumns => is_reason(warpgroups::share_unevenly),
        Rule::WalkOfWarpgroups => !groups && schedule.walk.is_some(),
        Rule::KOrderOfWalk => {
            schedule.k_order == Some(KOrder::Serpentine) && schedule.walk.is_none()
        }
        Rule::PromotionOfTiles => {
            case.asked.schedule.promote.is_some() && warpgroups::promote_elsewhere(case)
        }
        Rule::PingpongWarpgroups => {
            let shares = |[m, n]: [NonZeroU16; 2]| m.get() > 1 || n.get() > 1;
            let takes_turns = groups && schedule.walk == Some(Walk::Pingpong);
            takes_turns && schedule.warpgroups.is_some_and(shares)
        }
        Rule::ClusterOfWarpgroups => !groups && schedule.cluster.is_some(),
        Rule::ClusterSize => {
            schedule.cluster.is_some_and(|blocks| !warpgroups::run_at_once(blocks))
        }
        Rule::SplitsAlone => groups && warpgroups::do_more_than_share(case),
        Rule::SharedMemoryFits if groups => is_reason(resources::shared_memory_overflows),
        Rule::RegistersFit if groups => is_reason(warpgroups::registers_overflow),
        Rule::TensorFragments if groups => false,
        _ => return None,
    })
}

/// The same of the copies of a stage and of where they put its elements.
fn by_copies(rule: Rule, case: &Case<'_>) -> Option<bool> {
    let sides = || Side::BOTH.into_iter();
    Some(match rule {
        Rule::CopyOnTarget => {
            let newest = sides().map(|side| case.way(side).first_target()).max();
            // Of targets without the instruction only that is said.
            let can_multiply = |target: &&Target| !case.of_groups || **target == Target::Sm90a;
            let mut targets = case.targets.iter().filter(can_multiply);
            targets.any(|target| Some(target.capability()) < newest)
        }
        Rule::CopiesAlike => case.way(Side::A) != case.way(Side::B),
        Rule::TensorCopy => tensors::are_no_boxes(case),
        Rule::CopySize => sides().any(|side| {
            !matches!(case.copy(side), (16, _) | (4 | 8, None | Some(CacheOperator::Ca)))
        }),
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
            let conflict = |side, grid| {
                case.every_swizzle(side, |swizzle| banks::conflict(case, side, swizzle, grid))
            };
            !case.spec.schedule.allow.contains(&Allow::BankConflicts)
                // A default of `warps` that suits the banks is not asked for.
                && sides().any(|side| case.some_grid(|grid| conflict(side, grid)))
        }
        Rule::PipelineDepth => {
            let takes_turns = !case.of_groups && case.way(Side::A) == Way::Registers;
            case.stages.iter().all(|stages| *stages < 2 || (takes_turns && *stages > 2))
        }
        _ => return None,
    })
}

/// The same of the tile of a block, and of what it takes of an SM.
fn by_resources(rule: Rule, case: &Case<'_>) -> Option<bool> {
    let shared = |grid| resources::shared_memory_overflows(case, grid);
    let registers = |grid| resources::registers_overflow(case, grid, Held::Least);
    let either = |grid| shared(grid) || registers(grid);
    // No grid is a way out, and for some it is this law that says so.
    let is_reason = |this: &dyn Fn([u32; 3]) -> bool| {
        case.every_grid(|grid| either(grid) || tensors::loads_differ(case, grid))
            && !case.every_grid(|grid| !this(grid))
    };
    Some(match rule {
        Rule::Invariant => depends_on_tiles(&case.spec.schedule),
        Rule::WarpsTileBlock => case.every_grid(|grid| tiling::warps_differ(case, grid)),
        Rule::AtomsTileWarp => case.every_grid(|grid| tiling::atoms_are_left_over(case, grid)),
        Rule::AtomsTileK => case.every_grid(|grid| tiling::k_steps_are_left_over(case, grid)),
        Rule::ThreadsFitBlock => {
            let threads = |grid: [u32; 3]| grid.map(u64::from).iter().product::<u64>() * 32;
            !case.of_groups && case.every_grid(|grid| threads(grid) > 1024)
        }
        Rule::ProductsOfTile if case.of_groups => {
            warpgroups::split_products(case)
                || warpgroups::is_reason(case, tiling::parts_are_left_over)
        }
        Rule::ProductsOfTile => {
            let parts = |grid| tiling::parts_are_left_over(case, grid);
            let others = |grid| {
                either(grid)
                    || tensors::loads_differ(case, grid)
                    || tiling::warps_differ(case, grid)
                    || tiling::atoms_are_left_over(case, grid)
            };
            case.every_grid(|grid| parts(grid) || others(grid))
                && !case.every_grid(|grid| !parts(grid))
        }
        // Those of warpgroups are a cluster.
        Rule::SplitsOfTile => {
            !case.of_groups && case.spec.schedule.split_k.is_some_and(|splits| splits.most() > 256)
        }
        Rule::SharedMemoryFits => is_reason(&shared),
        Rule::RegistersFit => is_reason(&registers),
        Rule::TensorFragments => tensors::cannot_be_loaded(case, either),
        _ => return None,
    })
}

/// Whether warps have parts of packed elements, with every grid that nothing else speaks against.
fn lines_of_packed_are_cut(case: &Case<'_>) -> bool {
    let parts = |grid| packed::lines_are_left_over(case, grid);
    let others = |grid| {
        !case.of_groups
            && (resources::shared_memory_overflows(case, grid)
                || resources::registers_overflow(case, grid, Held::Least))
            || tiling::warps_differ(case, grid)
            || tiling::atoms_are_left_over(case, grid)
    };
    case.every_grid(|grid| parts(grid) || others(grid)) && !case.every_grid(|grid| !parts(grid))
}

/// Element type of what is in device memory.
fn element_of(kind: &OperandKind) -> Option<Element> {
    match kind {
        OperandKind::Matrix { element, .. }
        | OperandKind::Tiled { element, .. }
        | OperandKind::Vector { element, .. }
        | OperandKind::DeviceScalar(element) => Some(*element),
        OperandKind::Scalar(_) => None,
    }
}

/// Whether the number of a tile decides how its products are added, although `invariant` is written.
fn depends_on_tiles(schedule: &Schedule) -> bool {
    let tail = matches!(schedule.split_k, Some(Splits::Tail(_)));
    schedule.invariant && (tail || schedule.k_order == Some(KOrder::Serpentine))
}
