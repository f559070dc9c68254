//! `cluster = [m, n]`: a grid has whole clusters, and the tiles at its edges are right.

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
        }
    }
}
