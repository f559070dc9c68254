//! K of the last wave's tiles split among blocks, which on a GPU run and arrive in any order.

use gemm_runtime::prelude::*;

use super::gpu;

#[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4, split_k = tail(8))]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
fn whole(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

fn operands(device: &Device, [m, n, k]: [usize; 3], of: fn(usize) -> f32) -> [Matrix<f16>; 2] {
    [m, n].map(|rows| {
        let host: Vec<f16> = (0..rows * k).map(|i| f16::from_f32(of(i))).collect();
        device.matrix(rows, k, &host).expect("it fits")
    })
}

fn bits(matrix: &Matrix<f32>) -> Vec<u32> {
    matrix.to_vec().expect("out").iter().map(|element| element.to_bits()).collect()
}

/// Few tiles of a long sum; and, on any GPU of less than 200 multiprocessors, some waves and a few tiles.
const SHAPES: [[usize; 3]; 3] = [[300, 200, 20_000], [2800, 3000, 8200], [5000, 1111, 9001]];

#[test]
fn all_blocks_of_a_tile_are_added_up() {
    let Some(device) = gpu() else { return };
    for shape in SHAPES {
        // Whole numbers, of which sums in any order are exact.
        let [a, b] = operands(&device, shape, |i| ((i * 7919) % 11) as f32 - 5.0);
        let split = product(&device, &a, &b).expect("it runs");
        let expected = whole(&device, &a, &b).expect("it runs");
        assert_eq!(bits(&split), bits(&expected), "{shape:?}");
    }
}

#[test]
fn every_launch_gives_the_same_bits() {
    let Some(device) = gpu() else { return };
    let mut differ = 0;
    for shape in SHAPES {
        let [a, b] = operands(&device, shape, |i| ((i * 7919) % 1009) as f32 / 1009.0 - 0.3);
        let first = bits(&product(&device, &a, &b).expect("it runs"));
        for _ in 0..10 {
            assert_eq!(bits(&product(&device, &a, &b).expect("it runs")), first, "{shape:?}");
        }
        let in_one = bits(&whole(&device, &a, &b).expect("it runs"));
        differ += usize::from(in_one != first);
    }
    assert!(differ > 0, "no shape has a tile that was shared");
}
