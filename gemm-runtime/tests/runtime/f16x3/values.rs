//! Rows of every size, and values that are no numbers.

use super::{check, product, random};
use crate::common::hopper;
use gemm_runtime::prelude::*;

const SHAPE: Shape = Shape { m: 8, n: 6, k: 80 };

/// The product of these factors.
fn run(x: &[f32], w: &[f32]) -> Vec<f32> {
    let (device, Shape { m, n, k }) = (hopper(), SHAPE);
    let x = device.matrix(m, k, x).expect("it fits");
    let w = device.matrix(n, k, w).expect("it fits");
    product(&device, &x, &w).expect("it runs").to_vec().expect("a copy")
}

#[test]
fn each_row_has_a_scale_of_its_own() {
    let (Shape { m, n, k }, mut rng) = (SHAPE, fastrand::Rng::with_seed(6));
    let (mut x, mut w) = (random(&mut rng, m * k, 8), random(&mut rng, n * k, 8));
    // From subnormal rows to those near the largest number; products stay within f32.
    let powers = [-140, -126, -100, -24, 0, 24, 60, 112];
    for (row, power) in x.chunks_mut(k).zip(powers) {
        let half = f64::exp2(f64::from(power));
        row.iter_mut().for_each(|x| *x = (f64::from(*x) * half) as f32);
    }
    for (row, power) in w.chunks_mut(k).zip([-149, -20, -1, 0, 1, -130]) {
        let half = f64::exp2(f64::from(power));
        row.iter_mut().for_each(|x| *x = (f64::from(*x) * half) as f32);
    }
    x[3 * k..][..k].fill(0.0);
    check(SHAPE, &x, &w, &run(&x, &w));
}

#[test]
fn a_row_may_have_the_largest_and_the_smallest_numbers() {
    let Shape { m, n, k } = SHAPE;
    let (mut x, mut w) = (vec![0.0; m * k], vec![0.0; n * k]);
    (x[0], x[1], x[k], x[k + 79]) = (f32::MAX, -f32::MAX, f32::from_bits(1), f32::MIN_POSITIVE);
    (w[0], w[1], w[k], w[k + 1], w[2 * k + 79]) = (1.0, 0.5, 1.0, 1.0, 1.0);
    let got = run(&x, &w);
    assert_eq!(got[..3], [f32::MAX / 2.0, 0.0, 0.0]);
    assert_eq!(got[n..n + 3], [f32::from_bits(1), f32::from_bits(1), f32::MIN_POSITIVE]);
    // f32 overflows there as well.
    w[1] = -1.0;
    assert_eq!(run(&x, &w)[0], f32::INFINITY);
}

#[test]
fn a_small_element_next_to_a_large_one_loses_bits_and_is_off_by_the_bound() {
    let Shape { m, n, k } = SHAPE;
    let (mut x, mut w) = (vec![0.0; m * k], vec![0.0; n * k]);
    (x[0], x[1], w[1]) = (1.0, f32::exp2(-45.0), 1.0);
    check(SHAPE, &x, &w, &run(&x, &w));
    assert_eq!(run(&x, &w)[0], 0.0, "f32 has 2^-45");
}

#[test]
fn what_is_not_finite_makes_sums_of_its_row_nan_and_no_others() {
    let (Shape { m, n, k }, mut rng) = (SHAPE, fastrand::Rng::with_seed(7));
    for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        let (mut x, w) = (random(&mut rng, m * k, 8), random(&mut rng, n * k, 8));
        x[2 * k + 5] = value;
        let got = run(&x, &w);
        assert!(got[2 * n..3 * n].iter().all(|sum| sum.is_nan()));
        x[2 * k..3 * k].fill(0.0);
        let mut others = got;
        others[2 * n..3 * n].fill(0.0);
        check(SHAPE, &x, &w, &others);
    }
}
