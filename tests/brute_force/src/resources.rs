//! Shared memory and registers of a block, counted.

use gemm_codegen::{Accumulator, Element, Promotion, Side};

use super::case::{multiplied_elements, warps};
use super::warpgroups;
use super::way::Way;
use super::{
    Case, atoms, banks, converted, copies, indices, lanes, limits, scaled, tensors, tiling,
    transposed,
};

/// What a main loop holds in registers beside the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// What it cannot do without.
    Least,
    /// What it uses where there is room.
    Wanted,
}

impl Held {
    /// The k-steps whose fragments it has, and registers for addresses, bounds and counters.
    fn steps_and_addresses(self) -> (u32, u32) {
        match self {
            Held::Least => (1, 16),
            Held::Wanted => (2, 40),
        }
    }
}

/// Whether the ring of stages or the staging of the output passes the shared memory of a target,
/// with every number of stages.
pub(super) fn shared_memory_overflows(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let row = |of| u64::from(atoms::bytes_along_k(of, case.tile[2]));
    let [of_a, of_b] = elements(case).map(row);
    let column = |side: Side, extent: u32| match transposed::is(case, side) {
        true => u64::from(transposed::pitch(extent, case.tile[2])),
        false => u64::from(extent),
    };
    let [m, n] = [column(Side::A, case.tile[0]), column(Side::B, case.tile[1])];
    // Two barriers of 64 bits a stage stand beside what a unit of the SM copies for a warp along K.
    let barriers = if tensors::copied(case) { 16 * u64::from(case.warps_along_k()) } else { 0 };
    let stage = m * of_a
        + n * of_b
        + barriers
        + scaled::stage_bytes(case, warpgroups::consumers(case, [1, grid[1], 1]));
    let [staged, beside] = match case.of_groups {
        true => warpgroups::staging(case, grid),
        false => [staging(case, grid), 0],
    };
    let fits = |stages: &u32| !overflows(case, u64::from(*stages) * stage + beside);
    !case
        .stages
        .iter()
        .any(|stages| fits(stages) && !overflows(case, staged + u64::from(*stages) * barriers))
}

/// Whether the staging of the output does.
pub(super) fn staging_overflows(case: &Case<'_>, grid: [u32; 3]) -> bool {
    overflows(case, staging(case, grid))
}

/// Whether some target has less shared memory for a block.
pub(super) fn overflows(case: &Case<'_>, bytes: u64) -> bool {
    case.targets.iter().any(|target| bytes > limits::shared_bytes(*target))
}

/// The elements of A and of B.
fn elements(case: &Case<'_>) -> [Element; 2] {
    multiplied_elements(case.spec).unwrap_or([Element::F16; 2])
}

/// Bytes of a sum when it is staged.
fn sum_bytes(case: &Case<'_>) -> u32 {
    match case.sums() {
        Accumulator::F64 => 8,
        Accumulator::F16 | Accumulator::F32 | Accumulator::I32 => 4,
    }
}

/// Bytes of the accumulators of one row of atoms of each warp, those along K too, as rows of the output that are
/// padded so that the stores of a warp meet no bank twice.
fn staging(case: &Case<'_>, grid: [u32; 3]) -> u64 {
    let n_contiguous = super::indices::roles(case.spec)
        .is_none_or(|[_, n, _]| case.spec.outputs[0].indices.names()[1] == n);
    let (across, along) = if n_contiguous { (0, 1) } else { (1, 0) };
    let columns = u64::from(case.tile[along]);
    let planes = u64::from(grid[2]);
    if let Some(lane) = case.lane {
        let sum = lanes::sum_bytes(case.spec);
        let rows = u64::from(grid[across]) * lanes::staged_rows(lane, across, sum);
        let padding = lanes::staged_padding(lane, n_contiguous, columns, sum);
        return planes * rows * (columns + padding) * u64::from(sum);
    }
    // Where bytes are loaded in pairs, 16 lines belong together, and neighbours lie apart.
    let [of_a, of_b] = Side::BOTH.map(|side| u64::from(case.loads_pairs(side, grid)) + 1);
    let least = if [of_a, of_b][across] == 2 { 16 } else { 1 };
    let rows = u64::from(grid[across]) * u64::from(case.mma[across]).max(least);
    let sum = u64::from(sum_bytes(case));
    let passes = |padding: u64| {
        let pitch = columns + padding;
        let store = |lane: u64, column: u64| {
            let (m, n) = (lane / 4 * of_a, (lane % 4 * 2 + column) * of_b);
            sum * if n_contiguous { m * pitch + n } else { n * pitch + m }
        };
        let lanes: Vec<u64> = (0..32).map(|lane| store(lane, 0)).collect();
        let run = sum * if n_contiguous { 2 * of_b } else { of_a };
        banks::passes(&lanes, run as u32)
    };
    // Rows stay aligned to 16 bytes.
    let paddings = (0..32).step_by(16 / sum as usize);
    let padding = paddings.min_by_key(|padding| passes(*padding)).unwrap_or(0);
    planes * rows * (columns + padding) * sum
}

/// Whether a lane of a grid's warps holds more elements than its registers take beside its
/// addresses: its sums, the fragments that are held and its copies.
pub(super) fn registers_overflow(case: &Case<'_>, grid: [u32; 3], held: Held) -> bool {
    let (steps, addresses) = held.steps_and_addresses();
    let extents = [0, 1].map(|axis| tiling::deal(case.tile[axis], grid[axis]));
    let [Some(warp_m), Some(warp_n)] = extents else { return false };
    if let Some(lane) = case.lane {
        let held = lanes::registers(case, lane, [warp_m, warp_n]);
        return held + copied(case, grid) + addresses > limits::registers(warps(grid));
    }
    // Lane 0 has as much as any other. It owns the runs of neighbours whose row within 8 is its
    // number / 4, and whose place within 4 its number % 4 (PTX ISA, "Matrix Fragments for
    // mma.m16n8k16" and the sections beside it).
    let owned = |rows: u32, columns: u32, run: u32| {
        let elements = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let of_lane =
            |(row, column): &(u32, u32)| row.is_multiple_of(8) && (column / run).is_multiple_of(4);
        elements.filter(of_lane).count() as u32
    };
    // Two halves share a register.
    let halves = case.sums() == Accumulator::F16;
    // Those that are promoted are added to as many.
    let promoted = matches!(case.spec.schedule.promote, Some(Promotion::Every(_)));
    let of_others = promoted && !tensors::copied(case) || scaled::take_sums(case);
    let sets = if of_others { 2 } else { 1 };
    let bytes = if halves { 2 } else { sum_bytes(case) };
    let accumulators = sets * owned(warp_m, warp_n, 2) * bytes / 4;
    // A register holds 4 bytes.
    let run = |element| match converted::is_one_of(case.spec) {
        true => converted::run(case.spec),
        false => (4 / atoms::bytes(element)).max(1),
    };
    let side = |extent: u32, element| {
        atoms::bytes_along_k(element, owned(extent, case.mma[2], run(element))) / 4
    };
    let [a, b] = elements(case);
    let (of_a, of_b) = (side(warp_m, a), side(warp_n, b));
    let held = accumulators
        + match tensors::copied(case) {
            // Four loads of four registers of A take turns, and two k-steps of B.
            true => of_a.min(16) + 2 * of_b + 12,
            false => steps * (of_a + of_b) + copied(case, grid) + addresses,
        };
    held > limits::registers(warps(grid))
}

/// Registers in which a thread holds what it copies of the next tiles; none by asynchronous copies,
/// and none where the operands are not clear.
fn copied(case: &Case<'_>, grid: [u32; 3]) -> u32 {
    let warps = warps(grid);
    let of = |side: Side| match case.copy(side) {
        (bytes @ (4 | 8 | 16), _)
            if case.way(side) == Way::Registers && !indices::operands(case.spec) =>
        {
            // Each step of the loops is an instruction of every warp.
            copies::walk(case, side, warps * 32, 1).len() as u32 / warps * (bytes / 4)
        }
        _ => 0,
    };
    of(Side::A) + of(Side::B)
}
