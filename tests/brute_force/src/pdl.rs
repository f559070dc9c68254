//! What is loaded before the predecessor kernel has ended.

use gemm_codegen::{Side, Spec};

use super::body;
use super::case::Case;
use super::way::Way;

/// Whether a name is given that no block can load early.
pub(super) fn names(case: &Case<'_>, named: &[String]) -> bool {
    let spec = case.spec;
    let unknown = |name: &String| !spec.operands.iter().any(|operand| operand.name == *name);
    let twice = (1..named.len()).any(|at| named[..at].contains(&named[at]));
    let not_loaded = |name: &String| {
        let Some(products) = body::products(spec) else { return false };
        let side_of = |factors: &[usize; 2]| {
            factors.iter().position(|factor| spec.operands[*factor].name == *name)
        };
        let side = products.iter().find_map(side_of);
        // Another law has none early next to a term.
        let is_named = |factor: &usize| spec.operands[*factor].name == *name;
        let is_of_term = body::term(spec).is_some_and(|(term, _)| term.iter().any(is_named));
        if side.is_none() && is_of_term {
            return false;
        }
        let factors = products.iter().flatten();
        if factors.flat_map(|of| tiles(spec, *of)).any(|tiles| is_named(&tiles)) {
            return false;
        }
        // The thread that copies for warpgroups has nothing else to do before the wait.
        let by_unit = |side| case.of_groups && case.way(side) == Way::Tensor;
        let side = side.map(|side| Side::BOTH[side]);
        side.is_none_or(|side| !by_unit(side) && case.copy(side).1.is_none())
    };
    twice || named.iter().any(|name| unknown(name) || not_loaded(name))
}

/// Whether all factors of A and of B are named with what they are scaled by, of a legal spec. Warps read scales before they
/// multiply: where those of one side may not be read early, nothing is.
pub(super) fn early(spec: &Spec, named: &[String]) -> [bool; 2] {
    let products = body::products(spec).unwrap_or_default();
    let is_named = |operand: usize| named.contains(&spec.operands[operand].name);
    let sides = [0, 1].map(|side| {
        let tiles = products.iter().flat_map(|factors| tiles(spec, factors[side]));
        let tiles: Vec<usize> = tiles.collect();
        let all = products.iter().map(|factors| factors[side]).chain(tiles.iter().copied());
        (all.into_iter().all(is_named), tiles.is_empty())
    });
    let waits = sides.iter().any(|(is_early, is_plain)| !is_early && !is_plain);
    sides.map(|(is_early, _)| is_early && !waits)
}

/// What is applied to a factor, by the numbers of the operands.
fn tiles(spec: &Spec, factor: usize) -> impl Iterator<Item = usize> {
    let scale = body::scale(spec, factor).map(|(scale, _)| scale);
    scale.into_iter().chain(body::offset(spec, factor))
}
