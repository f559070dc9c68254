//! Integers with scales that warpgroups of more than 64 columns convert: a scale is rounded, and what it multiplies.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::{hopper, two};

#[gemm(T = [f16, bf16], tile = [64, 72, 64], mma = wgmma, stages = 2)]
fn of_8_bits<T>(w: Mat<i8, M, K>, s: Tiled<f32, M, K, 1, 64>, x: Mat<T, N, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

#[gemm(T = [f16, bf16], tile = [64, 72, 64], mma = wgmma, stages = 2)]
fn of_4_bits<T>(w: Mat<i4x2, M, K>, s: Tiled<f32, M, K, 1, 64>, x: Mat<T, N, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

/// Warpgroups of so few columns scale sums.
#[gemm(T = [f16, bf16], tile = [64, 64, 64], mma = wgmma, stages = 2)]
fn of_sums<T>(w: Mat<i8, M, K>, s: Tiled<f32, M, K, 1, 64>, x: Mat<T, N, K>) -> Mat<f32, M, N> {
    matmul(w * s, x)
}

const M: usize = 5;
const N: usize = 3;
const K: usize = 256;

/// A kernel of scales for tiles of 64, by its factors.
type Kernel<'a, W, T> =
    &'a dyn Fn(&Device, &Matrix<W>, &Matrix<f32>, &Matrix<T>) -> Result<Matrix<f32>, Error>;

/// The largest share of a bound in the errors of a kernel that multiplies ones by an integer, stored as `W` and as
/// many as `of_row`, times a scale; the integer and the scale of a row are its own.
fn share<W: Element, T: Element>(
    kernel: Kernel<'_, W, T>,
    (stored, of_row): (impl Fn(i8) -> W, usize),
    rows: [(i8, f32); M],
    bound: impl Fn(&Terms) -> f64,
) -> f64 {
    let device = &hopper();
    // A product of an integer of 8 bits and an f32 is exact in f64.
    let exact = |row: usize, _| f64::from(rows[row].0) * f64::from(rows[row].1);
    let factors = Factors::<f64, T>::new([M, N, K], exact, |_, _| 1.0);
    let w: Vec<W> = (0..M * of_row).map(|at| stored(rows[at / of_row].0)).collect();
    let s: Vec<f32> = (0..M * K / 64).map(|at| rows[at / (K / 64)].1).collect();
    let w = device.matrix(M, of_row, &w).expect("w");
    let s = device.matrix(M, K / 64, &s).expect("s");
    let (_, x) = factors.on(device);
    let got = kernel(device, &w, &s, &x).expect("a launch").to_vec().expect("a copy");
    factors.share(got.into_iter().map(f64::from), bound)
}

/// (K · 2^-23 · (1 + r) + r) · Σ abs(s·a·b), of roundings by up to u.
fn of_roundings(u: f64) -> impl Fn(&Terms) -> f64 {
    let r = 2.0 * u + u * u;
    move |terms| (terms.k * two(-23) * (1.0 + r) + r) * terms.size
}

/// An integer and a scale, halfway between two numbers but for a thousandth, whose roundings and that of their
/// product are in one direction; and others.
fn rows(integer: i8, unit: f64, halves: f64) -> [(i8, f32); M] {
    let scale = (1.0 + unit * halves) as f32;
    [(integer, scale), (-integer, scale), (integer, 0.3), (-integer / 2, 3e-3), (1, 1.0)]
}

#[track_caller]
fn assert_close(share: f64, least: f64) {
    assert!((least..=1.0).contains(&share), "{share} of the bound, not {least} to 1");
}

/// Catches a scale or a product that is rounded otherwise than to nearest, and a bound of one rounding alone.
pub(super) fn factors_that_are_scaled_are_rounded_twice() {
    let (bytes, pairs) = ((|x| x, K), (|x| i4x2::new(x, x), K / 2));
    let [of_f16, of_bf16] = [two(-11), two(-8)];

    let (rows_of, bound) = (rows(63, of_f16, 63.001), of_roundings(of_f16));
    assert_close(
        share::<i8, f16>(&|d, w, s, x| of_8_bits(d, w, s, x), bytes, rows_of, bound),
        0.94,
    );
    let (rows_of, bound) = (rows(121, of_bf16, 17.001), of_roundings(of_bf16));
    assert_close(
        share::<i8, bf16>(&|d, w, s, x| of_8_bits(d, w, s, x), bytes, rows_of, bound),
        0.94,
    );

    let (rows_of, bound) = (rows(5, of_f16, 4.999), of_roundings(of_f16));
    assert_close(
        share::<i4x2, f16>(&|d, w, s, x| of_4_bits(d, w, s, x), pairs, rows_of, bound),
        0.86,
    );
    let (rows_of, bound) = (rows(7, of_bf16, 39.001), of_roundings(of_bf16));
    assert_close(
        share::<i4x2, bf16>(&|d, w, s, x| of_4_bits(d, w, s, x), pairs, rows_of, bound),
        0.91,
    );
}

/// Catches a bound of f16 that is stated without what subnormal scales and products add: each is off by up to 2^-25,
/// here the scale by almost that.
pub(super) fn subnormal_scales_of_f16_are_off_by_half_their_distance() {
    let scale = (two(-25) * 0.999) as f32;
    let bound = |terms: &Terms| of_roundings(two(-11))(terms) + two(-25) * (127.0 + 1.0) * terms.k;
    let got =
        share::<i8, f16>(&|d, w, s, x| of_8_bits(d, w, s, x), (|x| x, K), [(127, scale); M], bound);
    assert_close(got, 0.98);
}

/// Catches scales that are rounded where sums are multiplied by them, as the documentation says of up to 64 columns.
pub(super) fn sums_that_are_scaled_round_no_scale() {
    let bound = |terms: &Terms| (64.0 * two(-23) + terms.k / 64.0 * two(-23)) * terms.size;
    let got = share::<i8, f16>(
        &|d, w, s, x| of_sums(d, w, s, x),
        (|x| x, K),
        rows(63, two(-11), 63.001),
        bound,
    );
    assert_close(got, 0.0);
    let got = share::<i8, bf16>(
        &|d, w, s, x| of_sums(d, w, s, x),
        (|x| x, K),
        rows(121, two(-8), 17.001),
        bound,
    );
    assert_close(got, 0.0);
}
