//! f32 by tf32.

use fastrand::Rng;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::halves::{HALVES_OF_A_BIT, of_promoted, of_tensor_cores};
use super::{hopper, two};

#[gemm(precision = tf32, tile = [32, 32, 32], warps = [1, 1], mma = m16n8k4, stages = 3)]
fn of_warps(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(precision = tf32, tile = [64, 24, 32], mma = wgmma, stages = 3, promote = 64)]
fn promoted(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(precision = tf32, tile = [64, 24, 32], mma = wgmma, stages = 2)]
fn of_warpgroups(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Catches sums that are kept in tf32, and a promotion that is left out. The random factors are numbers of tf32, so that they are not
/// rounded.
pub(super) fn sums_of_tf32_round_once_an_atom() {
    let device = &hopper();
    let mut rng = Rng::with_seed(21);
    for sizes in [[7, 5, 1], [33, 17, 75], [9, 26, 1111]] {
        let mut factors = Factors::<f32, f32>::cancelling(&mut rng, sizes, 16);
        let elements = factors.a.iter_mut().chain(&mut factors.b);
        elements.for_each(|x| *x = f32::from_bits(x.to_bits() & !0x1fff));
        factors.check(device, |a, b| of_warps(device, a, b), 0.0, of_tensor_cores);
        factors.check(device, |a, b| of_warpgroups(device, a, b), 0.0, of_tensor_cores);
    }
    let factors = Factors::absorbed([7, 9, 1001], 4, HALVES_OF_A_BIT);
    factors.check(device, |a, b| of_warps(device, a, b), 0.97 / 8.0, of_tensor_cores);
    let factors = Factors::absorbed([7, 9, 1001], 8, HALVES_OF_A_BIT);
    factors.check(device, |a, b| of_warpgroups(device, a, b), 0.97 / 16.0, of_tensor_cores);
    let factors = Factors::absorbed([7, 9, 4097], 64, HALVES_OF_A_BIT);
    factors.check(device, |a, b| promoted(device, a, b), 0.32, of_promoted);
    // A one loses seven products until it is promoted.
    let of_first = |terms: &Terms| 7.0 * two(-24) * terms.size;
    let factors = Factors::absorbed([7, 9, 4096], 8, HALVES_OF_A_BIT);
    factors.check(device, |a, b| promoted(device, a, b), 0.0, of_first);
}

/// Catches factors that are truncated: then each errs by up to 2^-10 of itself, a product by twice the
/// bound. Each element of the last factors is off by 2^-11 where it is rounded, in one direction, and by
/// almost twice as much where it is truncated.
pub(super) fn factors_are_rounded_to_tf32() {
    let device = &hopper();
    let bound = |terms: &Terms| of_tensor_cores(terms) + (two(-10) + two(-22)) * terms.size;
    let random = Factors::<f32, f32>::cancelling(&mut Rng::with_seed(22), [33, 17, 75], 16);
    random.check(device, |a, b| of_warps(device, a, b), 0.0, bound);
    random.check(device, |a, b| of_warpgroups(device, a, b), 0.0, bound);
    let up = |row: usize, _| [1.0, -2.0][row % 2] * (1.0 + two(-11) + two(-23));
    let down = |row: usize, _| [1.0, -2.0][row % 2] * (1.0 + two(-11) - two(-23));
    for factors in
        [Factors::<f32, f32>::new([7, 9, 3], up, up), Factors::new([7, 9, 3], down, down)]
    {
        factors.check(device, |a, b| of_warps(device, a, b), 0.99, bound);
        factors.check(device, |a, b| of_warpgroups(device, a, b), 0.99, bound);
    }
    let truncated = |row: usize, _| [1.0, -2.0][row % 2] * (1.0 + two(-10) - two(-23));
    let factors = Factors::<f32, f32>::new([7, 9, 3], truncated, truncated);
    factors.check(device, |a, b| of_warps(device, a, b), 0.0, bound);
    factors.check(device, |a, b| of_warpgroups(device, a, b), 0.0, bound);
}
