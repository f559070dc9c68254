//! Scales of factors: what a warp sums before it multiplies the sum by them.

use gemm_codegen::{Accumulator, OperandKind, Promotion, Spec};

use super::{Case, body, indices, planes, tensors, tiling};

/// Lines and k of the tiles of a spec's factors, where these are clear.
pub(super) fn tiles(spec: &Spec) -> Vec<[u32; 2]> {
    let Some([_, _, k]) = indices::roles(spec).filter(|_| !indices::operands(spec)) else {
        return Vec::new();
    };
    let of = |(scale, _): (usize, bool)| match &spec.operands[scale].kind {
        OperandKind::Tiled { indices, extents: [rows, columns], .. } => {
            Some(if indices[1] == k { [*rows, *columns] } else { [*columns, *rows] })
        }
        _ => None,
    };
    body::scales(spec).into_iter().filter_map(of).collect()
}

/// Whether warps have sums next to those that they scale.
pub(super) fn take_sums(case: &Case<'_>) -> bool {
    let by_warps = case.lane.is_none() && !case.of_groups && !tensors::copied(case);
    by_warps && !tiles(case.spec).is_empty()
}

/// Whether factors have scales by which no warp multiplies its sums.
pub(super) fn cannot_be(case: &Case<'_>) -> bool {
    let tiles = tiles(case.spec);
    if tiles.is_empty() {
        return false;
    }
    let promotes = matches!(case.spec.schedule.promote, Some(Promotion::Every(_)));
    let sums_else = case.sums() != Accumulator::F32 || promotes || case.products() > 1;
    let offsets = body::scales(case.spec).iter().filter(|(_, has_offset)| *has_offset).count();
    let of_planes = planes::kernel_of(case.asked).is_some();
    !take_sums(case)
        || sums_else
        || of_planes
        || offsets > 1
        || tiles.iter().any(|tile| is_cut(case, *tile, &tiles))
}

/// Whether a warp has neither whole tiles of scales nor a part of one, of whole k-steps. It sums the k of
/// the smallest tile, or all that it has of a stage.
fn is_cut(case: &Case<'_>, [lines, k]: [u32; 2], tiles: &[[u32; 2]]) -> bool {
    let of_warp = case.warp_k();
    let summed = tiles.iter().map(|[_, k]| *k).chain([of_warp]).min().unwrap_or(of_warp);
    let in_steps = |extent| extent > 0 && tiling::walk(extent, case.mma[2]).is_some();
    let in_sums = |extent| tiling::walk(extent, summed).is_some();
    lines == 0 || !in_steps(k) || !in_steps(summed) || !in_sums(k) || !in_sums(of_warp)
}
