//! Copies by the unit of an SM: where each chunk of a row lands, and what a warp loads of it.

use gemm_codegen::{Side, Spec, Swizzle};

use super::case::Multiplied;
use super::{Case, atoms, swizzle, tiling};

/// Bytes of a row of a box, and of what a lane's `ldmatrix` reads of it.
const ROW: u32 = 128;
const CHUNK: u32 = 16;

/// Bytes that four matrices of 8 rows of 16 bytes have.
const LOAD: u32 = 4 * 8 * CHUNK;

/// Whether a unit of the SM copies both sides.
pub(super) fn copied(case: &Case<'_>) -> bool {
    Side::BOTH.into_iter().all(|side| case.way(side) == super::case::Way::Tensor)
}

/// Whether a side of a spec is no box that the unit can copy.
pub(super) fn are_no_boxes(case: &Case<'_>) -> bool {
    let Some(sides) = case.multiplied().filter(|_| copied(case)) else { return false };
    let operands = super::body::multiplied(case.spec).unwrap_or_default();
    Side::BOTH.into_iter().zip(sides).zip(operands).enumerate().any(
        |(axis, ((side, of), operand))| {
            let Multiplied { element, k_contiguous } = of;
            let bytes = atoms::bytes(element);
            k_contiguous == Some(false)
                || case.tile[axis] > 256
                || case.tile[2] * bytes != ROW
                || is_batch(case.spec, operand)
                || case.written_swizzle(side).is_some_and(|written| lands_elsewhere(written, bytes))
        },
    )
}

fn is_batch(spec: &Spec, operand: usize) -> bool {
    spec.operands[operand].batch.is_some()
}

/// Whether a swizzle puts an element elsewhere than the unit does: a chunk of row r at the place of
/// that whose number differs by r, of eight (CUDA Driver API, `CU_TENSOR_MAP_SWIZZLE_128B`).
fn lands_elsewhere(written: Swizzle, bytes: u32) -> bool {
    let (columns, chunk) = (ROW / bytes, CHUNK / bytes);
    // Two periods, so that what further rows would change shows.
    let places = (0..16).flat_map(|row| (0..columns).map(move |column| (row, column)));
    places.into_iter().any(|(row, column)| {
        let there = ((column / chunk) ^ (row % 8)) * chunk + column % chunk;
        let offset = u64::from(row * columns + column);
        swizzle::moved(offset, written) != u64::from(row * columns + there)
    })
}

/// Whether no `ldmatrix` loads what is multiplied: lanes without a tensor core, and doubles.
fn have_other_fragments(case: &Case<'_>) -> bool {
    case.lane.is_some() || case.multiplied().is_some_and(|[a, _]| atoms::bytes(a.element) > 4)
}

/// Whether the warps of a grid do not load all of A in two loads of four matrices or more, and all of
/// B in one or more; those that share K load parts of it.
pub(super) fn loads_differ(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let Some([a, b]) = case.multiplied().filter(|_| copied(case) && case.lane.is_none()) else {
        return false;
    };
    let loads = |axis: usize, of: Multiplied| {
        let lines = tiling::deal(case.tile[axis], grid[axis])?;
        // None if the last one is not full.
        Some(tiling::walk(lines * case.mma[2] * atoms::bytes(of.element), LOAD))
    };
    let of_a = loads(0, a).is_some_and(|loads| loads.is_none_or(|loads| loads < 2));
    let of_b = loads(1, b).is_some_and(|loads| loads.is_none());
    grid[2] > 1 || of_a || of_b
}

/// Whether a main loop that tensor copies feed cannot load what it multiplies with the warps of any
/// grid, where nothing else speaks against the grid.
pub(super) fn cannot_be_loaded(case: &Case<'_>, overflow: impl Fn([u32; 3]) -> bool) -> bool {
    copied(case)
        && case.multiplied().is_some()
        && (have_other_fragments(case)
            || case.every_grid(|grid| loads_differ(case, grid) || overflow(grid))
                && !case.every_grid(|grid| !loads_differ(case, grid)))
}
