//! How tensor cores sum, to hold the bounds where they truncate and the emulator does not.

use fastrand::Rng;
use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::factors::{Factors, Terms};
use super::float8::{DROPPED_OF_E4M3, of_truncated};
use super::halves::of_tensor_cores;
use super::planes::{of_never, of_promoted};
use super::two;

/// A tensor core (MMA-Sim, github.com/microsoft/MMA-Sim).
struct TensorCore {
    /// The products that it adds at once.
    products: usize,
    /// The bits that it keeps below the largest exponent.
    fraction: i32,
    /// The bits of fraction of a sum.
    of_sum: i32,
    /// The least exponent of a factor: subnormal numbers have it too.
    least: i32,
}

const F16_OF_SM80: TensorCore = TensorCore { products: 8, fraction: 24, of_sum: 23, least: -14 };
const F16_OF_SM90: TensorCore = TensorCore { products: 16, fraction: 25, of_sum: 23, least: -14 };
/// 8-bit floats by `mma.sync`.
const E4M3_OF_SM89: TensorCore = TensorCore { products: 16, fraction: 13, of_sum: 13, least: -6 };
const CORES: [TensorCore; 7] = [
    F16_OF_SM80,
    F16_OF_SM90,
    // bf16 on sm_80 and sm_90.
    TensorCore { products: 8, fraction: 24, of_sum: 23, least: -126 },
    TensorCore { products: 16, fraction: 25, of_sum: 23, least: -126 },
    // tf32 on sm_80 and sm_90, and the shallower atom there.
    TensorCore { products: 4, fraction: 24, of_sum: 23, least: -126 },
    TensorCore { products: 8, fraction: 25, of_sum: 23, least: -126 },
    TensorCore { products: 4, fraction: 25, of_sum: 23, least: -126 },
];

/// 2^exponent of a number; zero of zero.
fn power(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & f64::INFINITY.to_bits())
}

/// A number without the bits below 2^-fraction of this power.
fn truncated(x: f64, power: f64, fraction: i32) -> f64 {
    let last = power * two(-fraction);
    if last == 0.0 { 0.0 } else { (x / last).trunc() * last }
}

impl TensorCore {
    /// One instruction: the products and the sum before are truncated at the same bit, and their sum
    /// once more.
    fn add(&self, sum: f64, a: &[f64], b: &[f64]) -> f64 {
        let of_factor = |x: f64| if x == 0.0 { 0.0 } else { power(x).max(two(self.least)) };
        let pairs = || a.iter().copied().zip(b.iter().copied());
        let powers = pairs().map(|(a, b)| of_factor(a) * of_factor(b));
        let largest = powers.fold(power(sum), f64::max);
        let terms = pairs().map(|(a, b)| a * b).chain([sum]);
        let exact: f64 = terms.map(|x| truncated(x, largest, self.fraction)).sum();
        truncated(exact, power(exact), self.of_sum)
    }

    fn sum(&self, a: &[f64], b: &[f64]) -> f64 {
        let steps = a.chunks(self.products).zip(b.chunks(self.products));
        steps.fold(0.0, |sum, (a, b)| self.add(sum, a, b))
    }

    /// The largest error over a bound.
    fn share<T: Element>(&self, factors: &Factors<T, T>, bound: fn(&Terms) -> f64) -> f64 {
        factors.share(factors.sums_by(|a, b| self.sum(a, b)), bound)
    }
}

/// Rows that begin with a one, and then have products just below the last bit that is kept of it.
fn dropped<T: Element>(fraction: i32, k: usize) -> Factors<T, T> {
    let small = two(-fraction / 2) * (1.0 - two(-7));
    let odd = if fraction % 2 == 0 { 1.0 } else { 0.5 };
    let row = |small: f64| {
        move |row: usize, k: usize| [1.0, -2.0, 4.0][row % 3] * if k == 0 { 1.0 } else { small }
    };
    Factors::new([3, 5, k], row(small), row(small * odd))
}

/// Catches a bound that holds for the emulator alone: K · 2^-25 does not hold on any of them, as each
/// product loses up to 2^-25 of the largest, on sm_80 2^-24.
pub(super) fn tensor_cores_that_truncate_hold_the_bounds() {
    let mut rng = Rng::with_seed(61);
    for core in CORES {
        for sizes in [[7, 5, 1], [9, 7, 75], [5, 6, 1111]] {
            let share =
                core.share(&Factors::<bf16, bf16>::cancelling(&mut rng, sizes, 8), of_tensor_cores);
            assert!(share <= 1.0, "{share}");
        }
        let least = 0.96 * two(23 - core.fraction);
        let share = core.share(&dropped::<bf16>(core.fraction, 2001), of_tensor_cores);
        assert!((least..=1.0).contains(&share), "{share}");
    }
}

/// Catches a bound of sm_89, which the emulator does not model, that is taken from sums of f32.
pub(super) fn float8_sums_on_sm_89_hold_the_bound_of_truncated_ones() {
    let mut rng = Rng::with_seed(63);
    for sizes in [[7, 5, 1], [9, 7, 75], [5, 6, 1111]] {
        let factors = Factors::<e4m3, e4m3>::cancelling(&mut rng, sizes, 8);
        let share = E4M3_OF_SM89.share(&factors, of_truncated);
        assert!(share <= 1.0, "{share}");
    }
    let factors = Factors::<e4m3, e4m3>::absorbed([3, 5, 333], 1, DROPPED_OF_E4M3);
    let share = E4M3_OF_SM89.share(&factors, of_truncated);
    assert!((0.93..=1.0).contains(&share), "{share}");
}

/// Catches a bound of f16 that is stated for subnormal factors too. The first product is 2^-24 with the
/// exponent of 2^-14, so each of the others loses almost 2^-15 of it, on sm_80 2^-14.
pub(super) fn subnormal_factors_have_a_larger_bound() {
    let row = |first: f64, fraction: f64| {
        let normal = two(-14) * (1.0 + fraction * two(-10));
        move |_: usize, k: usize| if k == 0 { first } else { normal }
    };
    let factors = Factors::<f16, f16>::new([1, 1, 16], row(two(-24), 1.0), row(1.0, 1023.0));
    for core in [F16_OF_SM80, F16_OF_SM90] {
        let share = core.share(&factors, of_tensor_cores);
        assert!((64.0..=1024.0).contains(&share), "{share}");
    }
}

/// The high and low halves of a row, and its scale.
fn halves(row: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
    let largest = row.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let scale = two(14) / power(largest);
    let nearest = |x: f64| f16::from_f64(x).to_f64();
    let high: Vec<f64> = row.iter().map(|x| nearest(x * scale)).collect();
    let low = row.iter().zip(&high).map(|(x, high)| nearest(x * scale - high)).collect();
    (high, low, scale)
}

/// The sum of three products of halves on sm_90a, promoted every so much of K.
fn of_planes(promote: usize, a: &[f64], b: &[f64]) -> f64 {
    let ((a, low_a, scale_a), (b, low_b, scale_b)) = (halves(a), halves(b));
    let (mut promoted, mut sum) = (0.0f32, 0.0);
    for first in (0..a.len()).step_by(32) {
        let unit = first..a.len().min(first + 32);
        for (a, b) in [(&low_a, &b), (&a, &low_b), (&a, &b)] {
            let steps = a[unit.clone()].chunks(16).zip(b[unit.clone()].chunks(16));
            sum = steps.fold(sum, |sum, (a, b)| F16_OF_SM90.add(sum, a, b));
        }
        if (first + 32) % promote == 0 {
            promoted += std::mem::take(&mut sum) as f32;
        }
    }
    f64::from(promoted + sum as f32) / (scale_a * scale_b)
}

/// Catches a bound of f16x3 below what truncation takes.
pub(super) fn planes_on_tensor_cores_that_truncate_hold_their_bound() {
    let mut rng = Rng::with_seed(62);
    let forms = [(64, of_promoted as fn(&_) -> _), (usize::MAX, of_never)];
    for (promote, bound) in forms {
        let share = |factors: &Factors<f32, f32>| {
            factors.share(factors.sums_by(|a, b| of_planes(promote, a, b)), bound)
        };
        for (sizes, orders) in [([7, 5, 1], 8), ([9, 7, 75], 40), ([5, 6, 1111], 8)] {
            let share = share(&Factors::cancelling(&mut rng, sizes, orders));
            assert!(share <= 1.0, "{share}");
        }
        let factors = dropped(25, 2001);
        let least = if promote == 64 { 0.09 } else { 0.24 };
        assert!((least..=1.0).contains(&share(&factors)), "{}", share(&factors));
    }
}
