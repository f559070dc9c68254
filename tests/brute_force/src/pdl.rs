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
    twice || named.iter().any(|name| unknown(name) || not_loaded(name)) || misses(spec, named)
}

/// Whether an operand is named without others that are loaded with it.
fn misses(spec: &Spec, named: &[String]) -> bool {
    let is_named = |operand: usize| named.contains(&spec.operands[operand].name);
    let sides = sides(spec);
    [0, 1].into_iter().any(|side| {
        let ((own, _), (other, other_has_tiles)) = (&sides[side], &sides[1 - side]);
        own.iter().any(|of| is_named(*of))
            && (!own.iter().all(|of| is_named(*of))
                || *other_has_tiles && !other.iter().all(|of| is_named(*of)))
    })
}

/// The operands of each side, with what is applied to its factors, and whether something is.
fn sides(spec: &Spec) -> [(Vec<usize>, bool); 2] {
    let products = body::products(spec).unwrap_or_default();
    [0, 1].map(|side| {
        let factors: Vec<usize> = products.iter().map(|factors| factors[side]).collect();
        let tiles: Vec<usize> = factors.iter().flat_map(|of| tiles(spec, *of)).collect();
        let has_tiles = !tiles.is_empty();
        (factors.into_iter().chain(tiles).collect(), has_tiles)
    })
}

/// Whether all factors of A and of B are named, of a legal spec.
pub(super) fn early(spec: &Spec, named: &[String]) -> [bool; 2] {
    let is_named = |operand: &usize| named.contains(&spec.operands[*operand].name);
    sides(spec).map(|(all, _)| all.iter().all(is_named))
}

/// What is applied to a factor, by the numbers of the operands.
fn tiles(spec: &Spec, factor: usize) -> impl Iterator<Item = usize> {
    let scale = body::scale(spec, factor).map(|(scale, _)| scale);
    scale.into_iter().chain(body::offset(spec, factor))
}
