//! Packed factors: elements of 16 bytes, each with what a lane multiplies of 16 lines.

use gemm_codegen::Side;

use super::{Case, atoms, banks, converted, tiling};

/// Lanes of a warp, which have an element each of the same lines and k.
const LANES: u32 = 32;

/// Whether a block has a part of the k of 32 packed elements. The k-tiles of warpgroups are whole rows of boxes.
pub(super) fn are_cut(case: &Case<'_>) -> bool {
    let Some((_, element)) = converted::packed(case.spec) else { return false };
    let of_elements = LANES * atoms::numbers(element);
    !case.of_groups && tiling::walk(case.tile[2], of_elements).is_none()
}

/// Whether the warps of a grid have a part of the lines of an element.
pub(super) fn lines_are_left_over(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let Some((side, element)) = converted::packed(case.spec) else { return false };
    let axis = usize::from(side == Side::B);
    let lines = tiling::deal(case.tile[axis], grid[axis]);
    lines.is_some_and(|lines| tiling::walk(lines, atoms::lines(element)).is_none())
}

/// Whether the elements that the lanes of a warp load take the banks more than one pass. A part of each lies as far
/// apart as they do, whatever the swizzle: that is not counted.
pub(super) fn load_conflict(
    case: &Case<'_>,
    [rows, columns, bytes]: [u32; 3],
    address: impl Fn(u32, u32) -> u64,
) -> bool {
    let Some((_, element)) = converted::packed(case.spec) else { return false };
    if 4 * converted::run(case.spec) < LANES * atoms::numbers(element) {
        return false;
    }
    let loads = (0..rows).flat_map(|row| (0..columns / LANES).map(move |at| (row, at * LANES)));
    loads.into_iter().any(|(row, first)| {
        let lanes = (0..LANES).map(|lane| address(row, first + lane));
        banks::passes(&lanes.collect::<Vec<u64>>(), bytes) > 1
    })
}
