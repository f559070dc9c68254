//! `cluster = [m, n]`, and `split_k` of warpgroups: a grid has whole clusters, and the tiles at its
//! edges are right.

use gemm_runtime::prelude::*;
use gemm_runtime::{EmulatorOptions, Machine, Target};

#[gemm(tile = [64, 16, 64], schedule = cooperative, cluster = [2, 1], mma = wgmma, stages = 2)]
fn walking(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 16, 64], cluster = [1, 2], mma = wgmma, stages = 2)]
fn one_tile(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 16, 64], schedule = pingpong, cluster = [2, 4], mma = wgmma, stages = 2)]
fn along_both(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 32, 64], mma = wgmma, stages = 2, split_k = 4)]
fn shared(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

fn device(processors: u32) -> Device {
    let machine = Machine { target: Target::Sm90, processors, clock: 1e9, memory: 1e12 };
    let options = EmulatorOptions::default().target(Target::Sm90).profile(true);
    Device::emulator_with(options.machine(machine))
}

/// Two matrices, whose elements differ from one column to the next.
fn factors([m, n, k]: [usize; 3]) -> [Vec<f16>; 2] {
    [m, n].map(|rows| (0..rows * k).map(|at| f16::from_f32((at % 7) as f32 - 3.0)).collect())
}

#[test]
fn a_grid_has_whole_clusters() {
    // Rows, columns, processors' blocks of clusters along N, and of clusters along M.
    for (m, n, of_n) in [(64, 16, 2), (64, 48, 4), (192, 16, 6), (130, 40, 12)] {
        let [a, b] = factors([m, n, 72]);
        let shape = Shape { m, n, k: 72 };
        let expected = walking::reference(shape, &a, &b).expect("it fits");
        for processors in [1, 3, 132] {
            let device = device(processors);
            let (a, b) =
                (device.matrix(m, 72, &a).expect("a"), device.matrix(n, 72, &b).expect("b"));
            let blocks = || device.last_profile().expect("it ran").blocks;
            let c = one_tile(&device, &a, &b).expect("it runs").to_vec().expect("c");
            assert_eq!((c, blocks()), (expected.clone(), of_n), "{m} x {n}");
            let c = walking(&device, &a, &b).expect("it runs").to_vec().expect("c");
            assert_eq!(c, expected, "{m} x {n} on {processors}");
            let all = 2 * m.div_ceil(128) * n.div_ceil(16);
            assert!(blocks() % 2 == 0 && blocks() <= all as u32, "{m} x {n} on {processors}");
            let c = along_both(&device, &a, &b).expect("it runs").to_vec().expect("c");
            assert_eq!(c, expected, "{m} x {n} on {processors}");
            let all = 8 * m.div_ceil(128) * n.div_ceil(64);
            assert!(blocks() % 8 == 0 && blocks() <= all as u32, "{m} x {n} on {processors}");
        }
    }
}

#[test]
fn a_report_says_how_many_blocks_share_a_tile() {
    let device = device(132);
    let zeros = |rows| device.zeros::<f16>(rows, 64).expect("it fits");
    let mut c = device.zeros(64, 32).expect("it fits");
    let (a, b) = (zeros(64), zeros(32));
    let prepared = shared::prepare(&device, &a, &b, &mut c).expect("it is right");
    let report = prepared.report().to_string();
    assert!(
        report.contains(", clusters of 4 that share the K of a tile, 4 blocks of "),
        "{report}"
    );
}

#[test]
fn a_tile_has_a_cluster_whose_blocks_share_any_k() {
    // No k-tile, fewer than blocks, as many, and more.
    for (m, n, tiles) in [(64, 32, 1), (130, 40, 6)] {
        for k in [0, 8, 72, 256, 264, 520] {
            let [a, b] = factors([m, n, k]);
            let expected = shared::reference(Shape { m, n, k }, &a, &b).expect("it fits");
            let device = device(132);
            let (a, b) = (device.matrix(m, k, &a).expect("a"), device.matrix(n, k, &b).expect("b"));
            let c = shared(&device, &a, &b).expect("it runs").to_vec().expect("c");
            assert_eq!(c, expected, "{m} x {n} x {k}");
            assert_eq!(device.last_profile().expect("it ran").blocks, 4 * tiles);
        }
    }
}

#[test]
fn no_order_of_the_blocks_changes_a_bit() {
    let shape = Shape { m: 64, n: 32, k: 712 };
    let [a, b] = [shape.m, shape.n].map(|rows| {
        let of = |at: usize| f16::from_f32(((at * 7919) % 1013) as f32 / 617.0 - 0.8);
        (0..rows * shape.k).map(of).collect::<Vec<f16>>()
    });
    let run = |seed| {
        let options = EmulatorOptions::default().target(Target::Sm90).seed(seed);
        let device = Device::emulator_with(options);
        let matrix = |rows, data| device.matrix(rows, shape.k, data).expect("a factor");
        let (a, b) = (matrix(shape.m, &a), matrix(shape.n, &b));
        let c: Vec<f32> = shared(&device, &a, &b).expect("it runs").to_vec().expect("c");
        c.into_iter().map(f32::to_bits).collect::<Vec<u32>>()
    };
    let first = run(0);
    assert!((1..6).all(|seed| run(seed << 32) == first));
}
