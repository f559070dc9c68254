//! How a thread takes fewer registers: what a help says of those that do not fit.

use crate::axis::Axis;
use crate::help::Edit;
use crate::level::warps::Warps;
use crate::registers::Registers;
use crate::spec::{Accumulator, Mma};

/// Threads of a block from which on more warps have too few registers each.
const MOST_THREADS_TO_DOUBLE: u32 = 512;

/// Registers of sums that are added to the accumulators later, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    None,
    /// They are promoted.
    Promoted(u32),
    /// They are multiplied by scales.
    Scaled(u32),
}

impl Pending {
    pub(super) fn registers(self) -> u32 {
        match self {
            Pending::None => 0,
            Pending::Promoted(registers) | Pending::Scaled(registers) => registers,
        }
    }

    /// What a message says of them, after the number of all.
    pub(super) fn words(self) -> String {
        match self {
            Pending::Scaled(registers) => format!(" ({registers} for sums before they are scaled)"),
            Pending::None | Pending::Promoted(_) => String::new(),
        }
    }

    /// How the registers fit without these, if they do.
    pub(super) fn otherwise(self, registers: &Registers) -> String {
        match self {
            Pending::Promoted(of) if Registers { promoted: 0, ..*registers }.fit() => {
                format!(
                    "; or `promote = never`: {of} of the accumulator registers are for promotion"
                )
            }
            _ => String::new(),
        }
    }
}

/// The rows and columns of a warp tile that usually fit.
fn usual(mma: Mma, accumulator: Accumulator) -> [u32; 2] {
    let [m, n, _] = mma.shape();
    match accumulator.bits() {
        _ if matches!(mma, Mma::Fma { .. }) => [m, n],
        64 => [32, 64],
        _ => [64, 64],
    }
}

/// This block tile in more warps, or smaller ones, with warps of the usual tile or half of it; of warpgroups
/// fewer columns.
pub(super) fn smaller_tilings(warps: &Warps, mma: Mma, accumulator: Accumulator) -> Vec<Edit> {
    let [block_m, block_n, _] = warps.block;
    if let Mma::Wgmma(_) = mma {
        return [2, 4].map(|parts| Edit::Tile(Axis::N, block_n / parts)).into();
    }
    let [m, n] = usual(mma, accumulator);
    let half = (m / 2).max(1);
    let in_warps = |[of_m, of_n]: [u32; 2], m: u32| {
        let [rows, columns] = [block_m / of_m, block_n / of_n];
        Edit::Tiling([rows, columns], [(rows / m).max(1), (columns / n).max(1)])
    };
    let smaller = [[2, 1], [1, 2], [2, 2]].into_iter();
    let smaller = smaller.flat_map(|parts| [in_warps(parts, m), in_warps(parts, half)]);
    [in_warps([1, 1], m), in_warps([1, 1], half)].into_iter().chain(smaller).collect()
}

/// How a warp takes fewer registers.
pub(super) fn smaller(warps: &Warps, mma: Mma, accumulator: Accumulator) -> String {
    let [m, n, _] = mma.shape();
    let is_tile = matches!(mma, Mma::Fma { .. });
    if is_tile && warps.tile[..2] == [m, n] {
        return format!("use fewer warps, or a smaller register tile than {}", mma.name());
    }
    let [usual_m, usual_n] = usual(mma, accumulator);
    let is_usual = warps.tile[0] <= usual_m && warps.tile[1] <= usual_n;
    if is_usual || warps.threads >= MOST_THREADS_TO_DOUBLE {
        return "use a smaller block tile".to_owned();
    }
    match is_tile {
        true => format!(
            "use a smaller block tile, or more warps: {usual_m} x {usual_n} per warp is one {}",
            mma.name()
        ),
        false => format!(
            "use a smaller block tile, or more warps: {usual_m} x {usual_n} per warp is usual"
        ),
    }
}
