//! What a help names: values that are planned first.

use std::num::NonZeroU16;

use crate::help::{Edit, Values, one_of};
use crate::plan::Plan;
use crate::rule::Diagnostic;
use crate::schedule::ResolvedSchedule;
use crate::spec::{Mma, Spec};

/// How many values are planned for one help at the most.
const TRIALS: usize = 8;

/// Why a spec has no plan, and the schedule that was asked for, if it has an output.
pub(crate) struct Broken {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) schedule: Option<Box<ResolvedSchedule>>,
}

/// Names in each help the first of its values that are legal, as far as the rest of the spec can be
/// judged. `check` plans another spec.
pub(crate) fn name_values(
    spec: &Spec,
    broken: Broken,
    check: impl Fn(&Spec) -> Result<Plan, Broken>,
) -> Vec<Diagnostic> {
    let Broken { diagnostics, schedule: Some(schedule) } = &broken else {
        return broken.diagnostics;
    };
    // What is wrong elsewhere may stay so; nothing new may be wrong, and nothing else at this place.
    let is_left = |after: &Diagnostic, of: &Diagnostic| {
        let is_known = |before: &Diagnostic| (before.rule, before.at) == (after.rule, after.at);
        after.at != of.at && diagnostics.iter().any(is_known)
    };
    let name = |diagnostic: &Diagnostic| {
        let swizzle = |edited: &Spec| {
            let (left, swizzle) = match check(edited) {
                Ok(plan) => (Vec::new(), plan.swizzle()),
                Err(after) => (after.diagnostics, after.schedule?.swizzle),
            };
            left.iter().all(|left| is_left(left, diagnostic)).then_some(swizzle)
        };
        let legal = |edit: &Edit| {
            let mut edited = edited(spec, schedule, *edit)?;
            let derived = swizzle(&edited)?;
            if let Edit::Swizzle(side) = *edit {
                // One that suits what is derived beside it may not be one that can be written.
                *edited.schedule.swizzle.get_mut(side) = Some(*derived.get(side));
                swizzle(&edited)?;
            }
            Some(edit.words(derived))
        };
        let help = diagnostic.values.as_ref().and_then(|values| help(values, legal));
        Diagnostic {
            help: help.unwrap_or_else(|| diagnostic.help.clone()),
            values: None,
            ..diagnostic.clone()
        }
    };
    diagnostics.iter().map(name).collect()
}

/// The help that names the first legal values, smallest first.
fn help(values: &Values, legal: impl Fn(&Edit) -> Option<[String; 3]>) -> Option<String> {
    let words = values.edits.iter().take(TRIALS).filter_map(legal).take(values.most);
    let (around, mut named): (Vec<_>, Vec<_>) =
        words.map(|[before, value, after]| ([before, after], value)).unzip();
    let [before, after] = around.into_iter().last()?;
    named.sort_by_key(|value| value.parse::<u32>().ok());
    let named = one_of(named.iter().map(String::as_str));
    Some(format!("use {before}{named}{after}{}", values.after))
}

/// The spec as its author writes it who makes this change; `None` if the attribute cannot hold it.
fn edited(spec: &Spec, resolved: &ResolvedSchedule, edit: Edit) -> Option<Spec> {
    let mut spec = spec.clone();
    let schedule = &mut spec.schedule;
    match edit {
        Edit::Tile(axis, extent) => {
            schedule.tile = Some(with(schedule.tile, resolved.tile, axis as usize, extent)?);
        }
        Edit::Warps(axis, warps) => {
            schedule.warps = Some(with(schedule.warps, resolved.warps, axis as usize, warps)?);
        }
        Edit::Warpgroups(axis, groups) => {
            let all = schedule.warpgroups.map(|[m, n]| [m, n, NonZeroU16::MIN]);
            let [m, n, _] = with(all, resolved.warps, axis as usize, groups)?;
            schedule.warpgroups = Some([m, n]);
        }
        Edit::RegisterTile([m, n]) => {
            schedule.mma = Some(Mma::Fma { m: number(m)?, n: number(n)? });
        }
        Edit::CopyBytes(side, bytes) => {
            let atom = resolved.copy.get(side).with_bytes(number(bytes)?);
            *schedule.copy.get_mut(side) = Some(atom);
        }
        Edit::Swizzle(side) => *schedule.swizzle.get_mut(side) = None,
        Edit::Stages(stages) => schedule.stages = Some(number(stages)?),
    }
    Some(spec)
}

/// Three extents as written, or as they were derived, with another one at this place.
fn with(
    written: Option<[NonZeroU16; 3]>,
    derived: [u32; 3],
    at: usize,
    extent: u32,
) -> Option<[NonZeroU16; 3]> {
    let [m, n, k] = derived.map(number);
    let mut all = match written {
        Some(all) => all,
        None => [m?, n?, k?],
    };
    all[at] = number(extent)?;
    Some(all)
}

/// A number that an attribute can hold.
fn number(number: u32) -> Option<NonZeroU16> {
    NonZeroU16::new(u16::try_from(number).ok()?)
}
