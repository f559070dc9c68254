//! The constants of what is multiplied, converted or promoted at a time.

use crate::form::Form;
use crate::level::mma::{self, Promoting, ScaledBy};
use crate::plan::Plan;

/// The k-steps of a stage, and what is asserted of them.
pub(super) fn steps(plan: &Plan) -> [String; 2] {
    let (depth, assertion) = match plan.form {
        Form::Groups => ("BLK_K", "STEPS_K * MMA_K == BLK_K, \"atoms"),
        _ => ("WARP_K", "WARPS_K * STEPS_K * MMA_K == BLK_K, \"warps and atoms"),
    };
    let Some(planes) = plan.planes else {
        return [
            format!(
                "constexpr int STEPS_K = {depth} / MMA_K;  // of a stage\n{}",
                converted_steps(plan)
            ),
            format!("static_assert({assertion} tile BLK_K\");\n"),
        ];
    };
    let [_, _, step] = plan.mma.shape();
    let (unit, columns) = (planes.unit(), planes.unit() * planes.count());
    [
        format!(
            "constexpr int UNIT = {columns};  // columns of {unit} of K: those of each plane in turn\n\
             constexpr int STEPS_K = {depth} / UNIT * {pairs};  // of a stage: `steps_of`\n",
            pairs = planes.pairs_of_steps(step).len(),
        ),
        format!("static_assert({depth} % UNIT == 0, \"a stage has whole units\");\n"),
    ]
}

/// The k-steps of a stage: the value of `STEPS_K`.
pub(super) fn of_stage(plan: &Plan) -> u32 {
    let ([_, _, k], [_, _, step]) = (plan.warps.tile, plan.mma.shape());
    match plan.planes {
        None => k / step,
        Some(planes) => {
            let columns = planes.unit() * planes.count();
            k / columns * planes.pairs_of_steps(step).len() as u32
        }
    }
}

/// The k-steps that warpgroups convert at a time.
fn converted_steps(plan: &Plan) -> String {
    if plan.form != Form::Groups || plan.mma.conversion().is_none() {
        return String::new();
    }
    let sums = plan.scaling.filter(|scaling| scaling.by == ScaledBy::Sums);
    let k = mma::converted_k(plan.block()[2], sums.map(|scaling| scaling.k));
    let steps = k / plan.mma.shape()[2];
    format!("constexpr int CONVERTED_STEPS = {steps};  // whose factors are converted at a time\n")
}

/// The constants of a promotion.
pub(super) fn promoted(plan: &Plan) -> String {
    let Some(tiles) = plan.promotion else { return String::new() };
    let sums = match plan.promoting() {
        None => "",
        Some(Promoting::Halves) => "constexpr int PROMOTED_SUMS = SUMS / 2;  // at a time\n",
        Some(Promoting::Atoms | Promoting::InTurn) => {
            "constexpr int PROMOTED_SUMS = SUMS;  // at a time\n"
        }
    };
    format!(
        "constexpr int PROMOTED = {tiles};  // k-tiles whose products the tensor cores sum\n{sums}"
    )
}
