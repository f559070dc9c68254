//! Warpgroups, from the PTX ISA's section on `wgmma`: what one instruction multiplies, what its
//! descriptors can reach, what `setmaxnreg` leaves a thread, and what the blocks of a cluster copy.

use std::collections::BTreeSet;
use std::num::NonZeroU16;

use gemm_codegen::{Accumulator, Element, Mma, Promotion, Schedule, Side, Spec, Splits, Walk};

use super::case::{Multiplied, multiplied_elements};
use super::{Case, atoms, converted, resources, scaled, tensors, tiling};

/// Rows of one instruction, and threads that execute it.
const ROWS: u32 = 64;
const THREADS: u32 = 128;

/// Bytes of a row of a tile, and rows that its swizzle permutes among themselves.
const ROW: u32 = 128;
const SWIZZLED_ROWS: u32 = 8;

/// Warpgroups of a block that can multiply.
const MOST: u32 = 3;

/// Bytes in which a warpgroup stages what it stores.
const STAGED: u64 = 2 * 8192;

/// Whether `wgmma` multiplies these elements: integers of both signs and both 8-bit floats in any mix.
pub(super) fn multiply(elements: [Element; 2]) -> bool {
    use Element::{Bf16, E4m3, E5m2, F16, F32, I8, U8};
    let alike = matches!(elements, [F16, F16] | [Bf16, Bf16] | [F32, F32]);
    alike || matches!(elements, [I8 | U8, I8 | U8] | [E4m3 | E5m2, E4m3 | E5m2])
}

/// What their products are summed in; those of halves and of 8-bit floats could be in f16, too, which
/// the generator does not emit.
pub(super) fn accumulator(element: Element) -> Accumulator {
    match element {
        Element::I8 | Element::U8 => Accumulator::I32,
        // No instruction multiplies them.
        Element::F64 => Accumulator::F64,
        _ => Accumulator::F32,
    }
}

/// m, n, k of the smallest instruction: one has 32 bytes along k, of no element more than 4.
pub(super) fn smallest(element: Element) -> [u32; 3] {
    [ROWS, 8, 32 / atoms::bytes(element).min(4)]
}

/// The grids that a block can have: of those that take turns each has one.
pub(super) fn grids(walk: Option<Walk>) -> Vec<[u32; 3]> {
    if walk == Some(Walk::Pingpong) {
        return vec![[1; 3]];
    }
    let all = (1..=MOST).flat_map(|m| (1..=MOST).map(move |n| [m, n, 1]));
    all.filter(|grid| !are_too_many(*grid)).collect()
}

/// Whether more multiply than can be beside one that copies.
pub(super) fn are_too_many([m, n, _]: [u32; 3]) -> bool {
    u64::from(m) * u64::from(n) > u64::from(MOST)
}

/// The columns that one instruction can have.
fn columns(element: Element) -> BTreeSet<u32> {
    match element {
        Element::I8 | Element::U8 => [8, 24].into_iter().chain((16..=256).step_by(16)).collect(),
        _ => (8..=256).step_by(8).collect(),
    }
}

/// Whether no instruction has the columns of a warpgroup of this grid, or its descriptors do not reach
/// them.
pub(super) fn miss_their_columns(case: &Case<'_>, grid: [u32; 3]) -> bool {
    has_no_columns(case, grid) || miss_their_tiles(case, grid)
}

/// Whether no instruction has the columns of a warpgroup of this grid; where warpgroups differ, those
/// of the block.
fn has_no_columns(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let of_group = tiling::deal(case.tile[1], grid[1]).unwrap_or(case.tile[1]);
    let elements = multiplied_elements(case.spec).unwrap_or([Element::F16; 2]);
    !columns(converted::multiplied_as(elements)[0]).contains(&of_group)
}

/// Whether the instruction that is named has other columns than a warpgroup of this grid, or other
/// bytes along k than 32.
pub(super) fn have_another_shape(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let Some(Mma::Wgmma(Some(shape))) = case.spec.schedule.mma else { return false };
    let [n, k] = [shape.n, shape.k].map(|extent| u32::from(extent.get()));
    tiling::deal(case.tile[1], grid[1]) != Some(n) || k != case.mma[2]
}

/// Whether the descriptors of some warpgroup do not reach what it multiplies.
///
/// A descriptor names a first row of eight that are swizzled together, or of a factor along M or N a
/// whole panel: the instruction counts rows and panels from there.
fn miss_their_tiles(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let Some(sides) = case.multiplied().filter(|_| tensors::copied(case)) else { return false };
    Side::BOTH.into_iter().zip(sides).enumerate().any(|(axis, (_, of))| {
        let Multiplied { element, k_contiguous } = of;
        let Some(extent) = tiling::deal(case.tile[axis], grid[axis]) else { return false };
        let unit = match k_contiguous {
            Some(false) if atoms::bytes(element) == 2 => ROW / 2,
            _ => SWIZZLED_ROWS,
        };
        let mut firsts = (0..grid[axis]).map(|number| number * extent);
        firsts.any(|first| !first.is_multiple_of(unit))
    })
}

/// Warpgroups of a block that multiply: those of a tile, or of two in turn.
pub(super) fn consumers(case: &Case<'_>, [m, n, _]: [u32; 3]) -> u32 {
    let tiles = if case.spec.schedule.walk == Some(Walk::Pingpong) { 2 } else { 1 };
    m.saturating_mul(n).saturating_mul(tiles)
}

/// Bytes in which a block stages its output, and those of them that lie beside the ring.
pub(super) fn staging(case: &Case<'_>, grid: [u32; 3]) -> [u64; 2] {
    let all = u64::from(consumers(case, grid)) * STAGED;
    [all, if case.spec.schedule.walk.is_some() { all } else { 0 }]
}

/// Whether every GPU with clusters runs these blocks as one.
pub(super) fn run_at_once(blocks: [NonZeroU16; 2]) -> bool {
    let [m, n] = blocks.map(NonZeroU16::get);
    let few = [1, 2, 4, 8];
    few.contains(&m) && few.contains(&n) && m * n <= 8
}

/// The blocks of a cluster that share a tile, if they can: as many as run on every GPU with
/// clusters.
fn splits(case: &Case<'_>) -> Option<u32> {
    match case.spec.schedule.split_k {
        Some(Splits::Every(count)) => {
            [2, 4, 8].into_iter().find(|size| *size == u32::from(count.get()))
        }
        Some(Splits::Tail(_)) | None => None,
    }
}

/// Whether warpgroups share the K of a tile in a way that no cluster has.
pub(super) fn are_no_cluster(case: &Case<'_>) -> bool {
    let shared = case.spec.schedule.split_k.is_some_and(|splits| splits.most() > 1);
    shared && splits(case).is_none()
}

/// Whether blocks share the K of several products.
pub(super) fn split_products(case: &Case<'_>) -> bool {
    case.of_groups && case.products > 1 && splits(case).is_some()
}

/// Whether blocks that share a tile walk as well, or copy to each other.
pub(super) fn do_more_than_share(case: &Case<'_>) -> bool {
    let Schedule { split_k, walk, cluster, .. } = &case.spec.schedule;
    let copies = cluster.is_some_and(|blocks| blocks.iter().any(|extent| extent.get() > 1));
    split_k.is_some_and(|splits| splits.most() > 1) && (walk.is_some() || copies)
}

/// Whether the blocks that share a tile would have other numbers of columns, or parts of the 8 of
/// which a quad of lanes has a row.
pub(super) fn share_unevenly(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let of_group = tiling::deal(case.tile[1], grid[1]).unwrap_or(case.tile[1]);
    let dealt = |splits| tiling::deal(of_group, splits);
    splits(case).is_some_and(|splits| dealt(splits).is_none_or(|columns| columns % 8 > 0))
}

/// Whether 8-bit floats are promoted, as they are unless the schedule says otherwise. A factor that is converted
/// leaves no registers for that.
pub(super) fn promotes(spec: &Spec) -> bool {
    let [a, _] = multiplied_elements(spec).unwrap_or([Element::F16; 2]);
    match spec.schedule.promote {
        Some(promotion) => promotion != Promotion::Never && !converted::is_one_of(spec),
        None => matches!(a, Element::E4m3 | Element::E5m2),
    }
}

/// Whether sums are promoted where they cannot be: within a k-tile, after more of these than the ring has,
/// or none of floats.
pub(super) fn promote_elsewhere(case: &Case<'_>) -> bool {
    let Some(Promotion::Every(k)) = case.spec.schedule.promote else { return false };
    let (k, tile) = (u32::from(k.get()), case.tile[2]);
    // Warps keep no stage until then. Stages that are left out are as many as fit.
    let fit = |stages: u32| {
        let of = case.with_stages(stages);
        case.spec.schedule.stages.is_some()
            || !of.every_grid(|grid| resources::shared_memory_overflows(&of, grid))
    };
    let held = |stages: &u32| !case.of_groups || k / tile < *stages && fit(*stages);
    let is_whole = k.is_multiple_of(tile) && case.stages.iter().any(held);
    let of_groups = case.of_groups && !converted::is_one_of(case.spec);
    let has_sums = of_groups || !case.of_groups && case.lane.is_none() && !tensors::copied(case);
    !has_sums || case.sums() != Accumulator::F32 || !is_whole
}

/// Whether the sums of a thread leave no room for its 28 addresses, and 12 more of a thread that walks
/// over tiles.
///
/// A block has 512 registers for each thread of a warpgroup. Where several multiply, the one that copies
/// keeps 24 and they share the rest, in units of 8.
pub(super) fn registers_overflow(case: &Case<'_>, grid: [u32; 3]) -> bool {
    let extents = [0, 1].map(|axis| tiling::deal(case.tile[axis], grid[axis]));
    let [Some(m), Some(n)] = extents else { return false };
    // Rows that no instruction divides speak against every grid: it is judged for those of one.
    let m = if case.tile[0].is_multiple_of(ROWS) { m } else { ROWS };
    let groups = consumers(case, grid);
    let share = if groups == 1 { 512 / 2 } else { (512 - 24) / groups / 8 * 8 };
    let bits = match case.sums() {
        Accumulator::F16 => 16,
        Accumulator::F32 | Accumulator::I32 => 32,
        Accumulator::F64 => 64,
    };
    let instruction = u64::from(ROWS) * u64::from(n) / u64::from(THREADS);
    // Those of an instruction until they are promoted, or of all where they are more than two.
    let instructions = u64::from(m) / u64::from(ROWS);
    let (k, scaled) = scaled::of_groups(case, n, instructions);
    let at_a_time = if instructions > 2 { instructions } else { 1 };
    let promoted = if promotes(case.spec) && scaled == 0 { instruction * at_a_time } else { 0 };
    let sums = u64::from(m) * u64::from(n) / u64::from(THREADS) * bits / 32 + promoted;
    let addresses = if case.spec.schedule.walk.is_some() { 28 + 12 } else { 28 };
    // Of 64 rows each lane of 128 converts as many pairs as k is deep / 4, while as many are multiplied.
    let converted = match converted::side_of(case.spec) {
        Some(Side::A) => 2 * instructions * u64::from(ROWS * k / THREADS / 2),
        Some(Side::B) | None => 0,
    };
    // An instruction is compiled for the registers of the launch, and needs 26 beside its sums.
    let at_launch = u64::from((512 / (groups + 1) / 8 * 8).min(255));
    let of_instruction = instruction + 26;
    sums + scaled * instruction + converted + addresses > u64::from(share.min(255))
        || of_instruction > at_launch
}

/// Whether something speaks against every grid, and this against some.
pub(super) fn is_reason(case: &Case<'_>, this: fn(&Case<'_>, [u32; 3]) -> bool) -> bool {
    let all = [
        miss_their_columns,
        have_another_shape,
        share_unevenly,
        registers_overflow,
        resources::shared_memory_overflows,
        tiling::parts_are_left_over,
    ];
    case.every_grid(|grid| all.iter().any(|other| other(case, grid)))
        && !case.every_grid(|grid| !this(case, grid))
}
