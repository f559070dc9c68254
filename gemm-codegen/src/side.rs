//! The way of one multiplied operand: tile in shared memory, copies into it, fragments out of it.

use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::form::Form;
use crate::help::{Edit, Values};
use crate::layout::Swizzle;
use crate::level::feed::{Descriptor, Feed};
use crate::level::global_to_shared::{self, GlobalToShared};
use crate::level::mma::{Multiply, Unit};
use crate::level::shared_tile::{self, SharedTile};
use crate::level::shared_to_register::{self, LoadPath};
use crate::level::warps::Warps;
use crate::problem::Axes;
use crate::rule::{Diagnostic, Rule};
use crate::schedule::ResolvedSchedule;
use crate::spec::{Allow, CopyAtom, Spec};

/// The plan of one multiplied operand: its way from global memory into fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SidePlan {
    pub(crate) tile: SharedTile,
    pub(crate) global_to_shared: GlobalToShared,
    pub(crate) feed: Feed,
}

/// What the rules of a side look at.
pub(crate) struct Check<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) schedule: &'a ResolvedSchedule,
    pub(crate) axes: &'a Axes,
    /// Missing if nothing multiplies these elements; what needs no fragments is judged all the same.
    pub(crate) multiply: Option<&'a Multiply>,
    /// Missing if the warps do not tile the block; the copies of a side are judged all the same.
    pub(crate) warps: Option<&'a Warps>,
}

impl Check<'_> {
    /// Proves one side.
    pub(crate) fn plan(&self, side: Side) -> Result<SidePlan, Vec<Diagnostic>> {
        let (atom, threads) = (*self.schedule.copy.get(side), self.schedule.threads());
        let tile = self.tile(side, *self.schedule.swizzle.get(side));
        match (self.covered(side, atom), self.swizzled(side, &tile)) {
            (Ok(()), Ok(())) => {}
            (covered, swizzled) => {
                let broken = covered.err().into_iter().chain(swizzled.err());
                return Err(broken.flatten().collect());
            }
        }
        let global_to_shared = global_to_shared::plan(&tile, atom, threads)?;
        let (multiply, warps) = self.multiply.zip(self.warps).ok_or_else(Vec::new)?;
        let atoms = warps.atoms[usize::from(side == Side::B)];
        let path = LoadPath::of_warps(side, tile.k_contiguous, multiply, warps);
        let feed = match multiply.unit {
            Unit::Warpgroup(_) if !multiply.converts(side) => {
                Feed::Descriptor(Descriptor::new(&tile))
            }
            Unit::TensorCore(_) | Unit::Fma(_) | Unit::Warpgroup(_) => {
                Feed::Registers(shared_to_register::plan(&tile, path, multiply, atoms))
            }
        };
        let plan = SidePlan { tile, global_to_shared, feed };
        self.bank_conflict_free(side, &plan)?;
        Ok(plan)
    }

    /// Whole copies cover the tile. One that no block can hold is not enumerated: it is reported by
    /// itself, as is a copy size that does not exist.
    fn covered(&self, side: Side, atom: CopyAtom) -> Result<(), Vec<Diagnostic>> {
        let bytes = self.axes.factor(side).element.bytes();
        global_to_shared::check_size(side, atom).map_err(|_| Vec::new())?;
        global_to_shared::check_element(side, atom, bytes)?;
        if !self.schedule.is_enumerable() {
            return Err(Vec::new());
        }
        // Rows that no copy or chunk divides hide what a swizzle would do to them.
        let unswizzled = self.tile(side, Swizzle { b: 0, ..*self.schedule.swizzle.get(side) });
        global_to_shared::plan(&unswizzled, atom, self.schedule.threads()).map(|_| ())
    }

    /// The laws of a swizzle hold, or there is none where copies transpose the tile.
    fn swizzled(&self, side: Side, tile: &SharedTile) -> Result<(), Vec<Diagnostic>> {
        let checked = match *self.schedule.transposed.get(side) {
            true => shared_tile::check_swizzle(side, *self.schedule.swizzle.get(side)),
            false => shared_tile::check(tile),
        };
        match self.warps {
            Some(_) => checked,
            None => checked.map_err(shared_tile::of_wrong_tile),
        }
    }

    fn tile(&self, side: Side, swizzle: Swizzle) -> SharedTile {
        self.schedule.shared_tile(side, self.axes.factor(side).k_contiguous(), swizzle)
    }

    /// One pass of the banks for every copy and every load, unless more are allowed.
    fn bank_conflict_free(&self, side: Side, plan: &SidePlan) -> Result<(), Vec<Diagnostic>> {
        let [loads, stores] = [plan.feed.bank_passes(), plan.global_to_shared.bank_passes];
        let allowed = self.spec.schedule.allow.contains(&Allow::BankConflicts);
        // Warpgroups read what tensor copies write, free of conflicts; other copies are refused.
        let allowed = allowed || self.schedule.form == Form::Groups;
        // A part of packed elements lies as far apart as these: no swizzle can help.
        let is_part = plan.feed.loads().is_some_and(|loads| loads.is_part_of_packed(&plan.tile));
        let loads = if is_part { 1 } else { loads };
        if allowed || loads.max(stores) == 1 {
            return Ok(());
        }
        let swizzle = plan.tile.layout.swizzle();
        let broken = Diagnostic::new(
            Rule::BankConflictFree,
            Field::Swizzle(side),
            format!(
                "with swizzle [{}, {}, {}] a load of the {} x {} tile of {} takes {loads} \
                 passes of the banks and a store {stores}: more than 1 is a bank conflict",
                swizzle.b,
                swizzle.m,
                swizzle.s,
                plan.tile.layout.rows,
                plan.tile.layout.cols,
                side.letter().to_uppercase()
            ),
            "no swizzle of this tile needs 1 pass: change the block tile, or accept conflicts with \
             `allow(bank_conflicts)`",
        );
        let after = ", which needs 1 pass, or accept conflicts with `allow(bank_conflicts)`";
        let along = if side == Side::A { Axis::M } else { Axis::N };
        let contiguous = if plan.tile.k_contiguous { Axis::K } else { along };
        let broken = broken.or_at(Field::Tile(contiguous));
        Err(vec![broken.naming(Values::one([Edit::Swizzle(side)], after))])
    }
}
