//! The schedule with every key filled in, each from those before it:
//!
//! | key | by | from | where that is unknown |
//! | --- | --- | --- | --- |
//! | `targets` | `targets` | elements, the atom | the usual ones |
//! | `copy` | `copies::of` | targets, the order of rows | rows along M or N |
//! | `acc` | `mma::sums` | elements, the atom | `f32`, of `f64` itself |
//! | `tile` | `lanes::tile`, `usual_tile` | the copies | always known |
//! | `warps` | `best_warps` | registers, what is staged | the registers decide |
//! | `warpgroups` | `warpgroups` | the laws of each grid | the fewest are broken |
//! | `mma` | `atom::choose`, `lanes::choose` | all of these, by atom | as for halves |
//! | `stages` | `derived_stages` | the tile, what is staged | two |
//! | `swizzle` | `swizzles::derived` | proven warps and multiplication | `None`: nothing is permuted |
//!
//! A key that its own rule refuses counts as not written: that rule names it, the others judge the default.
//! Nothing here is trusted: the rules judge a derived value like a written one.

mod atom;
mod boxes;
mod copies;
mod k_steps;
mod lanes;
mod promotion;
mod resolved;
mod swizzles;
mod terms;
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
use crate::problem::Axes;
use crate::spec::{CopyAtom, KOrder, Mma, Planes, Raster, Schedule, Spec, Splits};

pub(crate) use resolved::ResolvedSchedule;
pub(crate) use terms::check_added;
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
    planes: Option<Planes>,
) -> ResolvedSchedule {
    let elements = elements.unwrap_or([Element::F16; 2]);
    let with = |mma| resolve_with(spec, elements, axes, mma, planes);
    let mut schedule = match spec.schedule.mma {
        Some(mma) => with(mma),
        // Warps multiply planes that threads copy.
        None if planes.is_some() && spec.schedule.copies_tensors() => with(Mma::Wgmma(None)),
        None if mma::is_by_lanes(elements, spec.schedule.precision) => lanes::choose(with),
        None => atom::choose(
            mma::multiplied_as(elements),
            |atom| targets(spec, atom.map(|atom| atom.on)),
            with,
        ),
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
    planes: Option<Planes>,
) -> ResolvedSchedule {
    let (schedule, orders) = (&spec.schedule, axes.map(Axes::orders));
    let [as_a, as_b] = mma::multiplied_as(elements);
    let targets = targets(spec, mma.on().or(Atom::find(mma, as_a, as_b).map(|atom| atom.on)));
    let (copy, transposed) = copies::of(schedule, &targets, mma, elements, orders);
    let form = Form::of(mma, &copy);
    let mut resolved = ResolvedSchedule {
        tile: [1; 3],
        warps: [1; 3],
        mma,
        accumulator: mma::sums(mma, elements, schedule.acc),
        promote: schedule.promote,
        products: axes.map_or(1, Axes::products),
        elements: PerSide { a, b },
        scales: PerSide::of(|side| axes.and_then(|axes| axes.factor(side).scale)),
        planes,
        orders,
        register_tile: None,
        form,
        copy,
        transposed,
        swizzle: PerSide::both(Swizzle::IDENTITY),
        stages: 0,
        walk: schedule.walk.filter(|_| form == Form::Groups),
        k_order: schedule.k_order.unwrap_or(KOrder::Ascending),
        raster: schedule.raster.unwrap_or(Raster::AlongM(RASTER_WIDTH)),
        splits: schedule.split_k.unwrap_or(Splits::Every(NonZeroU16::MIN)),
        targets,
    };
    resolved.cut(schedule, axes);
    resolved
}

impl ResolvedSchedule {
    /// Fills in how the work of a block is cut.
    fn cut(&mut self, schedule: &Schedule, axes: Option<&Axes>) {
        let orders = self
            .orders
            .map(|orders| PerSide::of(|side| *orders.get(side) && !*self.transposed.get(side)));
        let is_full = lanes::are_full(self.mma, self.elements, orders, &self.copy);
        let warps_k = schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()));
        let numbers = |written: [NonZeroU16; 3]| written.map(|number| u32::from(number.get()));
        let columns = self.columns_of_k();
        let in_columns = |[m, n, k]: [u32; 3]| [m, n, k * columns];
        let of_lanes = || lanes::tile(schedule, &self.targets, self.transposed);
        let derived = || (is_full && self.products == 1).then(of_lanes).flatten();
        let tile = schedule.tile.map(numbers).map(in_columns).or_else(derived);
        self.tile = tile.unwrap_or_else(|| self.usual_tile(schedule, warps_k));
        self.register_tile = RegisterTile::new(
            self.mma,
            level::warps::share(self.tile[2], warps_k),
            self.accumulator.staged().bytes(),
            orders.unwrap_or_default(),
            axes.is_none_or(Axes::n_contiguous),
        );
        let of_lanes = || is_full.then(|| lanes::warps(self.tile)).flatten();
        self.warps = match self.form {
            Form::Groups => self.warpgroups(schedule),
            _ => match schedule.warps.map(numbers).or_else(of_lanes) {
                Some(warps) => warps,
                None => self.best_warps(axes),
            },
        };
    }

    /// The tile of a schedule that names none, but for full register tiles.
    fn usual_tile(&self, schedule: &Schedule, warps_k: u32) -> [u32; 3] {
        let PerSide { a, b } = self.elements;
        // The rows of a factor that is converted have as many bytes as those of others.
        let several = [a, b].into_iter().find(|element| element.is_several()).unwrap_or(a);
        let stored = mma::Conversion::of([a, b]).map_or(several, |conversion| conversion.from);
        let element = stored.plain();
        let is_across = !Side::BOTH.into_iter().all(|side| self.along_k(side));
        let is_narrow = is_across && tiling::unpacks(self.mma, element, &self.targets);
        let [m, n, k] = match self.form {
            Form::Groups => {
                let promotes = self.promoted().tiles(self.promote).is_some();
                tiling::group_tile(schedule, self.products, promotes)
            }
            _ => tiling::tile(self.mma, element, is_narrow, self.products),
        };
        let row = tensor::ROW_BYTES / element.bytes();
        let by_tensors = self.copy.a.is_tma() || self.copy.b.is_tma();
        let k = if by_tensors { warps_k.saturating_mul(row) } else { k };
        let k = k.next_multiple_of(stored.numbers() * stored.in_turn());
        let units = self.planes.map(|planes| match by_tensors {
            true => tensor::whole_boxes(planes) * planes.count(),
            false => planes.unit() * planes.count() * warps_k.max(1),
        });
        [m, n, units.map_or(k, |units| k.next_multiple_of(units))]
    }
}

/// The targets that are named; else the usual ones that have the atoms and know the elements.
fn targets(spec: &Spec, atom: Option<Availability>) -> Vec<Target> {
    if let Some(named) = &spec.schedule.targets {
        return named.clone();
    }
    let operands = spec.operands.iter().filter_map(|operand| operand.kind.element());
    let stored = spec.outputs.iter().map(|output| output.element.stored_on());
    let elements = operands.map(Element::read_on).chain(stored);
    let tma = spec.schedule.copies_tensors().then(|| CopyAtom::TMA.on());
    let needed: Vec<Availability> = elements.chain(atom).chain(tma).collect();
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
