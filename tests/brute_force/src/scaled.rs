//! Scales of factors: what a warp sums before it multiplies the sum by them.

use gemm_codegen::{Accumulator, Element, KOrder, OperandKind, Promotion, Side, Spec};

use super::case::Multiplied;
use super::way::Way;
use super::{Case, body, converted, indices, planes, tensors, tiling};

/// Lines and k of the tiles of a spec's factors, where these are clear.
pub(super) fn tiles(spec: &Spec) -> Vec<[u32; 2]> {
    let Some([_, _, k]) = indices::roles(spec).filter(|_| !indices::are_unclear(spec)) else {
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

/// Bytes that a stage has of scales and offsets: those of each line of both factors, where asynchronous copies bring
/// them. They bring f32, a whole number for each line of a stage, of one product of factors whose rows run along K. All
/// threads copy them with the tiles. Where a line has several, each of `groups` warpgroups along N, or in turn, copies
/// those of its own lines; boxes begin at multiples of 1024 bytes.
pub(super) fn stage_bytes(case: &Case<'_>, groups: u32) -> u64 {
    let asynchronous = Side::BOTH.into_iter().all(|side| case.way(side) == Way::Asynchronous);
    let rows_along_k =
        |sides: [Multiplied; 2]| sides.iter().all(|of| of.k_contiguous != Some(false));
    let is_one = case.products <= 1 && case.multiplied().is_none_or(rows_along_k);
    if is_one && take_sums(case) && asynchronous {
        return bytes(case);
    }
    let by_groups = case.of_groups && converted::side_of(case.spec) == Some(Side::A);
    if is_one && by_groups && has_several(case) {
        (bytes(case) * u64::from(groups)).next_multiple_of(1024)
    } else {
        0
    }
}

/// Whether a k-tile has several scales of a line.
fn has_several(case: &Case<'_>) -> bool {
    tiles(case.spec).iter().any(|[_, k]| *k < case.tile[2])
}

/// Bytes of the scales and offsets of each line of both factors, if all are copied.
fn bytes(case: &Case<'_>) -> u64 {
    let (Some(factors), Some([.., k])) = (body::multiplied(case.spec), indices::roles(case.spec))
    else {
        return 0;
    };
    let mut bytes = 0;
    for (factor, lines) in factors.into_iter().zip(case.tile) {
        let Some((scale, _)) = body::scale(case.spec, factor) else { continue };
        for operand in [Some(scale), body::offset(case.spec, factor)].into_iter().flatten() {
            match &case.spec.operands[operand].kind {
                OperandKind::Tiled { element: Element::F32, indices, extents: [1, of_k] }
                    if indices[1] == k && *of_k > 0 && case.tile[2].is_multiple_of(*of_k) =>
                {
                    bytes += 4 * u64::from(lines * (case.tile[2] / of_k));
                }
                _ => return 0,
            }
        }
    }
    bytes
}

/// Whether the second factor of the first product has scales; those of the others are like it.
pub(super) fn is_second(spec: &Spec) -> bool {
    body::multiplied(spec).is_some_and(|[_, second]| body::scale(spec, second).is_some())
}

/// Whether factors have scales by which no warp multiplies its sums.
pub(super) fn cannot_be(case: &Case<'_>) -> bool {
    let tiles = tiles(case.spec);
    if tiles.is_empty() {
        return false;
    }
    let cut = || tiles.iter().any(|tile| is_cut(case, *tile, &tiles));
    let offsets = body::scales(case.spec).iter().filter(|(_, has_offset)| *has_offset).count();
    if case.of_groups {
        return groups_cannot(case) || offsets > 1 || cut();
    }
    let promotes = matches!(case.spec.schedule.promote, Some(Promotion::Every(_)));
    let sums_else = case.sums() != Accumulator::F32 || promotes;
    let of_planes = planes::kernel_of(case.asked).is_some();
    !take_sums(case) || sums_else || of_planes || offsets > 1 || cut()
}

/// Whether a factor has scales that warpgroups do not convert, or k-tiles are walked backwards.
fn groups_cannot(case: &Case<'_>) -> bool {
    let serpentine = case.spec.schedule.k_order == Some(KOrder::Serpentine);
    is_second(case.spec) || converted::side_of(case.spec) != Some(Side::A) || serpentine
}

/// What warpgroups with these columns convert of a k-tile before they multiply it, and the sums of how many
/// instructions a thread then has beside those of all products, for this number of instructions: where sums are
/// scaled, those of two parts of K, one multiplied and one converted, with the sums of lines that an offset takes.
/// Of more columns than 64 the factor is scaled, and where a k-tile has several scales of a line.
pub(super) fn of_groups(case: &Case<'_>, columns: u32, instructions: u64) -> (u32, u64) {
    let k = case.tile[2].min(converted::AT_A_TIME);
    let tiles = tiles(case.spec);
    let by_factors = converted::is_one_of(case.spec) && (columns > 64 || has_several(case));
    if tiles.is_empty() || by_factors {
        return (k, 0);
    }
    let offsets = body::scales(case.spec).iter().any(|(_, has_offset)| *has_offset);
    let part = tiles.iter().map(|[_, k]| *k).chain([k]).min().unwrap_or(k);
    (part, 2 * (instructions + u64::from(offsets)))
}

/// Whether a warp has neither whole tiles of scales nor a part of one, of whole k-steps. It sums the k of
/// the smallest tile, or all that it has of a stage; a warpgroup as much as it converts at a time at the most.
fn is_cut(case: &Case<'_>, [lines, k]: [u32; 2], tiles: &[[u32; 2]]) -> bool {
    let of_warp = case.warp_k();
    let most = if case.of_groups { converted::AT_A_TIME } else { of_warp };
    let summed = tiles.iter().map(|[_, k]| *k).chain([of_warp, most]).min().unwrap_or(of_warp);
    let step = if case.of_groups { converted::chunk(case.spec) } else { case.mma[2] };
    let in_steps = |extent| extent > 0 && tiling::walk(extent, step).is_some();
    let in_sums = |extent| tiling::walk(extent, summed).is_some();
    lines == 0 || !in_steps(k) || !in_steps(summed) || !in_sums(k) || !in_sums(of_warp)
}
