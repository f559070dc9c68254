//! `promote`: how exactly sums are promoted, against those of the tensor cores alone.

use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Target};

#[gemm(tile = [64, 8, 128], mma = wgmma, promote = never)]
fn truncated(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// After 128, by default.
#[gemm(tile = [64, 8, 128], mma = wgmma)]
fn promoted(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Two atoms one after the other, and a last promotion of fewer k-tiles than others.
#[gemm(
    tile = [128, 8, 64], warpgroups = [1, 1], mma = wgmma, schedule = cooperative, stages = 3,
    promote = 128
)]
fn of_halves(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

const ROWS: usize = 64;
const COLUMNS: usize = 8;

fn device() -> Device {
    Device::emulator_with(EmulatorOptions::default().target(Target::Sm90))
}

/// Positive numbers, so that what is truncated adds up.
fn positive<T>(count: usize, seed: u64, of: fn(f32) -> T) -> Vec<T> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| of(rng.f32())).collect()
}

/// The largest error of a sum, over the sum.
fn error(sums: &[f32], [a, b]: [&[f64]; 2], depth: usize) -> f64 {
    let columns = sums.len() / (a.len() / depth);
    let of = |at: usize| {
        let [a, b] =
            [(a, at / columns), (b, at % columns)].map(|(all, row)| &all[row * depth..][..depth]);
        let exact: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        (f64::from(sums[at]) - exact).abs() / exact
    };
    (0..sums.len()).map(of).fold(0.0, f64::max)
}

type Launch = fn(&Device, &Matrix<e4m3>, &Matrix<e4m3>) -> Result<Matrix<f32>, Error>;

fn error_of_bytes(launch: Launch, depth: usize) -> f64 {
    let device = device();
    let [a, b] =
        [(ROWS, 1), (COLUMNS, 2)].map(|(rows, seed)| positive(rows * depth, seed, e4m3::from_f32));
    let of_a = device.matrix(ROWS, depth, &a).expect("a");
    let of_b = device.matrix(COLUMNS, depth, &b).expect("b");
    let sums = launch(&device, &of_a, &of_b).expect("it runs").to_vec().expect("sums");
    let [a, b] = [a, b].map(|of| of.iter().map(|x| f64::from(x.to_f32())).collect::<Vec<_>>());
    error(&sums, [&a, &b], depth)
}

#[test]
fn promoted_sums_of_bytes_do_not_lose_more_with_each_instruction() {
    let depth = 4096;
    let of_promoted = |depth| error_of_bytes(|d, a, b| promoted(d, a, b), depth);
    let [alone, after_tiles] =
        [error_of_bytes(|d, a, b| truncated(d, a, b), depth), of_promoted(depth)];
    assert!(alone > 2e-3, "{alone}: the tensor cores alone keep 13 bits");
    assert!(after_tiles < 1e-3, "{after_tiles}");
    assert!(of_promoted(4 * depth) < 1e-3, "no more of four times as many");
}

#[test]
fn any_depth_is_promoted_in_whole_tiles_and_a_rest() {
    for depth in [0, 1, 64, 100, 128, 192, 200, 320, 448] {
        let device = device();
        let rows = 2 * ROWS;
        let [a, b] = [(rows, 3), (COLUMNS, 4)]
            .map(|(rows, seed)| positive(rows * depth, seed, f16::from_f32));
        let of_a = device.matrix(rows, depth, &a).expect("a");
        let of_b = device.matrix(COLUMNS, depth, &b).expect("b");
        let sums = of_halves(&device, &of_a, &of_b).expect("it runs").to_vec().expect("sums");
        if depth == 0 {
            assert!(sums.iter().all(|sum| *sum == 0.0));
            continue;
        }
        let [a, b] = [a, b].map(|of| of.iter().map(|x| f64::from(x.to_f32())).collect::<Vec<_>>());
        let error = error(&sums, [&a, &b], depth);
        assert!(error < 1e-6, "{depth}: {error}");
    }
}
