//! Tiles that copies transpose: elements of 4 bytes whose rows lie along K, one at a time, for lanes.

use gemm_codegen::{CacheOperator, Element, Side};

use super::way::Way;
use super::{Case, atoms, indices};

/// Whether single elements of a side would be transposed.
pub(super) fn can_be(case: &Case<'_>, side: Side) -> bool {
    let at = usize::from(side == Side::B);
    let along_k = case.multiplied().is_some_and(|sides| {
        atoms::bytes(sides[at].element) == 4 && sides[at].k_contiguous == Some(true)
    });
    case.lane.is_some() && along_k && !indices::are_unclear(case.spec)
}

/// Whether the copies of a side transpose its tile.
pub(super) fn is(case: &Case<'_>, side: Side) -> bool {
    can_be(case, side) && case.copy(side) == (4, Some(CacheOperator::Ca))
}

/// Threads of a warp along a row: as many of 8, 4, 2 and 1 as divide it.
pub(super) fn threads_of_row(columns: u32) -> u32 {
    [8, 4, 2].into_iter().find(|threads| columns.is_multiple_of(*threads)).unwrap_or(1)
}

/// Elements from column to column: the fewest, of whole chunks of 16 bytes, with which a warp's first
/// copies are all in different banks.
pub(super) fn pitch(rows: u32, columns: u32) -> u32 {
    let threads = threads_of_row(columns);
    let apart = |pitch: &u32| {
        let mut banks = [false; 32];
        (0..32).for_each(|lane| {
            banks[((lane % threads * pitch + lane / threads) % 32) as usize] = true;
        });
        banks == [true; 32]
    };
    let least = rows.next_multiple_of(4);
    (least..least + 32).step_by(4).find(apart).unwrap_or(least)
}

/// Whether lanes multiply f32 in register tiles of 8 by 8 with the tile of 128 by 256, if no tile is
/// named: both factors along M and N in shared memory, copied past registers, on sixteen warps, and
/// on targets that hold the ring, up to sm_90.
pub(super) fn is_wide(case: &Case<'_>, holds: impl Fn(u64) -> bool) -> bool {
    let schedule = &case.spec.schedule;
    let across = |side: Side| {
        let at = usize::from(side == Side::B);
        let sides = case.multiplied().filter(|_| !indices::are_unclear(case.spec));
        let floats = sides.is_some_and(|sides| sides[at].element == Element::F32);
        let along_m_or_n = sides.is_some_and(|sides| sides[at].k_contiguous == Some(false));
        let past_registers = case.way(side) == Way::Asynchronous;
        floats && past_registers && (along_m_or_n || is(case, side))
    };
    if indices::products(case.spec) > 1 {
        return false;
    }
    let warps = schedule.warps.map(|warps| warps.map(|count| count.get()));
    let stages = schedule.stages.map_or(4, |stages| u64::from(stages.get()));
    let column = |extent, side| if is(case, side) { pitch(extent, 16) } else { extent };
    let stage = 64 * u64::from(column(128, Side::A) + column(256, Side::B));
    case.lane == Some([8, 8])
        && Side::BOTH.into_iter().all(across)
        && warps.is_none_or(|warps| warps == [4, 4, 1])
        && case.targets.iter().all(|target| target.capability() <= (9, 0))
        && holds(stages * stage)
}
