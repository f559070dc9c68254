//! [`Value`]: the types that a body computes with, and how the host sums them.

use std::fmt;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i32 {}
}

/// The type of an accumulator and of an operand's element inside a body: `f32` or `i32`.
pub trait Value: sealed::Sealed + Copy + Default + fmt::Debug + Send + Sync + 'static {
    /// `Σ a·b`, as close to the accumulator of a kernel as can be without its rounding: an f64
    /// sum of exact products rounded once to an f32; an integer modulo 2³².
    fn dot(a: &[Self], b: &[Self]) -> Self;
}

impl Value for f32 {
    fn dot(a: &[f32], b: &[f32]) -> f32 {
        // Eight partial sums let it vectorise.
        const LANES: usize = 8;
        let mut sums = [0.0f64; LANES];
        let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
        let tail: f64 = a_chunks
            .remainder()
            .iter()
            .zip(b_chunks.remainder())
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum();
        for (x, y) in a_chunks.zip(b_chunks) {
            for lane in 0..LANES {
                sums[lane] += f64::from(x[lane]) * f64::from(y[lane]);
            }
        }
        (sums.iter().sum::<f64>() + tail) as f32
    }
}

impl Value for i32 {
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
    fn integers_wrap() {
        let most = [i32::MAX, 1, 1];
        assert_eq!(i32::dot(&most, &[1; 3]), i32::MIN + 1);
        assert_eq!(i32::dot(&[-128; 9], &[255; 9]), -128 * 255 * 9);
    }
}
