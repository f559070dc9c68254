//! The same as sums of three bf16, `precision = bf16x6`.

use super::{random, transposed};
use crate::common::hopper;
use gemm_runtime::prelude::*;
use gemm_runtime::{Planes, SplitBy};

/// One tile of one warpgroup.
#[gemm(tile = [64, 32, 64], warpgroups = [1, 1], mma = wgmma, precision = bf16x6, stages = 2)]
fn product(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// The same by warps, of factors whose rows run across K.
#[gemm(tile = [64, 32, 32], warps = [2, 1], precision = bf16x6, stages = 3)]
fn across(x: Mat<f32, K, M>, w: Mat<f32, K, N>) -> Mat<f32, M, N> {
    matmul(x, w)
}

#[gemm(precision = f16x3)]
fn halves(x: Mat<f32, M, K>, w: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(x, w)
}

/// Compares each element with its sum in f64, within what f32 sums of random terms are off by.
#[track_caller]
fn check(Shape { m, n, k }: Shape, x: &[f32], w: &[f32], got: &[f32]) {
    for (at, got) in got.iter().enumerate().take(m * n) {
        let (x, w) = (&x[at / n * k..][..k], &w[at % n * k..][..k]);
        let terms = x.iter().zip(w).map(|(x, w)| f64::from(*x) * f64::from(*w));
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
        let error = (f64::from(*got) - sum).abs();
        assert!(error <= 1e-6 * size + 3e-45, "{at} of {m} × {n} × {k}: {got} for {sum}");
    }
}

#[test]
fn elements_far_apart_in_a_row_are_as_exact_as_f32() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(9));
    for [m, n, k] in [[64, 32, 64], [70, 45, 100], [1, 1, 1], [65, 3, 333], [3, 33, 0]] {
        let (x, w) = (random(&mut rng, m * k, 80), random(&mut rng, n * k, 80));
        let shape = Shape { m, n, k };
        let of_x = device.matrix(m, k, &x).expect("it fits");
        let of_w = device.matrix(n, k, &w).expect("it fits");
        let out = product(&device, &of_x, &of_w).expect("it runs");
        check(shape, &x, &w, &out.to_vec().expect("a copy"));
        let of_x = device.matrix(k, m, &transposed(&x, k.max(1))[..m * k]).expect("it fits");
        let of_w = device.matrix(k, n, &transposed(&w, k.max(1))[..n * k]).expect("it fits");
        let out = across(&device, &of_x, &of_w).expect("it runs");
        check(shape, &x, &w, &out.to_vec().expect("a copy"));
    }
}

#[test]
fn the_largest_numbers_stay_finite_and_others_are_nan() {
    let device = hopper();
    let multiply = |x: &[f32], w: &[f32]| {
        let of_x = device.matrix(1, x.len(), x).expect("it fits");
        let of_w = device.matrix(1, w.len(), w).expect("it fits");
        product(&device, &of_x, &of_w).expect("it runs").to_vec().expect("a copy")[0]
    };
    let run = |x: &[f32]| multiply(x, &vec![1.0; x.len()]);
    assert_eq!(run(&[f32::MAX]), f32::MAX);
    assert_eq!(run(&[-f32::MAX, 1.0]), -f32::MAX);
    assert_eq!(run(&[f32::MIN_POSITIVE, 0.0]), f32::MIN_POSITIVE);
    let small = f32::exp2(-60.0);
    assert_eq!(multiply(&[1.0, small], &[0.0, 1.0]), small, "f16x3 loses it");
    assert!([f32::NAN, f32::INFINITY].into_iter().all(|value| run(&[value, 1.0]).is_nan()));
}

#[test]
fn planes_are_those_of_one_precision() {
    let (device, mut rng) = (hopper(), fastrand::Rng::with_seed(10));
    let [m, n, k] = [5, 34, 70];
    let of_x = device.matrix(m, k, &random(&mut rng, m * k, 8)).expect("it fits");
    let of_w = device.matrix(n, k, &random(&mut rng, n * k, 8)).expect("it fits");
    let split = device.split_rows(&of_w, Planes::Bf16x6).expect("it fits");
    assert_eq!((split.planes(), split.by()), (Planes::Bf16x6, SplitBy::Rows));
    assert_eq!(split.bytes(), n * 96 * 6);
    let get = |out: Result<Matrix<f32>, Error>| out.expect("it runs").to_vec().expect("a copy");
    assert_eq!(get(product(&device, &of_x, &split)), get(product(&device, &of_x, &of_w)));
    let error = halves(&device, &of_x, &split).expect_err("it is of another").to_string();
    let expected = "halves: w: expected a matrix split by rows for f16x3, got a matrix split by rows for bf16x6";
    assert_eq!(error, expected);
}
