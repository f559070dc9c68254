//! 8-bit floats by warpgroups in each form of kernel, on numbers whose sums are exact.

use crate::common::hopper;
use gemm_runtime::Element;
use gemm_runtime::prelude::*;

#[gemm(tile = [64, 40, 128], mma = wgmma, stages = 2)]
fn in_place(c: &mut Mat<f16, M, N>, a: Mat<e5m2, M, K>, b: Mat<e4m3, N, K>) {
    *c += matmul(a, b);
}

#[gemm(tile = [128, 24, 128], schedule = cooperative, mma = wgmma, stages = 2)]
fn two(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>, scale: f32) -> (Mat<f32, M, N>, Mat<e5m2, M, N>) {
    let product = matmul(a, b);
    (product, product * scale)
}

#[gemm(tile = [64, 32, 128], schedule = pingpong, cluster = [2, 1], mma = wgmma, stages = 2)]
fn clustered(a: Mat<e5m2, M, K>, b: Mat<e5m2, N, K>) -> Mat<e4m3, N, M> {
    matmul(a, b) * 0.125
}

const SHAPE: Shape = Shape { m: 150, n: 88, k: 160 };

/// Whole numbers from -3 to 3, which both formats have; sums of 160 products fit the 14 bits that are
/// kept.
fn numbers<T: Element>(rows: usize, seed: u64) -> Vec<T> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..rows * SHAPE.k).map(|_| T::from_f64(rng.i32(-3..=3).into())).collect()
}

/// A factor on a device and on the host.
fn factor<T: Element>(device: &Device, rows: usize, seed: u64) -> (Matrix<T>, Vec<T>) {
    let host = numbers(rows, seed);
    (device.matrix(rows, SHAPE.k, &host).expect("it fits"), host)
}

#[test]
fn sums_are_added_in_place() {
    let device = hopper();
    let ((a, of_a), (b, of_b)) = (factor(&device, SHAPE.m, 1), factor(&device, SHAPE.n, 2));
    let old: Vec<f16> = (0..SHAPE.m * SHAPE.n).map(|i| f16::from_f32((i % 17) as f32)).collect();
    let mut c = device.matrix(SHAPE.m, SHAPE.n, &old).expect("c");
    in_place(&device, &mut c, &a, &b).expect("it runs");
    let expected = in_place::reference(SHAPE, &old, &of_a, &of_b).expect("it fits");
    let got = c.to_vec().expect("c").into_iter().map(f16::to_f32);
    assert!(got.eq(expected));
}

#[test]
fn two_outputs_are_rounded_each_in_its_own_way() {
    let device = hopper();
    let ((a, of_a), (b, of_b)) = (factor(&device, SHAPE.m, 3), factor(&device, SHAPE.n, 4));
    let (exact, small) = two(&device, &a, &b, 0.25).expect("it runs");
    let expected = two::reference(SHAPE, &of_a, &of_b, 0.25).expect("it fits");
    assert_eq!(exact.to_vec().expect("out0"), expected.0);
    let rounded: Vec<e5m2> = expected.1.into_iter().map(e5m2::from_f32).collect();
    assert_eq!(small.to_vec().expect("out1"), rounded);
}

#[test]
fn clusters_copy_bytes_and_store_bytes_along_m() {
    let device = hopper();
    let ((a, of_a), (b, of_b)) = (factor(&device, SHAPE.m, 5), factor(&device, SHAPE.n, 6));
    let got = clustered(&device, &a, &b).expect("it runs").to_vec().expect("out");
    let expected = clustered::reference(SHAPE, &of_a, &of_b).expect("it fits");
    let expected: Vec<e4m3> = expected.into_iter().map(e4m3::from_f32).collect();
    assert_eq!(got, expected);
}
