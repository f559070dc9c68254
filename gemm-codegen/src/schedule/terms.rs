//! The laws of a schedule for a term that is added to a product.

use super::ResolvedSchedule;
use crate::axis::Side;
use crate::field::Field;
use crate::form::Form;
use crate::problem::Added;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, Spec};

/// Proves that both terms can be summed in the same registers, one after the other; `is_scaled` says whether the
/// sums of the first are multiplied in between.
pub(crate) fn check_added(
    spec: &Spec,
    schedule: &ResolvedSchedule,
    added: &Added,
    is_scaled: bool,
) -> Result<(), Vec<Diagnostic>> {
    let names = Side::BOTH.map(|side| spec.operands[added.factors.get(side).operand].name.as_str());
    let term = format!("`matmul({}, {})` is added to a product", names[0], names[1]);
    let broken: Vec<Diagnostic> = laws(spec, schedule, added, is_scaled)
        .into_iter()
        .filter_map(|(is_broken, at, why, help)| {
            let message = format!("{term}, {why}");
            is_broken.then(|| Diagnostic::new(Rule::AddedTerm, at, message, help))
        })
        .collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// Whether a law is broken, where, why, and what helps.
type Law = (bool, Field, &'static str, &'static str);

/// What helps whatever the schedule is.
const APART: &str = "compute it in a second function, which adds in place: `&mut Mat`";

/// The laws of the factors and of the sums.
fn laws(spec: &Spec, schedule: &ResolvedSchedule, added: &Added, is_scaled: bool) -> [Law; 6] {
    let operand = added.factors.b.operand;
    let has_scale = |side: Side| added.factors.get(side).scale.is_some();
    let scales = schedule.scaled().any() || Side::BOTH.into_iter().any(has_scale);
    let converts = "but factors of these elements are converted on their way";
    let applies = "but a factor has scales, which are applied to the sums of its own term";
    let of_planes =
        "but f32 factors are multiplied as planes, whose sums are scaled by their exponents";
    let promotes = "but warpgroups promote the sums, for which they need the registers";
    let rounds = "times a scale, but sums in f16 would be rounded by it";
    let early = "but factors are copied early only for one product";
    [
        (schedule.converts(), Field::OperandElement(operand), converts, APART),
        (scales, Field::Operand(operand), applies, APART),
        (
            schedule.planes.is_some(),
            Field::Precision,
            of_planes,
            "use `precision = tf32`, or compute it in a second function",
        ),
        (
            is_promoted_by_groups(schedule),
            Field::Promotion,
            promotes,
            "write `promote = never`, or use an atom of warps",
        ),
        (
            is_scaled && schedule.accumulator == Accumulator::F16,
            Field::Accumulator,
            rounds,
            "use `acc = f32`, or remove the scale",
        ),
        (names_early(spec), Field::PdlOperand(0), early, "write `pdl = []`"),
    ]
}

/// Whether a schedule names factors that are copied early.
fn names_early(spec: &Spec) -> bool {
    spec.schedule.pdl.as_ref().is_some_and(|names| !names.is_empty())
}

/// Whether warpgroups promote sums that are not of planes.
fn is_promoted_by_groups(schedule: &ResolvedSchedule) -> bool {
    let is_promoted = schedule.promoted().tiles(schedule.promote).is_some();
    schedule.form == Form::Groups && schedule.planes.is_none() && is_promoted
}
