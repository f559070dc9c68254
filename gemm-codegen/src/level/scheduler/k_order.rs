//! In which order a producer brings the k-tiles of a tile of the output.

use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{KOrder, Walk};

/// Proves that blocks whose order is serpentine walk over several tiles; both are as written.
pub(crate) fn check(
    k_order: Option<KOrder>,
    walk: Option<Walk>,
) -> Result<KOrder, Vec<Diagnostic>> {
    let k_order = k_order.unwrap_or_default();
    if k_order == KOrder::Ascending || walk.is_some() {
        return Ok(k_order);
    }
    Err(vec![Diagnostic::new(
        Rule::KOrderOfWalk,
        Field::KOrder,
        "`k_order = serpentine` requires a persistent schedule: a block of one tile has no previous tile",
        "write `schedule = cooperative` with `mma = wgmma`, or remove `k_order`",
    )])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_turn_walk() {
        let is_legal = |k_order, walk| check(k_order, walk).is_ok();
        for walk in [None, Some(Walk::Cooperative), Some(Walk::Pingpong)] {
            assert!(is_legal(None, walk) && is_legal(Some(KOrder::Ascending), walk));
            assert_eq!(is_legal(Some(KOrder::Serpentine), walk), walk.is_some());
        }
    }
}
