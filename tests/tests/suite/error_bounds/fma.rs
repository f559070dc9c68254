//! Sums without tensor cores.

use fastrand::Rng;
use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::halves::HALVES_OF_A_BIT;
use super::{hopper, two};

#[gemm(tile = [32, 64, 16], mma = fma(4, 4))]
fn of_f32(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 64, 16], mma = fma(4, 4))]
fn of_f16(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(tile = [32, 64, 16], mma = fma(4, 4))]
fn of_bf16(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

fn bound(terms: &Terms) -> f64 {
    let roundings = terms.k * two(-24);
    roundings / (1.0 - roundings) * terms.size
}

fn hold<T: Element>(
    device: &Device,
    kernel: impl Fn(&Matrix<T>, &Matrix<T>) -> Result<Matrix<f32>, Error>,
) {
    let mut rng = Rng::with_seed(31);
    for sizes in [[7, 5, 1], [33, 17, 75], [9, 26, 1111]] {
        Factors::cancelling(&mut rng, sizes, 8).check(device, &kernel, 0.0, bound);
    }
    Factors::absorbed([7, 9, 1001], 1, HALVES_OF_A_BIT).check(device, &kernel, 0.99, bound);
}

/// Catches products that are rounded before they are added, which the random ones show where they
/// cancel, and factors of f32 that are rounded to tf32.
pub(super) fn sums_by_fma_round_once_a_product() {
    let device = &hopper();
    hold(device, |a, b| of_f32(device, a, b));
    hold(device, |a, b| of_f16(device, a, b));
    hold(device, |a, b| of_bf16(device, a, b));
}
