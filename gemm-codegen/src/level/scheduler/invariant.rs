//! Sums whose order nothing but K decides.

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{KOrder, Schedule, Splits};

/// Proves that no key of a schedule that is `invariant` lets the place of a tile decide the order of its sums.
pub(crate) fn check(schedule: &Schedule) -> Result<(), Vec<Diagnostic>> {
    let mut broken = Vec::new();
    let mut refuse = |at, key: &str, why: &str, help: &str| {
        let message = format!("`invariant` and `{key}` exclude each other: {why}");
        broken.push(Diagnostic::new(Rule::Invariant, at, message, help));
    };
    if let Some(Splits::Tail(most)) = schedule.split_k {
        refuse(
            Field::SplitK,
            &format!("split_k = tail({most})"),
            "the number of tiles, and so M, decides which of them are split",
            &format!("write `split_k = {most}`, which splits every tile, or remove `invariant`"),
        );
    }
    if schedule.k_order == Some(KOrder::Serpentine) {
        refuse(
            Field::KOrder,
            "k_order = serpentine",
            "the number of a tile decides whether its k-tiles are summed backwards",
            "remove `k_order`, or `invariant`",
        );
    }
    if schedule.invariant && !broken.is_empty() { Err(broken) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn each_key_that_lets_a_tile_decide_is_refused_with_invariant_alone() {
        let count = NonZeroU16::new(4).expect("it is not 0");
        for (split_k, k_order, mistakes) in [
            (None, None, 0),
            (Some(Splits::Every(count)), Some(KOrder::Ascending), 0),
            (Some(Splits::Tail(count)), None, 1),
            (None, Some(KOrder::Serpentine), 1),
            (Some(Splits::Tail(count)), Some(KOrder::Serpentine), 2),
        ] {
            for invariant in [false, true] {
                let schedule = Schedule { split_k, k_order, invariant, ..Schedule::default() };
                let found = check(&schedule).map_or_else(|broken| broken.len(), |()| 0);
                assert_eq!(found, if invariant { mistakes } else { 0 });
            }
        }
    }
}
