//! Copies by the unit of an SM: where each chunk of a row lands, and what a warp loads of it.

use gemm_codegen::{Element, Precision, Side, Swizzle};

use super::case::Multiplied;
use super::way::Way;
use super::{Case, atoms, converted, swizzle, tiling, warpgroups};

/// Bytes of a row of a box, and of what a lane's `ldmatrix` reads of it.
const ROW: u32 = 128;
const CHUNK: u32 = 16;

/// Columns of 16 bits that such a row has, and rows of them where they run along M or N.
const PANEL: u32 = 64;

/// Bytes that four matrices of 8 rows of 16 bytes have.
const LOAD: u32 = 4 * 8 * CHUNK;

/// Whether a unit of the SM copies both sides.
pub(super) fn copied(case: &Case<'_>) -> bool {
    Side::BOTH.into_iter().all(|side| case.way(side) == Way::Tensor)
}

/// Whether a side of a spec is not a box that the unit can copy.
pub(super) fn are_no_boxes(case: &Case<'_>) -> bool {
    let Some(sides) = case.multiplied().filter(|_| copied(case)) else { return false };
    // A coordinate for each index, of five.
    case.spec.outputs[0].batch.len() + 2 > 5
        || Side::BOTH.into_iter().zip(sides).enumerate().any(|(axis, (side, of))| {
            let Multiplied { element, k_contiguous } = of;
            let bytes = atoms::bytes(element);
            let extent = case.tile[axis];
            let is_other = match k_contiguous {
                Some(false) => bytes != 2 || !extent.is_multiple_of(PANEL),
                _ => extent / atoms::lines(element) > 256,
            };
            is_other
                || !has_legal_rows(case, side, element)
                || !is_shared_by_rows(case, axis, element)
                || case.written_swizzle(side).is_some_and(|written| {
                    // Elements that are chunks come as they are: their rows are longer than those of a box.
                    match bytes {
                        CHUNK => written.b > 0,
                        _ => lands_elsewhere(written, bytes, row_of_box(case, side, element)),
                    }
                })
        })
}

/// Whether the blocks of a cluster that multiply a side's tile, those along the other axis, have as many of its rows each:
/// of other elements than packed ones any have.
fn is_shared_by_rows(case: &Case<'_>, axis: usize, element: Element) -> bool {
    let cluster = case.spec.schedule.cluster.filter(|blocks| warpgroups::run_at_once(*blocks));
    let sharers = cluster.map_or(1, |blocks| u32::from(blocks[1 - axis].get()));
    let lines = atoms::lines(element);
    lines == 1 || (case.tile[axis] / lines).is_multiple_of(sharers)
}

/// Bytes of the row of a box: 128, but of a factor that warpgroups convert those of a k-tile.
fn row_of_box(case: &Case<'_>, side: Side, element: Element) -> u32 {
    let of_tile = || atoms::bytes_along_k(element, case.tile[2]);
    if converted::by_groups(case, side) { of_tile() } else { ROW }
}

/// Whether the rows of a side's tile are as many boxes along K as a tile can have. Beside a factor that is converted
/// the other one has as many as the narrower one has for a box of 128 bytes, or half, or a quarter of these.
fn has_legal_rows(case: &Case<'_>, side: Side, element: Element) -> bool {
    let row = atoms::bytes_along_k(element, case.tile[2]);
    match converted::side_of(case.spec).filter(|_| case.of_groups) {
        Some(converted) if converted == side => [ROW / 4, ROW / 2, ROW].contains(&row),
        Some(_) => row.is_multiple_of(ROW),
        None => boxes_along_k(case).any(|boxes| row == ROW * boxes),
    }
}

/// The boxes that lie along K in a tile: one for each of the warps there, of warpgroups one or two, or three of
/// three planes.
fn boxes_along_k(case: &Case<'_>) -> impl Iterator<Item = u32> {
    let three = case.asked.schedule.precision == Some(Precision::Bf16x6);
    let each = match case.of_groups {
        true if three => 3..=3,
        true => 1..=2,
        false => 1..=1,
    };
    each.map(|boxes| boxes * case.warps_along_k())
}

/// The swizzle that the boxes of a side have next to a factor that warps convert: its loads do not suit it, so that
/// others would be a way out, which there is not.
pub(super) fn swizzle_of_box(case: &Case<'_>, side: Side) -> Option<Swizzle> {
    let by_warps = !case.of_groups && case.lane.is_none() && converted::is_one_of(case.spec);
    let at = usize::from(side == Side::B);
    let bytes = atoms::bytes(case.multiplied()?[at].element);
    let is_box = by_warps && case.way(side) == Way::Tensor;
    is_box.then_some(Swizzle { b: 3, m: (CHUNK / bytes).ilog2() as u8, s: 3 })
}

/// Whether a side is copied in panels of 64 columns, for a tensor core: what is not 16 bits, or no
/// whole panels, is not copied at all.
fn lies_in_panels(case: &Case<'_>, side: Side) -> bool {
    let axis = usize::from(side == Side::B);
    let of = case.multiplied().map(|sides| sides[axis]);
    let across = of.is_some_and(|Multiplied { element, k_contiguous }| {
        k_contiguous == Some(false) && atoms::bytes(element) == 2
    });
    let of_a_box = case.way(side) == Way::Tensor && case.lane.is_none();
    across && of_a_box && case.tile[axis].is_multiple_of(PANEL)
}

/// Where an element of a side's tile lies that consists of whole boxes of panels, in elements.
pub(super) fn place_in_panels(
    case: &Case<'_>,
    side: Side,
    swizzle: Swizzle,
) -> Option<impl Fn(u32, u32) -> u64> {
    let rows = case.staged_k();
    (lies_in_panels(case, side) && rows == PANEL).then_some(move |row: u32, column: u32| {
        let panel = u64::from(column / PANEL * rows * PANEL);
        panel + swizzle::moved(u64::from(row * PANEL + column % PANEL), swizzle)
    })
}

/// Whether the loads of some warp with these columns of panels do not find them where the unit has
/// put them: a lane knows its first row, and flips bits of that for what is beside it.
fn miss_their_panels(case: &Case<'_>, side: Side, columns: u32) -> bool {
    let extent = case.tile[usize::from(side == Side::B)];
    let place = |row: u32, column: u32| {
        let chunk = (column % PANEL / 8) ^ (row % 8);
        column / PANEL * PANEL * ROW + row * ROW + chunk * CHUNK
    };
    let of_load = LOAD / (case.mma[2] * 2);
    let warps = (0..extent).step_by(columns as usize);
    let loads =
        warps.flat_map(|warp| (0..columns).step_by(of_load as usize).map(move |at| (warp, at)));
    let chunks = loads.flat_map(|load| (0..of_load).step_by(8).map(move |matrix| (load, matrix)));
    let lanes = chunks.flat_map(|chunk| (0..8).map(move |row| (chunk, row)));
    lanes.into_iter().any(|(((warp, at), matrix), row)| {
        let first = place(row, warp + matrix);
        let found = (first ^ (at % PANEL * 2)) + at / PANEL * PANEL * ROW;
        found != place(row, warp + at + matrix)
    })
}

/// Whether a swizzle puts an element elsewhere than the unit does: a chunk at the place of that whose number differs
/// by the number of the 128 bytes of memory that it lies in, of as many as a row has chunks (CUDA Driver API,
/// `CU_TENSOR_MAP_SWIZZLE_32B`, `64B`, `128B`). A row has two chunks at the least.
fn lands_elsewhere(written: Swizzle, bytes: u32, row_bytes: u32) -> bool {
    let (columns, chunk, chunks) = (row_bytes / bytes, CHUNK / bytes, (row_bytes / CHUNK).max(2));
    // Two periods, so that what further rows would change shows.
    let rows = 2 * 8 * ROW / row_bytes.max(CHUNK);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    places.into_iter().any(|(row, column)| {
        let line = row * row_bytes / ROW;
        let there = ((column / chunk) ^ (line % chunks)) * chunk + column % chunk;
        let offset = u64::from(row * columns + column);
        swizzle::moved(offset, written) != u64::from(row * columns + there)
    })
}

/// Whether no `ldmatrix` loads what is multiplied: lanes without a tensor core, and doubles.
fn have_other_fragments(case: &Case<'_>) -> bool {
    case.lane.is_some() || case.multiplied().is_some_and(|[a, _]| atoms::bytes(a.element) > 4)
}

/// Whether the warps of a grid do not load all of A in two loads of four matrices or more, and all of
/// B in one or more.
pub(super) fn loads_differ(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let Some([a, b]) = case.multiplied().filter(|_| copied(case) && case.lane.is_none()) else {
        return false;
    };
    let loads = |axis: usize, of: Multiplied| {
        let lines = tiling::deal(case.tile[axis], grid[axis])?;
        // None if the last one is not full.
        Some(tiling::walk(lines * atoms::bytes_along_k(of.element, case.mma[2]), LOAD))
    };
    let of_a = loads(0, a).is_some_and(|loads| loads.is_none_or(|loads| loads < 2));
    let of_b = loads(1, b).is_some_and(|loads| loads.is_none());
    let missed = |axis: usize, side: Side| {
        let columns =
            tiling::deal(case.tile[axis], grid[axis]).filter(|_| lies_in_panels(case, side));
        columns.is_some_and(|columns| miss_their_panels(case, side, columns))
    };
    of_a || of_b || missed(0, Side::A) || missed(1, Side::B)
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
