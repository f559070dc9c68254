//! A term that is added to a product: whether a block can sum it with the tiles and in the registers of the product.

use gemm_codegen::{Accumulator, OperandKind, Spec};

use super::{Case, body, converted, indices, planes, warpgroups};

/// Whether the factors of a term do not lie as those of the product do, or share no index of their own.
pub(super) fn lie_elsewhere(spec: &Spec) -> bool {
    let Some((term, _)) = body::term(spec) else { return false };
    let (Some(product), Some([m, n, k])) = (body::multiplied(spec), indices::roles(spec)) else {
        return false;
    };
    let matrix = |operand: usize| match &spec.operands[operand].kind {
        OperandKind::Matrix { element, indices } => Some((*element, indices)),
        _ => None,
    };
    let [Some((_, a)), Some((_, b))] = term.map(matrix) else { return false };
    let is_of_output = |index: &String| [&m, &n].contains(&index);
    let is_batched = |index: &String| spec.outputs[0].batch.contains(index);
    // Every choice of the indices that are those of the output.
    let summed = [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().find_map(|(i, j)| {
        let along = &a[1 - i];
        let is_product = a[i] == m && b[j] == n && *along == b[1 - j];
        (is_product && !is_of_output(along) && !is_batched(along)).then_some(along)
    });
    let Some(along) = summed else { return true };
    let differs = |(other, first): (usize, usize)| {
        let of = |operand: usize, along: &String| {
            let (element, indices) = matrix(operand)?;
            Some((element, indices[1] == *along, &spec.operands[operand].batch))
        };
        of(other, along) != of(first, &k)
    };
    term.into_iter().zip(product).any(differs)
}

/// Whether the schedule sums a product in a way in which no other can be summed before it.
pub(super) fn are_summed_otherwise(case: &Case<'_>) -> bool {
    let spec = case.spec;
    let Some((factors, is_scaled)) = body::term(spec) else { return false };
    if indices::contraction(spec) || indices::are_unclear(case.asked) {
        return false;
    }
    let of_term = factors.into_iter().any(|factor| body::scale(spec, factor).is_some());
    let has_scales = of_term || !body::scales(spec).is_empty();
    let of_planes = planes::kernel_of(case.asked).is_some();
    let by_groups = case.of_groups && !of_planes && warpgroups::promotes(spec);
    let rounds = is_scaled && case.sums() == Accumulator::F16;
    let is_early = spec.schedule.pdl.as_ref().is_some_and(|named| !named.is_empty());
    converted::is_one_of(spec) || has_scales || of_planes || by_groups || rounds || is_early
}
