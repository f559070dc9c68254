//! Banks of shared memory: what each has to deliver to the lanes that are served together.

use std::collections::{HashMap, HashSet};

use gemm_codegen::{Side, Swizzle};

use super::{Case, copies, swizzle};

/// Whether a load or a copy of a side's tile takes the banks more than one pass.
pub(super) fn conflict(case: &Case<'_>, side: Side, swizzle: Swizzle, threads: u32) -> bool {
    let Some([rows, columns, element]) = case.shared_tile(side) else { return false };
    let address = |row: u32, column: u32| {
        swizzle::moved(u64::from(row * columns + column), swizzle) * u64::from(element)
    };
    // `ldmatrix` reads 8 x 8 matrices of 16-bit elements, a row of 16 bytes for each of 8 lanes.
    let matrices = (0..rows / 8).flat_map(|i| (0..columns / 8).map(move |j| (i * 8, j * 8)));
    let load = |(row, column): (u32, u32)| {
        (row..row + 8).map(|row| address(row, column)).collect::<Vec<u64>>()
    };
    if matrices.map(load).any(|lanes| passes(&lanes, 16) > 1) {
        return true;
    }
    let (bytes, _) = case.copy(side);
    copies::walk(case, side, threads).into_iter().any(|lanes| {
        let lanes: Vec<u64> = lanes.into_iter().map(|(row, column)| address(row, column)).collect();
        passes(&lanes, bytes) > 1
    })
}

/// Passes for an access in which each lane touches `bytes` bytes: a quarter of a warp is served at
/// a time where a lane has 16, half of it where it has 8, else all of it.
pub(super) fn passes(lanes: &[u64], bytes: u32) -> usize {
    let together = (128 / bytes).min(32) as usize;
    let most = |lanes: &[u64]| {
        let mut words: HashMap<u64, HashSet<u64>> = HashMap::new();
        for address in lanes {
            for word in address / 4..(address + u64::from(bytes)).div_ceil(4) {
                words.entry(word % 32).or_default().insert(word);
            }
        }
        words.values().map(HashSet::len).max().unwrap_or(0)
    };
    lanes.chunks(together).map(most).max().unwrap_or(0)
}
