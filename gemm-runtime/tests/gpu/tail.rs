//! K of the last wave's tiles split among blocks, which on a GPU run and arrive in any order.

use gemm_runtime::prelude::*;

use super::gpu;
use crate::common::{bits, factors, fractions, halves};

#[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4, split_k = tail(8))]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [128, 128, 32], warps = [2, 2], stages = 4)]
fn whole(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Few tiles of a long sum; and, with less than 200 multiprocessors, some waves and a few tiles.
const SHAPES: [[usize; 3]; 3] = [[300, 200, 20_000], [2800, 3000, 8200], [5000, 1111, 9001]];

#[test]
fn all_blocks_of_a_tile_are_added_up() {
    let Some(device) = gpu() else { return };
    for shape in SHAPES {
        let [a, b] = factors(&device, shape, halves);
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
        let [a, b] = factors(&device, shape, fractions);
        let first = bits(&product(&device, &a, &b).expect("it runs"));
        for _ in 0..10 {
            assert_eq!(bits(&product(&device, &a, &b).expect("it runs")), first, "{shape:?}");
        }
        let in_one = bits(&whole(&device, &a, &b).expect("it runs"));
        differ += usize::from(in_one != first);
    }
    assert!(differ > 0, "no shape has a tile that was shared");
}
