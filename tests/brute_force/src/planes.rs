//! `precision = f16x3` and `bf16x6`: the product of planes that their kernels compute.

use std::num::NonZeroU16;

use gemm_codegen::{
    Accumulator, CopyAtom, Element, Mma, OperandKind, Precision, Promotion, Schedule, Spec,
};

use super::case::multiplied_elements;
use super::indices;
use super::{Case, atoms, body};

/// The K of which the parts in one plane lie together.
const UNIT: u16 = 32;

/// What f32 factors are told as: elements, and how many for one.
struct Told {
    element: Element,
    count: u16,
}

fn told(precision: Option<Precision>) -> Option<Told> {
    match precision? {
        Precision::F16x3 => Some(Told { element: Element::F16, count: 2 }),
        Precision::Bf16x6 => Some(Told { element: Element::Bf16, count: 3 }),
        _ => None,
    }
}

/// What the factors of a spec are told as.
fn asked_for(spec: &Spec) -> Option<Told> {
    let singles = multiplied_elements(spec) == Some([Element::F32; 2]);
    told(spec.schedule.precision).filter(|_| singles)
}

/// Whether an instruction of this name multiplies halves.
fn multiplies_halves(mma: Mma) -> bool {
    matches!(mma, Mma::Wgmma(_) | Mma::M16n8k16 | Mma::M16n8k8)
}

fn names_tensor_copies(spec: &Spec) -> bool {
    let named = [spec.schedule.copy.a, spec.schedule.copy.b];
    named.into_iter().flatten().any(|copy| matches!(copy, CopyAtom::Tma { .. }))
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
        Some(mma) if told(precision).is_some() => {
            !multiplies_halves(mma) || names_tensor_copies(case.asked)
        }
        Some(Mma::Fma { .. }) => rounded,
        Some(_) => !rounded && atoms::shapes(elements).contains(&case.mma),
    }
}

/// Whether a k-tile has a part of 32 elements and not their other halves.
pub(super) fn are_cut(spec: &Spec) -> bool {
    let warps = spec.schedule.warps.map_or(1, |[_, _, k]| u32::from(k.get()));
    let unit = u32::from(UNIT) * warps;
    let is_cut = |[_, _, k]: [NonZeroU16; 3]| !u32::from(k.get()).is_multiple_of(unit);
    kernel_of(spec).is_some() && spec.schedule.tile.is_some_and(is_cut)
}

/// Whether their sums are to be something else than f32.
pub(super) fn are_summed_otherwise(spec: &Spec) -> bool {
    kernel_of(spec).is_some() && spec.schedule.acc.is_some_and(|acc| acc != Accumulator::F32)
}

/// The spec of halves whose kernel is that of a spec, if it multiplies halves: each of K has two columns.
pub fn kernel_of(spec: &Spec) -> Option<Spec> {
    let told = asked_for(spec)?;
    if !spec.schedule.mma.is_none_or(multiplies_halves) {
        return None;
    }
    let mut kernel = spec.clone();
    let of_output = indices::roles(spec).map(|[m, n, _]| [m, n]);
    for factor in body::factors(spec).unwrap_or_default() {
        if let OperandKind::Matrix { element, indices } = &mut kernel.operands[factor].kind {
            *element = told.element;
            // A factor of two products is met twice.
            if of_output.as_ref().is_some_and(|of| !of.contains(&indices[0])) {
                indices.reverse();
            }
        }
    }
    if names_tensor_copies(spec) {
        kernel.schedule.mma.get_or_insert(Mma::Wgmma(None));
    }
    let columns = |k: NonZeroU16| k.checked_mul(NonZeroU16::new(told.count).expect("not 0"));
    let tile = match spec.schedule.tile {
        Some([m, n, k]) => columns(k).map(|k| [m, n, k]),
        None => default_tile(spec, &told, kernel.schedule.mma),
    };
    let promote = match spec.schedule.promote {
        None => NonZeroU16::new(64).and_then(columns).map(Promotion::Every),
        Some(Promotion::Every(k)) => columns(k).map(Promotion::Every),
        Some(Promotion::Never) => Some(Promotion::Never),
    };
    kernel.schedule = Schedule { tile, precision: None, promote, ..kernel.schedule };
    Some(kernel)
}

/// The tile that is derived, of a unit for each warp along K; that of two planes by warpgroups is as for halves.
fn default_tile(spec: &Spec, told: &Told, mma: Option<Mma>) -> Option<[NonZeroU16; 3]> {
    let of_groups = mma.is_some_and(|mma| mma.warps() > 1);
    if of_groups && told.count == 2 {
        return None;
    }
    let warps = spec.schedule.warps.map_or(1, |[_, _, k]| k.get());
    // Three boxes have two units of three planes; one has one of two.
    let along_k = match told.count {
        _ if of_groups => 2,
        3 if names_tensor_copies(spec) => 2 * warps.div_ceil(3),
        _ => warps,
    };
    let products = indices::products(spec) as u16;
    let columns = 128 / products.next_power_of_two() * products;
    let [m, n, k] = [128, columns, along_k.checked_mul(UNIT * told.count)?];
    let [m, n, k] = [m, n, k].map(NonZeroU16::new);
    Some([m?, n?, k?])
}
