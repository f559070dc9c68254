//! i8 and u8. That bodies wrap as the host does, gemm-runtime's `integers_wrap_on_the_host_as_on_the_device`
//! tests.

use fastrand::Rng;
use gemm_runtime::prelude::*;

use super::hopper;

#[gemm(tile = [16, 32, 128], warps = [1, 1], stages = 2)]
fn of_warps(a: Mat<u8, M, K>, b: Mat<u8, N, K>) -> Mat<i32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 24, 128], mma = wgmma, stages = 2)]
fn of_warpgroups(a: Mat<u8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N> {
    matmul(a, b)
}

fn sums<A: Copy + Into<i64>, B: Copy + Into<i64>>(k: usize, a: &[A], b: &[B]) -> Vec<i64> {
    let sum = |a: &[A], b: &[B]| a.iter().zip(b).map(|(a, b)| (*a).into() * (*b).into()).sum();
    a.chunks(k).flat_map(|a| b.chunks(k).map(move |b| sum(a, b))).collect()
}

/// Catches sums that saturate at 2^31, that are rounded as floats are, and bytes that are read with
/// another sign. The first row of each factor is of the largest magnitude, the second random.
pub(super) fn sums_of_bytes_are_exact_modulo_2_to_the_32() {
    let (device, mut rng) = (&hopper(), Rng::with_seed(41));
    let wrapped = |sums: &[i64]| sums.iter().map(|sum| *sum as i32).collect::<Vec<i32>>();

    let k = 33_026;
    let of_rows = |rng: &mut Rng, k: usize| -> Vec<u8> {
        (0..2 * k).map(|at| if at < k { 255 } else { rng.u8(..) }).collect()
    };
    let (a, b) = (of_rows(&mut rng, k), of_rows(&mut rng, k));
    let expected = sums(k, &a, &b);
    assert!(expected[0] > i64::from(i32::MAX) && expected[0] - 255 * 255 <= i64::from(i32::MAX));
    let (a, b) = (device.matrix(2, k, &a).expect("a"), device.matrix(2, k, &b).expect("b"));
    let got = of_warps(device, &a, &b).expect("a launch").to_vec().expect("a copy");
    assert_eq!(got, wrapped(&expected));

    let k = 65_800;
    let a = of_rows(&mut rng, k);
    let b: Vec<i8> = (0..2 * k).map(|at| if at < k { -128 } else { rng.i8(..) }).collect();
    let expected = sums(k, &a, &b);
    assert!(expected[0] < i64::from(i32::MIN));
    let (a, b) = (device.matrix(2, k, &a).expect("a"), device.matrix(2, k, &b).expect("b"));
    let got = of_warpgroups(device, &a, &b).expect("a launch").to_vec().expect("a copy");
    assert_eq!(got, wrapped(&expected));
}
