//! The laws of who multiplies: warps, or warpgroups.

use super::ResolvedSchedule;
use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::level::mma::Mma;
use crate::level::pipeline::PipelineKind;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Schedule, Spec};

/// Proves that `warps` or `warpgroups` are written where those execute an atom, and that warpgroups get
/// what they read: tensor copies of a tile that is theirs alone.
pub(crate) fn check_workers(
    spec: &Spec,
    schedule: &ResolvedSchedule,
) -> Result<(), Vec<Diagnostic>> {
    let Schedule { warps, warpgroups, split_k, .. } = &spec.schedule;
    let of_group = schedule.mma == Mma::Wgmma;
    let refuse = |rule, at, message: &str, help: &str| Diagnostic::new(rule, at, message, help);
    let mut broken = Vec::new();
    if of_group && warps.is_some() {
        broken.push(refuse(
            Rule::WarpsOfAtom,
            Field::Warps(Axis::M),
            "wgmma is executed by warpgroups, four warps each, not by single warps",
            "write `warpgroups = [m, n]` in place of `warps`",
        ));
    }
    if !of_group && warpgroups.is_some() {
        broken.push(refuse(
            Rule::WarpsOfAtom,
            Field::Warpgroups(Axis::M),
            "warpgroups execute wgmma alone",
            "write `mma = wgmma`, or `warps = [m, n]` in place of `warpgroups`",
        ));
    }
    if of_group && schedule.pipeline != PipelineKind::Specialised {
        broken.push(refuse(
            Rule::WarpgroupCopies,
            Field::Copy(Side::A),
            "wgmma reads tiles that tensor copies have swizzled, in rows of 128 B",
            "use `copy = tma`, the default of `mma = wgmma`",
        ));
    }
    if of_group && split_k.is_some_and(|splits| splits.most() > 1) {
        broken.push(refuse(
            Rule::WarpgroupSplits,
            Field::SplitK,
            "blocks of warpgroups do not share the K of a tile",
            "remove `split_k`, or use an atom of one warp",
        ));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}
