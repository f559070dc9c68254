//! `k_order = serpentine`: which tiles are summed backwards, seen by how their sums are rounded.

use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Machine, Target};

#[gemm(
    tile = [64, 8, 64], warpgroups = [1, 1], mma = wgmma, schedule = cooperative, stages = 2
)]
fn ascending(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(
    tile = [64, 8, 64], warpgroups = [1, 1], mma = wgmma, schedule = cooperative,
    k_order = serpentine, stages = 2
)]
fn serpentine(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(
    tile = [64, 16, 64], mma = wgmma, schedule = pingpong, k_order = serpentine, cluster = [2, 1],
    stages = 2, pdl = [b]
)]
fn in_clusters(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

const DEPTH: usize = 160;

/// Rows with one element in each k-tile; the last k-tile is partial. Those of the products are
/// 2²⁴, 1 and 1.
fn factor(rows: usize) -> Vec<f16> {
    let of = |k: usize| match k {
        0 => 4096.0,
        64 | 128 => 1.0,
        _ => 0.0,
    };
    (0..rows * DEPTH).map(|at| f16::from_f32(of(at % DEPTH))).collect()
}

/// In the order of k each 1 is lost; backwards they are 2 before they meet 2²⁴.
const FORWARDS: f32 = 16_777_216.0;
const BACKWARDS: f32 = 16_777_218.0;

type Launch = fn(&Device, &Matrix<f16>, &Matrix<f16>) -> Result<Matrix<f32>, Error>;

/// The sum of each tile of `rows` rows, and the blocks that ran.
fn sums(launch: Launch, [rows, columns]: [usize; 2], tiles: usize) -> (Vec<f32>, usize) {
    let machine = Machine { target: Target::Sm90, processors: 1, clock: 1e9, memory: 1e12 };
    let options = EmulatorOptions::default().target(Target::Sm90).profile(true);
    let device = Device::emulator_with(options.machine(machine));
    let [m, n] = [rows * tiles, columns];
    let a = device.matrix(m, DEPTH, &factor(m)).expect("a");
    let b = device.matrix(n, DEPTH, &factor(n)).expect("b");
    let c = launch(&device, &a, &b).expect("it runs").to_vec().expect("c");
    let of_tiles: Vec<f32> = c.chunks(rows * n).map(|tile| tile[0]).collect();
    assert!(c.chunks(rows * n).zip(&of_tiles).all(|(tile, sum)| tile.iter().all(|x| x == sum)));
    (of_tiles, device.last_profile().expect("it ran").blocks as usize)
}

#[test]
fn every_second_tile_of_a_block_is_summed_backwards() {
    let (forwards, _) = sums(|d, a, b| ascending(d, a, b), [64, 8], 7);
    assert_eq!(forwards, [FORWARDS; 7]);
    let (turning, blocks) = sums(|d, a, b| serpentine(d, a, b), [64, 8], 7);
    let expected = |walkers: usize| {
        let of =
            |tile: usize| if (tile / walkers).is_multiple_of(2) { FORWARDS } else { BACKWARDS };
        (0..7).map(of).collect::<Vec<f32>>()
    };
    assert!(blocks < 7 && turning == expected(blocks), "{turning:?} of {blocks} blocks");
    // Both blocks of a cluster turn together, though one warpgroup multiplies every second tile.
    let (turning, blocks) = sums(|d, a, b| in_clusters(d, a, b), [128, 16], 7);
    assert!(blocks < 14 && turning == expected(blocks / 2), "{turning:?} of {blocks} blocks");
}
