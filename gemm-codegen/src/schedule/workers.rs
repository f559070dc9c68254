//! The laws of who multiplies: warps, or warpgroups.

use super::ResolvedSchedule;
use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::form::Form;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Schedule, Spec};

/// Proves that `warps` or `warpgroups` are written where those execute an atom, and that warpgroups get
/// what they read: tensor copies.
pub(crate) fn check_workers(
    spec: &Spec,
    schedule: &ResolvedSchedule,
) -> Result<(), Vec<Diagnostic>> {
    let Schedule { warps, warpgroups, .. } = &spec.schedule;
    let of_group = schedule.form == Form::Groups;
    let laws = [
        (
            of_group && warps.is_some(),
            (Rule::WarpsOfAtom, Field::Warps(Axis::M)),
            "`mma = wgmma` is executed by warpgroups of four warps each, not by single warps",
            "write `warpgroups = [m, n]` in place of `warps`",
        ),
        (
            !of_group && warpgroups.is_some(),
            (Rule::WarpsOfAtom, Field::Warpgroups(Axis::M)),
            "`warpgroups` requires `mma = wgmma`: other atoms are executed by single warps",
            "write `mma = wgmma`, or `warps = [m, n]` in place of `warpgroups`",
        ),
        (
            of_group && !schedule.copies_tensors(),
            (Rule::WarpgroupCopies, Field::Copy(Side::A)),
            "`mma = wgmma` requires `copy = tma`: it reads tiles as tensor copies swizzle them",
            "use `copy = tma`, the default of `mma = wgmma`",
        ),
    ];
    let broken = laws.into_iter().filter(|(is_broken, ..)| *is_broken);
    let broken: Vec<Diagnostic> = broken
        .map(|(_, (rule, at), message, help)| Diagnostic::new(rule, at, message, help))
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}
