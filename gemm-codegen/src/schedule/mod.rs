//! The schedule with every key filled in. Nothing here is trusted: the rules judge a derived value like
//! a written one.

mod atom;
mod copies;
mod lanes;
mod resolved;
mod swizzles;
mod tiling;
mod warpgroups;
mod warps;
mod workers;

use std::num::NonZeroU16;

use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::form::Form;
use crate::hardware::{Availability, Target};
use crate::layout::Swizzle;
use crate::level;
use crate::level::global_to_shared::tensor;
use crate::level::mma::{self, Atom, RegisterTile};
use crate::level::pdl;
use crate::level::scheduler::Cluster;
use crate::problem::Axes;
use crate::spec::{Accumulator, CopyAtom, Mma, Raster, Spec, Splits};

pub(crate) use resolved::ResolvedSchedule;
pub(crate) use workers::check_workers;

// Both are unwrapped while this crate compiles, so neither can panic.

/// Blocks of a raster strip: eight panels stay in L2.
const RASTER_WIDTH: NonZeroU16 = NonZeroU16::new(8).unwrap();

/// Bytes of a copy: the widest.
const COPY_BYTES: NonZeroU16 = NonZeroU16::new(16).unwrap();

/// Resolves every key, from the elements and the roles of the operands where they are clear.
pub(crate) fn resolve(
    spec: &Spec,
    elements: Option<[Element; 2]>,
    axes: Option<&Axes>,
) -> ResolvedSchedule {
    let elements = elements.unwrap_or([Element::F16; 2]);
    let with = |mma| resolve_with(spec, elements, axes, mma);
    let mut schedule = match spec.schedule.mma {
        Some(mma) => with(mma),
        None if mma::is_by_lanes(elements, spec.schedule.precision) => lanes::choose(with),
        None => atom::choose(elements, |atom| targets(spec, atom.map(|atom| atom.on)), with),
    };
    let derived = || schedule.derived_stages();
    schedule.stages = spec.schedule.stages.map_or_else(derived, |stages| stages.get().into());
    if let Some(axes) = axes {
        let swizzle = |side| {
            let written = *spec.schedule.swizzle.get(side);
            written.unwrap_or_else(|| swizzles::derived(&schedule, axes, side))
        };
        schedule.swizzle = PerSide { a: swizzle(Side::A), b: swizzle(Side::B) };
    }
    schedule
}

/// The keys that stages and swizzles depend on, with this atom.
fn resolve_with(
    spec: &Spec,
    [a, b]: [Element; 2],
    axes: Option<&Axes>,
    mma: Mma,
) -> ResolvedSchedule {
    let schedule = &spec.schedule;
    let orders = axes.map(|axes| PerSide {
        a: axes.factor(Side::A).k_contiguous(),
        b: axes.factor(Side::B).k_contiguous(),
    });
    let n_contiguous = axes.is_none_or(Axes::n_contiguous);
    let products = axes.map_or(1, Axes::products);
    let targets = targets(spec, mma.on().or(Atom::find(mma, a, b).map(|atom| atom.on)));
    let (copy, transposed) = copies::of(schedule, &targets, mma, [a, b], orders);
    let form = Form::of(mma, &copy);
    let unpacks = tiling::unpacks(mma, a, &targets);
    let along_k = |side| orders.is_none_or(|orders| *orders.get(side));
    let in_shared =
        orders.map(|orders| PerSide { a: orders.a && !transposed.a, b: orders.b && !transposed.b });
    let full = lanes::are_full(mma, [a, b], in_shared, &copy);
    let warps_k = schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()));
    let tile = match schedule.tile {
        Some(tile) => tile.map(|extent| u32::from(extent.get())),
        None => {
            let narrow = unpacks && !Side::BOTH.into_iter().all(along_k);
            let mut tile = tiling::tile(mma, a, narrow);
            if form == Form::Groups {
                tile = tiling::group_tile(schedule);
            }
            if copy.a.is_tma() || copy.b.is_tma() {
                tile[2] = warps_k.saturating_mul(tensor::ROW_BYTES / a.bytes());
            }
            let of_lanes = full.then(|| lanes::tile(schedule, &targets, transposed));
            tiling::of_products(of_lanes.flatten().unwrap_or(tile), products)
        }
    };
    let sums = Atom::find(mma, a, b).map_or(Accumulator::F32, |atom| atom.accumulators[0]);
    let accumulator = match mma {
        Mma::Fma { .. } => mma::sums_of_lane(a),
        _ => schedule.acc.unwrap_or(sums),
    };
    let mut resolved = ResolvedSchedule {
        tile,
        warps: [1; 3],
        mma,
        accumulator,
        products,
        elements: PerSide { a, b },
        orders,
        register_tile: RegisterTile::new(
            mma,
            level::warps::share(tile[2], warps_k),
            accumulator.staged().bytes(),
            in_shared.unwrap_or_default(),
            n_contiguous,
        ),
        form,
        copy,
        transposed,
        swizzle: schedule.swizzle.map(|swizzle| swizzle.unwrap_or(Swizzle::IDENTITY)),
        stages: 0,
        // Of warps it is an error elsewhere.
        walk: schedule.walk.filter(|_| form == Form::Groups),
        k_order: schedule.k_order.filter(|_| schedule.walk.is_some()).unwrap_or_default(),
        cluster: Cluster::of(schedule.cluster).filter(|_| form == Form::Groups),
        raster: schedule.raster.unwrap_or(Raster::AlongM(RASTER_WIDTH)),
        splits: schedule.split_k.unwrap_or(Splits::Every(NonZeroU16::MIN)),
        targets,
    };
    resolved.warps = match (schedule.warps, lanes::warps(tile).filter(|_| full)) {
        _ if form == Form::Groups => resolved.warpgroups(schedule),
        (Some(grid), _) => grid.map(|count| u32::from(count.get())),
        (None, Some(of_lanes)) => of_lanes,
        (None, None) => resolved.best_warps(axes, unpacks),
    };
    resolved
}

/// The targets that are named; else the usual ones that have the atoms, know the elements and can wait
/// for the predecessor kernel, if they have to.
fn targets(spec: &Spec, atom: Option<Availability>) -> Vec<Target> {
    if let Some(named) = &spec.schedule.targets {
        return named.clone();
    }
    let operands = spec.operands.iter().filter_map(|operand| operand.kind.element());
    let stored = spec.outputs.iter().map(|output| output.element.stored_on());
    let elements = operands.map(Element::read_on).chain(stored);
    let tma = spec.schedule.copies_tensors().then(|| CopyAtom::TMA.on());
    let waits = spec.schedule.pdl.as_ref().map(|_| pdl::ON);
    let needed: Vec<Availability> = elements.chain(atom).chain(tma).chain(waits).collect();
    // What is of one architecture alone is for that.
    let only = needed.iter().find_map(|needed| match needed {
        Availability::Only(target) => Some(*target),
        Availability::Since(_) => None,
    });
    if let Some(only) = only {
        return vec![only];
    }
    let has_all = |target: &Target| needed.iter().all(|needed| needed.includes(*target));
    Target::DEFAULT.into_iter().filter(has_all).collect()
}
