//! The schedule with every key filled in, in this order, each from those before it:
//!
//! | key | derived from | where that is not known |
//! | --- | --- | --- |
//! | `targets` | elements, the atom | the usual ones |
//! | `copy` | the atom, orders of rows | as if no rows ran along K |
//! | `acc` | the atom | of f32, of f64 for f64 |
//! | `tile` | all of these | - |
//! | `warps`, `warpgroups` | the tile, registers, what is staged | by the registers alone |
//! | `mma` | all of these, with each atom | of halves |
//! | `stages` | the tile, what is staged | - |
//! | `swizzle` | the tile, its copies, the proven warps and multiplication | the identity, which permutes nothing |
//!
//! A key that its own rule refuses counts as not written here: that rule names it, and the others judge
//! the default. Nothing here is trusted: the rules judge a derived value like a written one.

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

use crate::axis::PerSide;
use crate::element::Element;
use crate::form::Form;
use crate::hardware::{Availability, Target};
use crate::layout::Swizzle;
use crate::level;
use crate::level::global_to_shared::tensor;
use crate::level::mma::{self, Atom, RegisterTile};
use crate::level::pdl;
use crate::problem::Axes;
use crate::spec::{CopyAtom, Mma, Raster, Schedule, Spec, Splits};

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
    schedule.swizzle = PerSide::of(|side| {
        let derived = || swizzles::derived(&schedule, axes?, side);
        spec.schedule.swizzle.get(side).or_else(derived).unwrap_or(Swizzle::IDENTITY)
    });
    schedule
}

/// The keys that stages and swizzles depend on, with this atom.
fn resolve_with(
    spec: &Spec,
    elements @ [a, b]: [Element; 2],
    axes: Option<&Axes>,
    mma: Mma,
) -> ResolvedSchedule {
    let schedule = &spec.schedule;
    let basis = Basis::new(spec, elements, axes, mma);
    let (tile, in_shared, is_full) = (basis.tile(), basis.in_shared(), basis.is_full());
    let accumulator = mma::sums(mma, elements, schedule.acc);
    let Basis { orders, targets, copy, transposed, form, .. } = basis;
    let mut resolved = ResolvedSchedule {
        tile,
        warps: [1; 3],
        mma,
        accumulator,
        elements: PerSide { a, b },
        orders,
        register_tile: RegisterTile::new(
            mma,
            level::warps::share(tile[2], warps_along_k(schedule)),
            accumulator.staged().bytes(),
            in_shared.unwrap_or_default(),
            axes.is_none_or(Axes::n_contiguous),
        ),
        form,
        copy,
        transposed,
        swizzle: PerSide::both(Swizzle::IDENTITY),
        stages: 0,
        walk: schedule.walk.filter(|_| form == Form::Groups),
        raster: schedule.raster.unwrap_or(Raster::AlongM(RASTER_WIDTH)),
        splits: schedule.split_k.unwrap_or(Splits::Every(NonZeroU16::MIN)),
        targets,
    };
    resolved.warps = match (schedule.warps, lanes::warps(tile).filter(|_| is_full)) {
        _ if form == Form::Groups => resolved.warpgroups(schedule),
        (Some(grid), _) => grid.map(|count| u32::from(count.get())),
        (None, Some(of_lanes)) => of_lanes,
        (None, None) => resolved.best_warps(axes),
    };
    resolved
}

/// Warps along K: as written, or one.
fn warps_along_k(schedule: &Schedule) -> u32 {
    schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()))
}

/// What the tile of a schedule with this atom is derived from.
struct Basis<'a> {
    schedule: &'a Schedule,
    mma: Mma,
    elements: [Element; 2],
    /// Which side's rows run along K, where that is clear.
    orders: Option<PerSide<bool>>,
    targets: Vec<Target>,
    copy: PerSide<CopyAtom>,
    transposed: PerSide<bool>,
    form: Form,
}

impl Basis<'_> {
    fn new<'a>(
        spec: &'a Spec,
        elements @ [a, b]: [Element; 2],
        axes: Option<&Axes>,
        mma: Mma,
    ) -> Basis<'a> {
        let (schedule, orders) = (&spec.schedule, axes.map(Axes::orders));
        let targets = targets(spec, mma.on().or(Atom::find(mma, a, b).map(|atom| atom.on)));
        let (copy, transposed) = copies::of(schedule, &targets, mma, elements, orders);
        let form = Form::of(mma, &copy);
        Basis { schedule, mma, elements, orders, targets, copy, transposed, form }
    }

    /// Which side's rows run along K in shared memory, where that is clear.
    fn in_shared(&self) -> Option<PerSide<bool>> {
        let orders = self.orders?;
        Some(PerSide::of(|side| *orders.get(side) && !*self.transposed.get(side)))
    }

    /// Whether lanes multiply in full register tiles.
    fn is_full(&self) -> bool {
        lanes::are_full(self.mma, self.elements, self.in_shared(), &self.copy)
    }

    /// The block tile.
    fn tile(&self) -> [u32; 3] {
        let Basis { schedule, mma, elements: [a, _], targets, copy, .. } = self;
        if let Some(tile) = schedule.tile {
            return tile.map(|extent| u32::from(extent.get()));
        }
        let of_lanes = || lanes::tile(schedule, targets, self.transposed);
        if let Some(tile) = self.is_full().then(of_lanes).flatten() {
            return tile;
        }
        let across = self.orders.is_some_and(|orders| !orders.a || !orders.b);
        let [m, n, k] = match self.form {
            Form::Groups => tiling::group_tile(schedule),
            _ => tiling::tile(*mma, *a, across && tiling::unpacks(*mma, *a, targets)),
        };
        match copy.a.is_tma() || copy.b.is_tma() {
            true => [m, n, warps_along_k(schedule).saturating_mul(tensor::ROW_BYTES / a.bytes())],
            false => [m, n, k],
        }
    }
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
