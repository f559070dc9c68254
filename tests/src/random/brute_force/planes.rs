//! `precision = f16x3`: the product of halves that its kernel computes.

use std::num::NonZeroU16;

use gemm_codegen::{Accumulator, Element, Mma, OperandKind, Precision, Promotion, Schedule, Spec};

use super::case::multiplied_elements;
use super::indices;
use super::{Case, atoms, body};

/// Columns of a box of halves, of which a half is of K.
const BOX: u16 = 64;

/// Whether f32 factors are to be told as halves.
fn is_asked_for(spec: &Spec) -> bool {
    spec.schedule.precision == Some(Precision::F16x3)
        && multiplied_elements(spec) == Some([Element::F32; 2])
}

/// Whether factors are multiplied otherwise than their precision says.
pub(super) fn differ_from_their_precision(case: &Case<'_>) -> bool {
    let Some(elements) = multiplied_elements(case.asked) else { return false };
    let Schedule { precision, mma, .. } = case.asked.schedule;
    if elements != [Element::F32; 2] {
        return precision.is_some();
    }
    let rounded = precision == Some(Precision::Tf32);
    match mma {
        None => false,
        Some(Mma::Wgmma(_)) => matches!(precision, None | Some(Precision::F32)),
        Some(_) if precision == Some(Precision::F16x3) => true,
        Some(Mma::Fma { .. }) => rounded,
        Some(_) => !rounded && atoms::shapes(elements).contains(&case.mma),
    }
}

/// Whether a k-tile has a part of 32 elements and not their other halves.
pub(super) fn are_cut(spec: &Spec) -> bool {
    let cut = |[_, _, k]: [NonZeroU16; 3]| !k.get().is_multiple_of(32);
    is_asked_for(spec) && spec.schedule.tile.is_some_and(cut)
}

/// Whether their sums are to be something else than f32.
pub(super) fn are_summed_otherwise(spec: &Spec) -> bool {
    is_asked_for(spec) && spec.schedule.acc.is_some_and(|acc| acc != Accumulator::F32)
}

/// The spec of halves whose kernel is that of a spec, if it multiplies halves: each of K has two columns.
pub fn kernel_of(spec: &Spec) -> Option<Spec> {
    let of_groups = spec.schedule.mma.is_none_or(|mma| matches!(mma, Mma::Wgmma(_)));
    if !is_asked_for(spec) || !of_groups || are_cut(spec) || are_summed_otherwise(spec) {
        return None;
    }
    let mut kernel = spec.clone();
    let k = indices::roles(spec).map(|[_, _, k]| k);
    for factor in body::products(spec).unwrap_or_default().concat() {
        if let OperandKind::Matrix { element, indices } = &mut kernel.operands[factor].kind {
            *element = Element::F16;
            // A factor of two products is met twice.
            if Some(&indices[0]) == k.as_ref() {
                indices.reverse();
            }
        }
    }
    let twice = |k: NonZeroU16| k.checked_mul(NonZeroU16::new(2).expect("not 0"));
    let tile = spec.schedule.tile.map(|[m, n, k]| twice(k).map(|k| [m, n, k]));
    let promote = match spec.schedule.promote {
        None => NonZeroU16::new(BOX).map(Promotion::Every),
        Some(Promotion::Every(k)) => twice(k).map(Promotion::Every),
        Some(Promotion::Never) => Some(Promotion::Never),
    };
    kernel.schedule = Schedule {
        tile: tile.flatten(),
        mma: spec.schedule.mma.or(Some(Mma::Wgmma(None))),
        precision: None,
        promote,
        ..kernel.schedule
    };
    Some(kernel)
}
