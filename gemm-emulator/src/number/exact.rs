//! Sums, products, quotients and roots rounded to odd in f64.

use super::format::Rounding;

/// Rounds to odd what was rounded to nearest: `value` is the nearest f64, `error` has the sign of exact - value.
fn to_odd(value: f64, error: f64) -> f64 {
    let inexact = error != 0.0 && error.is_finite() && value.is_finite() && value != 0.0;
    if !inexact || value.to_bits() & 1 == 1 {
        return value;
    }
    if (error > 0.0) == (value > 0.0) {
        f64::from_bits(value.to_bits() + 1)
    } else {
        f64::from_bits(value.to_bits() - 1)
    }
}

/// a + b rounded to odd.
pub(crate) fn add_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    to_odd(sum, error)
}

/// a + b rounded towards zero.
pub(crate) fn add_towards_zero(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        let overflows = sum.is_infinite() && a.is_finite() && b.is_finite();
        return if overflows { f64::MAX.copysign(sum) } else { sum };
    }
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    // Where `b_part` overflows the error is NaN: b is the greater, and the parts change places.
    let error = if error.is_nan() { (b - (sum - (sum - b))) + (a - (sum - b)) } else { error };
    let is_beyond = sum != 0.0 && error != 0.0 && (error > 0.0) != (sum > 0.0);
    if is_beyond { f64::from_bits(sum.to_bits() - 1) } else { sum }
}

/// a * b of numbers of at most 26 bits: exact.
pub(crate) fn mul_odd(a: f64, b: f64) -> f64 {
    a * b
}

/// a * b + c of f32 or narrower numbers, rounded to odd.
pub(crate) fn fma_odd(a: f64, b: f64, c: f64) -> f64 {
    add_odd(a * b, c)
}

/// a / b of f32 or narrower numbers, rounded to odd.
pub(crate) fn div_odd(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    let rest = (-quotient).mul_add(b, a);
    to_odd(quotient, if b < 0.0 { -rest } else { rest })
}

/// The square root of an f32 or narrower number, rounded to odd.
pub(crate) fn sqrt_odd(a: f64) -> f64 {
    let root = a.sqrt();
    to_odd(root, (-root).mul_add(root, a))
}

/// An integer of at most 64 bits, rounded to odd.
pub(crate) fn from_integer_odd(value: i128) -> f64 {
    let nearest = value as f64;
    let error = value - nearest as i128;
    to_odd(nearest, error as f64)
}

/// An integer of at most 64 bits as an f64, rounded as asked.
pub(crate) fn from_integer(value: i128, mode: Rounding) -> f64 {
    let nearest = value as f64;
    let error = value - nearest as i128;
    let (above, below) = (error < 0, error > 0);
    match mode {
        Rounding::Nearest | Rounding::NearestAway => nearest,
        Rounding::Down if above => nearest.next_down(),
        Rounding::Up if below => nearest.next_up(),
        Rounding::Zero if above && value > 0 => nearest.next_down(),
        Rounding::Zero if below && value < 0 => nearest.next_up(),
        _ => nearest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::F32;

    #[test]
    fn fused_multiply_add_agrees_with_the_host() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            // Near exponents, so that products and addends cancel and overlap.
            f32::from_bits(((state >> 32) as u32 & 0x83ff_ffff) | 0x3c00_0000)
        };
        for _ in 0..300_000 {
            let (a, b, c) = (next(), next(), next() * f32::powi(2.0, -24));
            let exact = fma_odd(f64::from(a), f64::from(b), f64::from(c));
            let bits = F32.round(exact, Rounding::Nearest);
            assert_eq!(bits, a.mul_add(b, c).to_bits(), "{a} {b} {c}");
        }
    }

    #[test]
    fn directed_quotients_and_roots_bracket() {
        for (a, b) in [(1.0f64, 3.0), (2.0, -7.0), (-5.0, 11.0), (6.0, 3.0)] {
            let odd = div_odd(a, b);
            let down = f32::from_bits(F32.round(odd, Rounding::Down));
            let up = f32::from_bits(F32.round(odd, Rounding::Up));
            assert!(f64::from(down) <= a / b && a / b <= f64::from(up));
            assert_eq!(down == up, a / b == 2.0);
        }
        assert_eq!(sqrt_odd(9.0), 3.0);
        assert_eq!(sqrt_odd(2.0).to_bits() & 1, 1);
    }

    #[test]
    fn integers_keep_their_sticky_bit() {
        let halfway = (1i128 << 54) + 2;
        assert_eq!(from_integer_odd(halfway + 1), (halfway + 2) as f64 - 0.0);
        assert_eq!(from_integer_odd(1 << 60), (1u64 << 60) as f64);
    }
}
