//! [`Value`]: the types that a body computes with, and how the host sums them.

use std::fmt;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for i32 {}
}

/// The type of an accumulator and of an operand's element inside a body: `f32`, `f64` or
/// `i32`.
pub trait Value: sealed::Sealed + Copy + Default + fmt::Debug + Send + Sync + 'static {
    /// `Σ a·b` with one rounding: for f32 an f64 sum of exact products, rounded to f32; for f64 a sum
    /// in twice its precision, rounded to f64; for integers the sum modulo 2³².
    fn dot(a: &[Self], b: &[Self]) -> Self;

    /// What this makes of the value of a factor in f64, rounded once.
    fn scaled(self, by: impl Fn(f64) -> f64) -> Self;
}

/// The type of a sum of products, where a factor has values of type `V`: integers are converted to the floats
/// that they are multiplied by.
pub trait Sum<V: Value>: Value {
    /// The factor as it is multiplied; exact for an integer of 8 bits.
    fn of_factor(value: V) -> Self;
}

impl<V: Value> Sum<V> for V {
    fn of_factor(value: V) -> V {
        value
    }
}

impl Sum<i32> for f32 {
    fn of_factor(value: i32) -> f32 {
        value as f32
    }
}

impl Value for f32 {
    fn scaled(self, by: impl Fn(f64) -> f64) -> f32 {
        by(f64::from(self)) as f32
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        // Eight partial sums let the compiler vectorise.
        const LANES: usize = 8;
        let mut sums = [0.0f64; LANES];
        let (a_chunks, a_tail) = a.as_chunks::<LANES>();
        let (b_chunks, b_tail) = b.as_chunks::<LANES>();
        let tail: f64 = a_tail.iter().zip(b_tail).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
        for (x, y) in a_chunks.iter().zip(b_chunks) {
            // Not a range: the tests compile it without inlining, three calls for each product.
            let mut lane = 0;
            while lane < LANES {
                sums[lane] += f64::from(x[lane]) * f64::from(y[lane]);
                lane += 1;
            }
        }
        (sums.iter().sum::<f64>() + tail) as f32
    }
}

impl Value for f64 {
    fn scaled(self, by: impl Fn(f64) -> f64) -> f64 {
        by(self)
    }

    /// The rounding errors of products and sums are added up and corrected at the end (T. Ogita,
    /// S. M. Rump, S. Oishi, "Accurate Sum and Dot Product", SIAM J. Sci. Comput. 26, 2005: Dot2).
    /// With u = 2⁻⁵³ and K products the error is at most `u·|Σ a·b| + γ² · Σ |a·b|`,
    /// γ = K·u / (1 − K·u), where nothing over- or underflows.
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        let (mut sum, mut error) = (0.0f64, 0.0);
        for (x, y) in a.iter().zip(b) {
            let product = x * y;
            let next = sum + product;
            let added = next - sum;
            error += x.mul_add(*y, -product) + ((sum - (next - added)) + (product - added));
            sum = next;
        }
        // The errors of an infinity are NaN.
        if sum.is_finite() { sum + error } else { sum }
    }
}

impl Value for i32 {
    fn scaled(self, by: impl Fn(f64) -> f64) -> i32 {
        by(f64::from(self)) as i32
    }

    fn dot(a: &[i32], b: &[i32]) -> i32 {
        let products = a.iter().zip(b).map(|(x, y)| x.wrapping_mul(*y));
        products.fold(0, i32::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_summed_exactly_and_rounded_once() {
        let mut terms = [0.0f32; 19];
        (terms[3], terms[7], terms[18]) = (1e4, 1e-3, -1e4);
        assert_eq!(f32::dot(&terms, &[1.0; 19]), 1e-3);
    }

    #[test]
    fn doubles_are_summed_in_twice_the_precision() {
        // The product of x and y is 1 - 2^-60, which an f64 rounds to 1.
        let (x, y) = (1.0 + 2f64.powi(-30), 1.0 - 2f64.powi(-30));
        assert_eq!(f64::dot(&[x, -1.0], &[y, 1.0]), -(2f64.powi(-60)));
        let mut terms = [0.0; 19];
        (terms[3], terms[7], terms[18]) = (1e20, 1e-3, -1e20);
        assert_eq!(f64::dot(&terms, &[1.0; 19]), 1e-3);
        assert_eq!(f64::dot(&[], &[]), 0.0);
    }

    #[test]
    fn infinite_doubles_stay() {
        assert_eq!(f64::dot(&[1e300, 1.0], &[1e300, 1.0]), f64::INFINITY);
        assert_eq!(f64::dot(&[f64::NEG_INFINITY, 1.0], &[1.0, 1.0]), f64::NEG_INFINITY);
        assert!(f64::dot(&[f64::INFINITY, f64::INFINITY], &[1.0, -1.0]).is_nan());
    }

    #[test]
    fn integers_wrap() {
        let most = [i32::MAX, 1, 1];
        assert_eq!(i32::dot(&most, &[1; 3]), i32::MIN + 1);
        assert_eq!(i32::dot(&[-128; 9], &[255; 9]), -128 * 255 * 9);
    }
}
