//! f16 and bf16.

use fastrand::Rng;
use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::{hopper, two};

#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k16, stages = 3)]
fn of_f16(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k8, stages = 3)]
fn of_bf16(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 24, 64], mma = wgmma, stages = 2)]
fn wgmma_of_f16(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 24, 64], mma = wgmma, stages = 2)]
fn wgmma_of_bf16(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [64, 24, 64], mma = wgmma, stages = 2, promote = 64)]
fn promoted(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 32, 32], warps = [1, 1], mma = m16n8k8, acc = f16, stages = 3)]
fn in_f16(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// Four warps along K.
#[gemm(tile = [32, 32, 64], warps = [1, 1, 4], mma = m16n8k8, acc = f16, stages = 2)]
fn in_parts(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

/// K · 2^-23 · Σ abs(a·b).
pub(super) fn of_tensor_cores(terms: &Terms) -> f64 {
    terms.k * two(-23) * terms.size
}

/// The bound of sums that are promoted every 64 of K.
pub(super) fn of_promoted(terms: &Terms) -> f64 {
    (64.0 * two(-23) + terms.k / 64.0 * two(-24)) * terms.size
}

/// A one, and products that are half of its last bit: to nearest even each of them is lost.
pub(super) const HALVES_OF_A_BIT: [[f64; 2]; 2] = [[1.0; 2], [1.0 / 4096.0; 2]];

/// Holds the sums of a kernel to the bound of f16, for random factors and for a one that loses one product in
/// each atom of this K.
#[track_caller]
pub(super) fn hold<A: Element, B: Element>(
    device: &Device,
    of_atom: usize,
    [large, small]: [[f64; 2]; 2],
    kernel: impl Fn(&Matrix<A>, &Matrix<B>) -> Result<Matrix<f32>, Error>,
) {
    let mut rng = Rng::with_seed(11);
    for sizes in [[7, 5, 1], [33, 17, 75], [9, 26, 1111]] {
        let factors = Factors::cancelling(&mut rng, sizes, 8);
        factors.check(device, &kernel, 0.0, of_tensor_cores);
    }
    let factors = Factors::absorbed([7, 9, 1001], of_atom, [large, small]);
    factors.check(device, &kernel, 0.97 / (2 * of_atom) as f64, of_tensor_cores);
}

/// Catches sums that are kept in the type of the factors or rounded after each k-tile, products that are
/// rounded, and a k-tile that is left out or added twice: of terms that cancel, each is far beyond the bound.
pub(super) fn sums_of_halves_round_once_an_atom() {
    let device = &hopper();
    hold(device, 16, HALVES_OF_A_BIT, |a, b| of_f16(device, a, b));
    hold(device, 8, HALVES_OF_A_BIT, |a, b| of_bf16(device, a, b));
    hold(device, 16, HALVES_OF_A_BIT, |a, b| wgmma_of_f16(device, a, b));
    hold(device, 16, HALVES_OF_A_BIT, |a, b| wgmma_of_bf16(device, a, b));
}

/// Catches a promotion that is left out: an instruction would lose what 64 of K keep.
pub(super) fn promoted_sums_of_halves_round_once_a_promotion() {
    let device = &hopper();
    let bound = of_promoted;
    let factors = Factors::cancelling(&mut Rng::with_seed(12), [9, 26, 1111], 8);
    factors.check(device, |a, b| promoted(device, a, b), 0.0, bound);
    let factors = Factors::absorbed([7, 9, 4097], 64, HALVES_OF_A_BIT);
    factors.check(device, |a, b| promoted(device, a, b), 0.32, bound);
    // A one loses three products until it is promoted, others are summed without it.
    let of_first = |terms: &Terms| 3.0 * two(-24) * terms.size;
    let factors = Factors::absorbed([7, 9, 8192], 16, HALVES_OF_A_BIT);
    factors.check(device, |a, b| promoted(device, a, b), 0.0, of_first);
    let (a, b) = factors.on(device);
    let never = wgmma_of_f16(device, &a, &b).expect("a launch").to_vec().expect("a copy");
    assert!(factors.share(never.into_iter().map(f64::from), bound) > 1.0);
}

/// Catches an accumulator of f16 that is rounded more often than once an atom, as after each product.
pub(super) fn sums_in_f16_round_once_an_atom() {
    let device = &hopper();
    let bound = |terms: &Terms| (terms.k / 8.0).ceil() * two(-10) * terms.size;
    let of_parts = |terms: &Terms| bound(terms) + 4.0 * two(-10) * terms.size;
    let mut rng = Rng::with_seed(13);
    for sizes in [[7, 5, 1], [33, 17, 75], [9, 26, 1111]] {
        let factors = Factors::cancelling(&mut rng, sizes, 6);
        factors.check(device, |a, b| in_f16(device, a, b), 0.0, bound);
        factors.check(device, |a, b| in_parts(device, a, b), 0.0, of_parts);
    }
    let factors = Factors::absorbed([7, 9, 1001], 8, [[1.0; 2], [two(-5), two(-6)]]);
    factors.check(device, |a, b| in_f16(device, a, b), 0.46, bound);
}
