//! f32 by three products of halves, `precision = f16x3`.

use fastrand::Rng;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::halves::HALVES_OF_A_BIT;
use super::{hopper, two};

#[gemm(precision = f16x3, tile = [64, 24, 32], mma = wgmma, stages = 3)]
fn promoted(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[gemm(precision = f16x3, promote = never, tile = [64, 24, 32], mma = wgmma, stages = 3)]
fn never(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

type Kernel = fn(&Device, &Matrix<f32>, &Matrix<f32>) -> Result<Matrix<f32>, Error>;

type Bound = fn(&Terms) -> f64;

fn by_promoted(device: &Device, a: &Matrix<f32>, b: &Matrix<f32>) -> Result<Matrix<f32>, Error> {
    promoted(device, a, b)
}

fn by_never(device: &Device, a: &Matrix<f32>, b: &Matrix<f32>) -> Result<Matrix<f32>, Error> {
    never(device, a, b)
}

/// What the halves of two factors leave out of a sum.
fn left_out(terms: &Terms) -> f64 {
    two(-21) * terms.size + two(-38) * terms.by_largest
}

/// The bound of sums that are promoted every 64 of K.
pub(super) fn of_promoted(terms: &Terms) -> f64 {
    (64.0 * two(-23) + terms.k / 64.0 * two(-24)) * terms.size + left_out(terms)
}

/// The bound of sums that are never promoted: K is a multiple of 32, with zeros.
pub(super) fn of_never(terms: &Terms) -> f64 {
    ((terms.k / 32.0).ceil() * 32.0 * two(-23) + two(-24)) * terms.size + left_out(terms)
}

const FORMS: [(Kernel, Bound); 2] = [(by_promoted, of_promoted), (by_never, of_never)];

/// Catches a low half that is left out, or multiplied with a step of another k: 2^-12 of a product, which
/// is beyond the bound where products cancel. In the last factors a one loses one product each promotion, or
/// each instruction.
pub(super) fn sums_of_planes_hold_their_bound() {
    let (device, mut rng) = (&hopper(), Rng::with_seed(51));
    for sizes in [[7, 5, 1], [33, 17, 75], [9, 26, 1111], [65, 3, 33]] {
        let factors = Factors::cancelling(&mut rng, sizes, 12);
        FORMS.iter().for_each(|(run, bound)| {
            factors.check(device, |a, b| run(device, a, b), 0.0, bound);
        });
    }
    let factors = Factors::absorbed([7, 9, 4097], 64, HALVES_OF_A_BIT);
    factors.check(device, |a, b| promoted(device, a, b), 0.3, of_promoted);
    let factors = Factors::absorbed([7, 9, 4097], 16, HALVES_OF_A_BIT);
    factors.check(device, |a, b| never(device, a, b), 0.97 / 32.0, of_never);
}

/// Catches `promote` that is ignored: sums that are not promoted exceed the bound of those that are.
pub(super) fn promoted_sums_of_planes_are_more_exact() {
    let device = &hopper();
    // A one loses three products until it is promoted, others are summed without it.
    let of_first = |terms: &Terms| 3.0 * two(-24) * terms.size;
    let factors = Factors::absorbed([7, 9, 8192], 16, HALVES_OF_A_BIT);
    factors.check(device, |a, b| promoted(device, a, b), 0.0, of_first);
    let (a, b) = factors.on(device);
    let sums = never(device, &a, &b).expect("a launch").to_vec().expect("a copy");
    assert!(factors.share(sums.into_iter().map(f64::from), of_promoted) > 1.0);
}

/// Catches halves that are truncated, and a bound that forgets what they leave out. Of one product
/// nothing is rounded. Each low half is at its largest, 2^-11 of the high one, and what it leaves out is
/// 2^-23 of it with the same sign.
pub(super) fn low_by_low_is_all_that_three_products_leave_out() {
    let device = &hopper();
    let most = |row: usize, _| [1.0, -2.0, 0.25][row % 3] * (1.0 + 4093.0 * two(-23));
    let factors = Factors::<f32, f32>::new([7, 9, 1], most, most);
    for (run, _) in FORMS {
        factors.check(device, |a, b| run(device, a, b), 0.99, left_out);
    }
    // Errors of one sign add up.
    let factors = Factors::<f32, f32>::new([7, 9, 333], most, most);
    factors.check(device, |a, b| never(device, a, b), 0.0, of_never);
    factors.check(device, |a, b| promoted(device, a, b), 0.04, of_promoted);
}

/// Catches a scale that leaves less room for small elements, and a bound without the term of the largest
/// elements, which is most of it here. The first half of a row of A is 2^-39 of the second, and multiplies
/// the large half of B: scaled, each small element is half way between two subnormal f16, and rounded toward
/// zero.
pub(super) fn small_elements_lose_what_the_scale_of_their_row_does_not_hold() {
    let (device, mut rng) = (&hopper(), Rng::with_seed(52));
    for k in [2, 63, 1000] {
        let mut side = |is_small: fn(usize, usize) -> bool| {
            let mut rng = rng.fork();
            move |row: usize, at: usize| {
                let small = two(-39) * f64::from(4 * rng.u8(0..4) + 1);
                [1.0, 8.0][row % 2] * if is_small(at, k) { small } else { 1.0 }
            }
        };
        let of_a = side(|at, k| at < k / 2);
        let of_b = side(|at, k| at >= k / 2);
        let factors = Factors::<f32, f32>::new([7, 9, k], of_a, of_b);
        for (run, bound) in FORMS {
            factors.check(device, |a, b| run(device, a, b), 0.48, bound);
        }
    }
    // One large element in a row, and others of all magnitudes below it.
    let mut side = || {
        let mut rng = rng.fork();
        move |row: usize, at: usize| {
            let x = (rng.f64() * 2.0 - 1.0) * two(rng.i32(-45..-20));
            if at == row % 8 { 1.0 } else { x }
        }
    };
    let factors = Factors::<f32, f32>::new([33, 17, 75], side(), side());
    for (run, bound) in FORMS {
        factors.check(device, |a, b| run(device, a, b), 0.0, bound);
    }
}
