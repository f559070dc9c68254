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
        // The thread that copies for warpgroups has nothing else to do before the wait.
        let by_unit = |side| case.of_groups && case.way(side) == Way::Tensor;
        let side = side.map(|side| Side::BOTH[side]);
        side.is_none_or(|side| !by_unit(side) && case.copy(side).1.is_none())
    };
    twice || named.iter().any(|name| unknown(name) || not_loaded(name))
}

/// Whether all factors of A and of B are named, of a legal spec. Warps read scales before they multiply.
pub(super) fn early(spec: &Spec, named: &[String]) -> [bool; 2] {
    let products = body::products(spec).unwrap_or_default();
    let is_named = |factor: usize| named.contains(&spec.operands[factor].name);
    let has_scales = !body::scales(spec).is_empty();
    [0, 1].map(|side| !has_scales && products.iter().all(|factors| is_named(factors[side])))
}
