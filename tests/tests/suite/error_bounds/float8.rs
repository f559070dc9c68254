//! e4m3 and e5m2.

use fastrand::Rng;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::halves::hold;
use super::{hopper, two};

#[gemm(tile = [64, 24, 128], mma = wgmma, stages = 2, promote = never)]
fn truncated(a: Mat<e4m3, M, K>, b: Mat<e5m2, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 24, 128], mma = wgmma, stages = 2)]
fn promoted(a: Mat<e4m3, M, K>, b: Mat<e5m2, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 24, 128], mma = wgmma, stages = 2, promote = never)]
fn truncated_e4m3(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 32, 64], warps = [1, 1], stages = 3)]
fn of_warps(a: Mat<e4m3, M, K>, b: Mat<e4m3, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// The bound of truncated sums.
pub(super) fn of_truncated(terms: &Terms) -> f64 {
    terms.k * two(-13) * terms.size
}

/// The bound of sums that are promoted every 128 of K.
fn of_promoted(terms: &Terms) -> f64 {
    (128.0 * two(-13) + terms.k / 128.0 * two(-24)) * terms.size
}

/// A one, and products just below the last bit that is kept of it.
const DROPPED: [[f64; 2]; 2] = [[1.0, 1.0], [1.125 / 64.0, 1.75 / 256.0]];

/// The same of larger numbers: e4m3 has no normal ones below 2^-6.
pub(super) const DROPPED_OF_E4M3: [[f64; 2]; 2] = [[2.0, 2.0], [1.125 / 64.0, 1.75 / 64.0]];

/// 64, and products that are half of the last bit of its f32.
const HALVES_OF_A_BIT: [[f64; 2]; 2] = [[8.0, 8.0], [1.0 / 512.0, 1.0 / 512.0]];

/// Catches atoms that truncate, or sums in f16.
pub(super) fn float8_sums_of_mma_sync_are_those_of_halves() {
    let device = &hopper();
    hold(device, 32, HALVES_OF_A_BIT, |a, b| of_warps(device, a, b));
}

/// Catches sums that are rounded to nearest, or kept in f16, and ones that lose more than each product's
/// last bits. Of terms of one sign, all that is dropped adds up.
pub(super) fn truncated_sums_lose_the_last_bits_of_each_product() {
    let device = &hopper();
    let factors = Factors::absorbed([7, 9, 1001], 1, DROPPED);
    factors.check(device, |a, b| truncated(device, a, b), 0.85, of_truncated);
    let factors = Factors::absorbed([7, 9, 333], 1, DROPPED_OF_E4M3);
    factors.check(device, |a, b| truncated_e4m3(device, a, b), 0.93, of_truncated);
}

/// Catches a promotion that is left out: all products after a one lose their last bits then, promoted only
/// those of the first 128.
pub(super) fn promoted_sums_of_float8_keep_what_truncated_ones_drop() {
    let device = &hopper();
    let mut rng = Rng::with_seed(5);
    for sizes in [[7, 5, 1], [33, 17, 75], [9, 26, 1111]] {
        // Eight orders: no element of e4m3 is subnormal.
        let factors = Factors::<e4m3, e5m2>::cancelling(&mut rng, sizes, 8);
        factors.check(device, |a, b| promoted(device, a, b), 0.0, of_promoted);
    }
    let row = |small: f64| move |_, k: usize| if k.is_multiple_of(128) { 1.0 } else { small };
    let [_, [of_a, of_b]] = DROPPED;
    let factors = Factors::<e4m3, e5m2>::new([7, 9, 1111], row(of_a), row(of_b));
    factors.check(device, |a, b| promoted(device, a, b), 0.92, of_promoted);
    let factors = Factors::absorbed([7, 9, 1111], 1, DROPPED);
    factors.check(device, |a, b| promoted(device, a, b), 0.0, of_promoted);
    let (a, b) = factors.on(device);
    let never = truncated(device, &a, &b).expect("a launch").to_vec().expect("a copy");
    let share = factors.share(never.into_iter().map(f64::from), of_promoted);
    assert!(share > 1.0, "{share}");
}

/// Bits of rows of normal 8-bit floats of all magnitudes but the largest. The second half of every other
/// row is the first with another sign, if `cancels`, else the same.
fn small(rng: &mut Rng, [rows, k]: [usize; 2], fraction_bits: u32, cancels: bool) -> Vec<u8> {
    let magnitudes = 1 << fraction_bits..0x7f & !0u8 << fraction_bits;
    let mut elements: Vec<u8> =
        (0..rows * k).map(|_| rng.u8(magnitudes.clone()) | rng.u8(0..2) << 7).collect();
    for row in elements.chunks_mut(k).step_by(2) {
        let (first, second) = row.split_at_mut(k / 2);
        second.copy_from_slice(first);
        second.iter_mut().for_each(|bits| *bits ^= u8::from(cancels) << 7);
    }
    elements
}

/// Catches an emulator that does not truncate, whose sums were as exact as those of `mma.sync`.
pub(super) fn truncated_sums_err_by_no_more_than_their_bound_and_more_than_others() {
    let device = &hopper();
    let mut rng = Rng::with_seed(4);
    let (mut largest, mut above_others) = (0.0f64, 0);
    for [m, n, k] in [[7, 5, 16], [65, 40, 304], [9, 30, 1120]] {
        let shape = Shape { m, n, k };
        let of_a = small(&mut rng, [m, k], 3, true);
        let of_b = small(&mut rng, [n, k], 2, false);
        let floats = |sign: u8| {
            let a: Vec<e4m3> = of_a.iter().map(|bits| e4m3::from_bits(bits & sign)).collect();
            let b: Vec<e5m2> = of_b.iter().map(|bits| e5m2::from_bits(bits & sign)).collect();
            (a, b)
        };
        let reference = |(a, b): (Vec<e4m3>, Vec<e5m2>)| {
            truncated::reference(shape, &a, &b).expect("the lengths are right")
        };
        let (a, b) = floats(0xff);
        let (a, b) = (device.matrix(m, k, &a).expect("a"), device.matrix(n, k, &b).expect("b"));
        let got = truncated(device, &a, &b).expect("a launch").to_vec().expect("a copy");
        let (expected, terms) = (reference(floats(0xff)), reference(floats(0x7f)));
        for ((got, expected), terms) in got.iter().zip(&expected).zip(&terms) {
            let share = f64::from((got - expected).abs()) / (k as f64 * f64::from(*terms));
            largest = largest.max(share * f64::exp2(13.0));
            above_others += usize::from(share > f64::exp2(-23.0));
        }
    }
    assert!(largest <= 1.0, "{largest} times the bound");
    assert!(above_others > 100, "{above_others} sums are less exact than those of f16");
}
