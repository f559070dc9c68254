//! [`Facts`]: what a plan says of a kernel besides how to launch it.

use std::borrow::Cow;

use crate::axis::{Axis, PerSide, index_name};
use crate::level::mma::Unit;
use crate::part::Part;
use crate::plan::Plan;
use crate::spec::{Accumulator, CopyAtom, Raster};

/// What is known of an emitted text, for those who judge, count or draw what it does, and for messages. No
/// launch depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// How its sums are rounded.
    pub sums: Sums,
    /// The order of its tiles.
    pub raster: Raster,
    /// What copies the tiles of each side to shared memory.
    pub copies: PerSide<CopyAtom>,
    /// What its accesses to shared memory cost.
    pub bank_passes: BankPasses,
    /// The lines of the text that belong to a part, in order: the first and the last one, from 1. The
    /// functions in all other lines count as their callers'.
    pub parts: Cow<'static, [(Part, [u32; 2])]>,
    /// What the signature calls each axis.
    pub indices: Cow<'static, [(Axis, Cow<'static, str>)]>,
}

/// How sums are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// As numbers of this type.
    Rounded(Accumulator),
    /// To the 13 bits of fraction that `wgmma` keeps of f32 where it multiplies 8-bit floats.
    Truncated,
    /// The same for this much of K; these sums are added as f32.
    Promoted(u32),
}

/// The most passes of the banks for one group of lanes; 1 is free of conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankPasses {
    /// Of the copies of each side; 1 where the copy unit writes.
    pub copy: PerSide<u32>,
    /// Of the loads of each side's fragments; 0 where nothing is loaded.
    pub load: PerSide<u32>,
    /// Of the stores that stage the output.
    pub stage: u32,
    /// Of the loads of what was staged.
    pub unstage: u32,
}

impl Facts {
    /// Those of a plan whose text has these parts.
    pub(crate) fn of(plan: &Plan, parts: Vec<(Part, [u32; 2])>) -> Facts {
        Facts {
            sums: Sums::of(plan),
            raster: plan.raster,
            copies: plan.sides.map(|side| side.global_to_shared.atom),
            bank_passes: BankPasses::of(plan),
            parts: parts.into(),
            indices: plan.problem().index_names().into(),
        }
    }

    /// What the signature calls an axis, if it has it.
    pub fn index_name(&self, axis: Axis) -> Option<&str> {
        index_name(&self.indices, axis)
    }

    /// The part that a line of the text belongs to, from 1.
    pub fn part(&self, line: u32) -> Option<Part> {
        let mut parts = self.parts.iter();
        parts.find(|(_, [first, last])| (*first..=*last).contains(&line)).map(|(part, _)| *part)
    }
}

impl Sums {
    /// Those of a plan.
    pub fn of(plan: &Plan) -> Sums {
        match plan.mma.unit {
            Unit::Warpgroup(_) if plan.mma.elements.a.is_float8() => {
                plan.promotion().map_or(Sums::Truncated, Sums::Promoted)
            }
            _ => Sums::Rounded(plan.mma.accumulator),
        }
    }
}

impl BankPasses {
    /// Those of a plan.
    pub fn of(plan: &Plan) -> BankPasses {
        BankPasses {
            copy: plan.sides.map(|side| side.global_to_shared.bank_passes),
            load: plan.sides.map(|side| side.feed.bank_passes()),
            stage: plan.epilogue.bank_passes(),
            unstage: plan.staged_load_passes(),
        }
    }
}
