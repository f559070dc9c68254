//! Register tiles of lanes, without tensor cores: 4 lanes along m, 8 along n.

use gemm_codegen::{Accumulator, Element, Mma, Precision, Schedule, Side, Spec};

use super::case::multiplied_elements;
use super::{Case, atoms, banks, indices, tiling, transposed};

/// Lanes along m and n.
const LANES: [u32; 2] = [4, 8];

/// Whether lanes multiply these elements.
pub(super) fn multiply(elements: [Element; 2]) -> bool {
    use Element::{Bf16, F16, F32, F64};
    matches!(elements, [F16, F16] | [Bf16, Bf16] | [F32, F32] | [F64, F64])
}

/// Rows and columns of a lane, if lanes multiply: as written; of f32 that is not to be rounded the most,
/// until the tile is known.
pub(super) fn of(spec: &Spec) -> Option<[u32; 2]> {
    let Schedule { mma, precision, .. } = &spec.schedule;
    let singles = multiplied_elements(spec) == Some([Element::F32; 2]);
    match mma {
        Some(Mma::Fma { m, n }) => Some([m, n].map(|x| u32::from(x.get()))),
        None if singles && matches!(precision, None | Some(Precision::F32)) => Some([8, 8]),
        _ => None,
    }
}

/// The most of 8, 4, 2 and 1 rows and columns of a lane whose warps end where a warp's part of the tile
/// does, mostly with a part of each product; of a warp whose part is not known, and of parts that differ, that is the
/// tile of such lanes.
pub(super) fn largest(case: &Case<'_>, tile: impl Fn([u32; 2]) -> [u32; 3]) -> [u32; 2] {
    let warps = case.spec.schedule.warps;
    let part = |lane, axis: usize| {
        let extent = tile(lane)[axis];
        let part = warps.and_then(|warps| tiling::deal(extent, warps[axis].get().into()));
        part.unwrap_or(extent)
    };
    let ends = |lane: [u32; 2], axis: usize| {
        tiling::walk(part(lane, axis), LANES[axis] * lane[axis]).is_some()
    };
    let all = [8, 4, 2, 1];
    let ending = || all.into_iter().filter(|n| ends([8, *n], 1));
    let whole = ending().find(|n| !tiling::columns_are_left_over(case, part([8, *n], 1)));
    let n = whole.or(ending().next()).unwrap_or(1);
    [all.into_iter().find(|m| ends([*m, n], 0)).unwrap_or(1), n]
}

/// What lanes sum products of these elements in.
pub(super) fn accumulator(element: Element) -> Accumulator {
    if element == Element::F64 { Accumulator::F64 } else { Accumulator::F32 }
}

/// Bytes of a lane's sum.
pub(super) fn sum_bytes(spec: &Spec) -> u32 {
    match multiplied_elements(spec) {
        Some([Element::F64, _]) => 8,
        _ => 4,
    }
}

/// Whether the sums of a lane and the factors of one product, of four bytes a register, leave no
/// room for 16 addresses.
pub(super) fn overflow([m, n]: [u32; 2], spec: &Spec) -> bool {
    let numbers = u64::from(m) * u64::from(n) + u64::from(m) + u64::from(n);
    numbers * u64::from(sum_bytes(spec) / 4) + 16 > 255
}

/// The largest tile of whole atoms and whole 16-byte copies up to 128 rows and `most` columns, 64 bytes
/// deep.
pub(super) fn default_tile(lane: [u32; 2], bytes: u32, most: u32) -> [u32; 3] {
    let extent = |axis: usize| {
        let atom = lane[axis] * LANES[axis];
        let fits =
            |extent: &u32| extent.is_multiple_of(atom) && (extent * bytes).is_multiple_of(16);
        (1..=[128, most][axis]).rev().find(fits).unwrap_or(atom)
    };
    [extent(0), extent(1), 64 / bytes]
}

/// Products of a k-step: two if a side lies along K and what a warp has of BLK_K is even, else one.
pub(super) fn depth(case: &Case<'_>, warp_k: u32) -> u32 {
    let along_k = |side| along_k(case, side);
    let two = (along_k(Side::A) || along_k(Side::B)) && warp_k.is_multiple_of(2);
    if two { 2 } else { 1 }
}

/// Whether a side lies along K in shared memory; not where the operands are unclear.
fn along_k(case: &Case<'_>, side: Side) -> bool {
    let at = usize::from(side == Side::B);
    let clear = !indices::operands(case.spec) && !transposed::is(case, side);
    clear && case.multiplied().is_some_and(|sides| sides[at].k_contiguous == Some(true))
}

/// Neighbours that a lane has together: as many of 4, 2 and 1 as divide what it has, their sums in 16
/// bytes.
fn run(extent: u32, sum_bytes: u32) -> u32 {
    let fits = |run: &u32| extent.is_multiple_of(*run) && run * sum_bytes <= 16;
    [4, 2, 1].into_iter().find(fits).unwrap_or(1)
}

/// Rows of the output that are staged together at the least: a run of each lane across it.
pub(super) fn staged_rows(lane: [u32; 2], across: usize, sum_bytes: u32) -> u64 {
    u64::from(LANES[across] * run(lane[across], sum_bytes))
}

/// Where a lane lies: eight that follow each other are 2 × 4 where the output's rows run along N,
/// else 4 × 2.
fn place(lane: u32, n_contiguous: bool) -> [u32; 2] {
    let (eighth, within) = (lane / 8, lane % 8);
    match n_contiguous {
        true => [within % 2 + eighth / 2 * 2, within / 2 + eighth % 2 * 4],
        false => [within % 2 + within / 4 * 2, within / 2 % 2 + eighth * 2],
    }
}

/// What is put between staged rows so that the first runs of the lanes meet as few banks twice as
/// can be.
pub(super) fn staged_padding(
    lane: [u32; 2],
    n_contiguous: bool,
    columns: u64,
    sum_bytes: u32,
) -> u64 {
    let runs = lane.map(|extent| run(extent, sum_bytes));
    let passes = |padding: u64| {
        let pitch = columns + padding;
        let addresses = (0..32).map(|number| {
            let [m, n] = place(number, n_contiguous);
            let (m, n) = (u64::from(m * runs[0]), u64::from(n * runs[1]));
            u64::from(sum_bytes) * if n_contiguous { m * pitch + n } else { n * pitch + m }
        });
        let run = if n_contiguous { runs[1] } else { runs[0] };
        banks::passes(&addresses.collect::<Vec<u64>>(), run * sum_bytes)
    };
    // Rows stay aligned to 16 bytes.
    let paddings = (0..32).step_by(16 / sum_bytes as usize);
    paddings.min_by_key(|padding| passes(*padding)).unwrap_or(0)
}

/// Registers of a lane's sums, and of what it loads for a k-step.
pub(super) fn registers(case: &Case<'_>, lane: [u32; 2], warp: [u32; 2]) -> u32 {
    let held = [warp[0] / LANES[0], warp[1] / LANES[1]];
    let sum_bytes = sum_bytes(case.spec);
    let element_bytes = multiplied_elements(case.spec).map_or([2, 2], |e| e.map(atoms::bytes));
    let of_side = |at: usize, side| {
        let vector = match along_k(case, side) {
            true => case.mma[2],
            false => run(lane[at], sum_bytes),
        };
        let loads = held[at] * case.mma[2] / vector;
        loads * (vector * element_bytes[at]).div_ceil(4)
    };
    held[0] * held[1] * (sum_bytes / 4) + of_side(0, Side::A) + of_side(1, Side::B)
}

/// How many lanes of a load are served at a time: twice as many as of a store where all of them read
/// what the next lane reads, or the next but one.
fn together(lanes: &[u64], bytes: u32) -> usize {
    let usual = (128 / bytes as usize).min(32);
    let partners = |distance: usize| {
        let blocks = lanes.chunks(2 * distance);
        blocks.into_iter().all(|block| block[..distance] == block[distance..])
    };
    if partners(1) || partners(2) { (2 * usual).min(32) } else { usual }
}

/// Whether a load of a vector by each lane takes the banks more than one pass: each row of a lane
/// along K, or a run of its rows or columns.
pub(super) fn load_conflict(
    case: &Case<'_>,
    side: Side,
    k_contiguous: bool,
    [rows, columns, element]: [u32; 3],
    address: impl Fn(u32, u32) -> u64,
) -> bool {
    let Some(extents) = case.lane else { return false };
    let at = usize::from(side == Side::B);
    let n_contiguous = indices::roles(case.spec)
        .is_none_or(|[_, n, _]| case.spec.outputs[0].indices.names()[1] == n);
    let run = run(extents[at], sum_bytes(case.spec));
    let (mn, k) = if k_contiguous { (rows, columns) } else { (columns, rows) };
    let along_k = k_contiguous && !transposed::is(case, side);
    let (vector, deep, each) = if along_k { (case.mma[2], case.mma[2], 1) } else { (run, 1, run) };
    let conflict = |first: u32, k: u32| {
        let lanes = (0..32).map(|lane| {
            let mn = first + place(lane, n_contiguous)[at] * run;
            if k_contiguous { address(mn, k) } else { address(k, mn) }
        });
        let lanes: Vec<u64> = lanes.collect();
        let bytes = vector * element;
        lanes.chunks(together(&lanes, bytes)).any(|group| banks::passes_of_group(group, bytes) > 1)
    };
    // The first row of lane 0 in every load: those that no other lane has before it.
    let mut firsts =
        (0..mn).filter(|mn| (mn / run).is_multiple_of(LANES[at]) && mn.is_multiple_of(each));
    firsts.any(|mn| (0..k).step_by(deep as usize).any(|k| conflict(mn, k)))
}
