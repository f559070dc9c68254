//! The laws of who multiplies: warps, or warpgroups.

use super::ResolvedSchedule;
use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::form::Form;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Schedule, Spec, Walk};

/// A law of who multiplies: whether it is broken, and what is said then.
type Law = (bool, (Rule, Field), &'static str, &'static str);

/// Proves that `warps` or `warpgroups` are written where those execute an atom, and that warpgroups get
/// what they read: tensor copies of a tile that is theirs alone.
pub(crate) fn check_workers(
    spec: &Spec,
    schedule: &ResolvedSchedule,
) -> Result<(), Vec<Diagnostic>> {
    let laws = written(&spec.schedule, schedule.form).into_iter().chain(of_groups(schedule));
    let broken: Vec<Diagnostic> = laws
        .filter(|(is_broken, ..)| *is_broken)
        .map(|(_, (rule, at), message, help)| Diagnostic::new(rule, at, message, help))
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// The laws of keys that another form has.
fn written(written: &Schedule, form: Form) -> [Law; 3] {
    let of_group = form == Form::Groups;
    [
        (
            of_group && written.warps.is_some(),
            (Rule::WarpsOfAtom, Field::Warps(Axis::M)),
            "wgmma is executed by warpgroups, four warps each, not by single warps",
            "write `warpgroups = [m, n]` in place of `warps`",
        ),
        (
            !of_group && written.warpgroups.is_some(),
            (Rule::WarpsOfAtom, Field::Warpgroups(Axis::M)),
            "warpgroups execute wgmma alone",
            "write `mma = wgmma`, or `warps = [m, n]` in place of `warpgroups`",
        ),
        (
            !of_group && written.walk.is_some(),
            (Rule::WalkOfWarpgroups, Field::Walk),
            "only blocks of warpgroups walk over several tiles",
            "write `mma = wgmma`, or remove `schedule`",
        ),
    ]
}

/// The laws of warpgroups.
fn of_groups(schedule: &ResolvedSchedule) -> [Law; 2] {
    let shares = schedule.warps[..2] != [1, 1];
    [
        (
            schedule.form == Form::Groups && !schedule.copies_tensors(),
            (Rule::WarpgroupCopies, Field::Copy(Side::A)),
            "wgmma reads tiles that tensor copies have swizzled, in rows of 128 B",
            "use `copy = tma`, the default of `mma = wgmma`",
        ),
        (
            schedule.walk == Some(Walk::Pingpong) && shares,
            (Rule::PingpongWarpgroups, Field::Warpgroups(Axis::M)),
            "two warpgroups take turns in a pingpong, and each has a tile of its own",
            "write `warpgroups = [1, 1]`, or `schedule = cooperative`",
        ),
    ]
}
