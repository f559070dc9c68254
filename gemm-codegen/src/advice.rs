//! What a help names: values that are planned first.

use std::num::NonZeroU16;

use crate::axis::PerSide;
use crate::field::Field;
use crate::help::{Edit, Unknown, Values, one_of};
use crate::layout::Swizzle;
use crate::plan::Plan;
use crate::rule::Diagnostic;
use crate::schedule::ResolvedSchedule;
use crate::spec::{Mma, Node, NodeId, Promotion, Spec};
use crate::spelling::did_you_mean;

/// How many values are planned for one help at the most, and for how many unknown names others are.
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
    let advice = Advice { spec, diagnostics, schedule, check };
    let (mut named, mut unknown_names, mut all) = (Vec::new(), 0, Vec::<Diagnostic>::new());
    for diagnostic in diagnostics {
        // The value that is named there satisfies this rule, too: it is one mistake.
        let same = |number: &&usize| all[**number].at == diagnostic.at;
        if let Some(number) = named.iter().find(same).filter(|_| diagnostic.values.is_some()) {
            all[*number].also.push(diagnostic.rule);
            continue;
        }
        let help = match (&diagnostic.values, &diagnostic.unknown) {
            (Some(values), _) => help(values, |edit| advice.words(diagnostic, *edit)),
            (None, Some(unknown)) if unknown_names < TRIALS => {
                unknown_names += 1;
                Some(advice.suggestion(diagnostic, unknown))
            }
            (None, _) => None,
        };
        named.extend(help.is_some().then_some(all.len()));
        let help = help.unwrap_or_else(|| diagnostic.help.clone());
        all.push(Diagnostic { help, values: None, unknown: None, ..diagnostic.clone() });
    }
    all
}

/// What the helps of a spec may name.
struct Advice<'a, C> {
    spec: &'a Spec,
    diagnostics: &'a [Diagnostic],
    schedule: &'a ResolvedSchedule,
    check: C,
}

impl<C: Fn(&Spec) -> Result<Plan, Broken>> Advice<'_, C> {
    /// The swizzles of a spec without this mistake. What is wrong elsewhere may stay so; nothing new may be
    /// wrong, and nothing else at this place.
    fn without(&self, mistake: &Diagnostic, edited: &Spec) -> Option<PerSide<Swizzle>> {
        let is_left = |after: &Diagnostic| {
            let is_known = |before: &Diagnostic| (before.rule, before.at) == (after.rule, after.at);
            let is_here = [mistake.at, self.place(mistake)].contains(&after.at);
            !is_here && self.diagnostics.iter().any(is_known)
        };
        let (left, swizzle) = match (self.check)(edited) {
            Ok(plan) => (Vec::new(), plan.swizzle()),
            Err(after) => (after.diagnostics, after.schedule?.swizzle),
        };
        left.iter().all(is_left).then_some(swizzle)
    }

    /// What it points at: derived stages are as many as fit the tile.
    fn place(&self, broken: &Diagnostic) -> Field {
        match (broken.at, self.spec.schedule.stages) {
            (Field::Stages, None) => broken.unsuited.unwrap_or(broken.at),
            (at, _) => at,
        }
    }

    /// The words for a change, if it is legal.
    fn words(&self, mistake: &Diagnostic, edit: Edit) -> Option<[String; 3]> {
        let mut edited = edited(self.spec, self.schedule, edit)?;
        let derived = self.without(mistake, &edited)?;
        if let Edit::Swizzle(side) = edit {
            // One that suits what is derived beside it may not be one that can be written.
            *edited.schedule.swizzle.get_mut(side) = Some(*derived.get(side));
            self.without(mistake, &edited)?;
        }
        Some(edit.words(derived))
    }

    /// The help of an unknown name: a similar one that is legal in its place, then all of them.
    fn suggestion(&self, mistake: &Diagnostic, unknown: &Unknown) -> String {
        let is_legal = |name: &&str| {
            let edited = renamed(self.spec, mistake.at, name);
            edited.is_some_and(|edited| self.without(mistake, &edited).is_some())
        };
        let legal = unknown.similar().filter(is_legal);
        did_you_mean(&unknown.written, legal, &mistake.help)
    }
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
        Edit::Tiling([m, n], [along_m, along_n]) => {
            let tile = with(schedule.tile, resolved.tile, 0, m)?;
            schedule.tile = Some(with(Some(tile), resolved.tile, 1, n)?);
            let warps = with(schedule.warps, resolved.warps, 0, along_m)?;
            schedule.warps = Some(with(Some(warps), resolved.warps, 1, along_n)?);
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
        Edit::Promotion(k) => schedule.promote = Some(Promotion::Every(k)),
    }
    Some(spec)
}

/// The spec with another name at this place of its body.
fn renamed(spec: &Spec, at: Field, new: &str) -> Option<Spec> {
    let Field::Body(NodeId(id)) = at else { return None };
    let mut spec = spec.clone();
    match spec.body.nodes.get_mut(id)? {
        Node::Name(name) | Node::Deref(name) => *name = new.to_owned(),
        Node::Call { function: name, .. } | Node::Method { method: name, .. } => {
            *name = new.to_owned();
        }
        _ => return None,
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
