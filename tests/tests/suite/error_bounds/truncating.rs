//! How tensor cores sum, to hold the bounds where they truncate and the emulator does not.

use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::factors::Factors;
use super::halves::of_tensor_cores;
use super::two;

/// A tensor core: the products that it adds at once, and the bits of fraction that it keeps below the
/// largest exponent (MMA-Sim, github.com/microsoft/MMA-Sim).
struct TensorCore {
    products: usize,
    fraction: i32,
}

/// 2^exponent of a number.
fn power(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & f64::INFINITY.to_bits())
}

/// A number without the bits below 2^-fraction of this power.
fn truncated(x: f64, power: f64, fraction: i32) -> f64 {
    let last = power * two(-fraction);
    if last == 0.0 { 0.0 } else { (x / last).trunc() * last }
}

impl TensorCore {
    /// The products and the sum before are truncated at the same bit, and their sum to f32.
    fn sum<A: Element, B: Element>(&self, a: &[A], b: &[B]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in a.chunks(self.products).zip(b.chunks(self.products)) {
            let pairs = || a.iter().zip(b).map(|(a, b)| [a.to_f64(), b.to_f64()]);
            let powers = pairs().map(|[a, b]| power(a) * power(b));
            let largest = powers.fold(power(sum), f64::max);
            let terms = pairs().map(|[a, b]| a * b).chain([sum]);
            let exact: f64 = terms.map(|x| truncated(x, largest, self.fraction)).sum();
            sum = truncated(exact, power(exact), 23);
        }
        sum
    }

    /// The largest error over the bound of f16.
    fn share<A: Element, B: Element>(&self, factors: &Factors<A, B>) -> f64 {
        let k = factors.shape.k;
        let columns = |a| factors.b.chunks(k).map(move |b| self.sum(a, b));
        factors.share(factors.a.chunks(k).flat_map(columns), of_tensor_cores)
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

/// Catches a bound that holds for the emulator alone: one of K · 2^-24 would not hold on sm_80, where each
/// of 8 products loses up to 2^-24 of the largest, and their sum up to 2^-23 of itself.
pub(super) fn tensor_cores_that_truncate_hold_the_bounds() {
    let mut rng = fastrand::Rng::with_seed(61);
    // f16 and bf16 on sm_75, sm_80 to sm_89 (half an m16n8k16 at a time) and sm_90; tf32 on the last two,
    // and its shallower atom on sm_90.
    for (products, fraction) in [(8, 24), (16, 25), (4, 24), (8, 25), (4, 25)] {
        let core = TensorCore { products, fraction };
        for sizes in [[7, 5, 1], [9, 7, 75], [5, 6, 1111]] {
            let share = core.share(&Factors::<f16, f16>::cancelling(&mut rng, sizes, 8));
            assert!(share <= 1.0, "{share}");
            let share = core.share(&Factors::<bf16, bf16>::cancelling(&mut rng, sizes, 40));
            assert!(share <= 1.0, "{share}");
        }
        let least = 0.96 * two(23 - fraction);
        let share = core.share(&dropped::<bf16>(fraction, 2001));
        assert!((least..=1.0).contains(&share), "{share}");
    }
}
