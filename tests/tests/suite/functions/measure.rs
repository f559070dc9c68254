//! Arguments that cover a type, and how far results are from exact ones.

use fastrand::Rng;
use gemm_runtime::Element;
use gemm_runtime::prelude::*;

/// Rows and columns of the matrix of arguments.
pub(super) const EXTENT: usize = 256;

/// A float, by its bits.
pub(super) trait Float: Element {
    /// Bits of the significand.
    const DIGITS: i32;
    /// The power of two that is the last place of a subnormal number.
    const LEAST: i32;
    /// The power of two above the largest number.
    const ABOVE: i32;
}

/// A float whose functions are measured.
pub(super) trait Arguments: Float {
    /// `EXTENT`² numbers: all there are of 16 bits, else numbers of every exponent, and more of those
    /// where functions are neither linear nor constant.
    fn arguments() -> Vec<Self>;
}

macro_rules! short {
    ($($ty:ident: $digits:literal, $least:literal, $above:literal;)+) => {
        $(impl Float for $ty {
            const DIGITS: i32 = $digits;
            const LEAST: i32 = $least;
            const ABOVE: i32 = $above;
        })+
    };
}

short! {
    f16: 11, -24, 16;
    bf16: 8, -133, 128;
    e4m3: 4, -9, 9;
    e5m2: 3, -16, 16;
}

impl Arguments for f16 {
    fn arguments() -> Vec<f16> {
        (0..=u16::MAX).map(f16::from_bits).collect()
    }
}

impl Arguments for bf16 {
    fn arguments() -> Vec<bf16> {
        (0..=u16::MAX).map(bf16::from_bits).collect()
    }
}

macro_rules! long {
    ($($ty:ident($bits:ty): $least:literal, $above:literal, $tail:literal;)+) => {
        $(impl Float for $ty {
            const DIGITS: i32 = $ty::MANTISSA_DIGITS as i32;
            const LEAST: i32 = $least;
            const ABOVE: i32 = $above;
        }

        impl Arguments for $ty {
            fn arguments() -> Vec<Self> {
                let mut rng = Rng::with_seed(7);
                let specials = [0.0, $ty::MIN_POSITIVE, $ty::MAX, $ty::INFINITY, 1.0, $ty::from_bits(1)];
                let mut all: Vec<$ty> = specials.into_iter().flat_map(|x| [x, -x]).collect();
                all.push($ty::NAN);
                let shift = <$bits>::BITS - 15;
                all.extend((0..1 << 15).map(|high: $bits| {
                    $ty::from_bits(high << shift | rng.u64(..) as $bits >> (<$bits>::BITS - shift))
                }));
                for reach in [16.0, $tail] {
                    let values = (0..EXTENT * EXTENT / 4).map(|_| (rng.f64() * 2.0 - 1.0) * reach);
                    all.extend(values.map(|x| x as $ty));
                }
                all.truncate(EXTENT * EXTENT);
                all
            }
        })+
    };
}

long! {
    f32(u32): -149, 128, 120.0;
    f64(u64): -1074, 1024, 800.0;
}

/// The same numbers in another order, so that each kind of number meets each other one.
pub(super) fn shuffled<T: Float>(x: &[T]) -> Vec<T> {
    let mut y = x.to_vec();
    Rng::with_seed(11).shuffle(&mut y);
    y
}

/// How far a result is from the exact one, in units in the last place of the exact one. A number
/// beyond the largest is as far as the power of two above it, a zero of the wrong sign infinitely far.
pub(super) fn distance<T: Float>(result: T, exact: f64) -> f64 {
    let (got, rounded) = (result.to_f64(), T::from_f64(exact).to_f64());
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == 0.0 && rounded == 0.0 && got.is_sign_negative() != rounded.is_sign_negative() {
        return f64::INFINITY;
    }
    if got == exact {
        return 0.0;
    }
    if got == rounded && (got.is_infinite() || got.abs() < exact.abs() / 2.0) {
        // Rounding has overflowed, underflowed or saturated.
        return 0.5;
    }
    let above = 2f64.powi(T::ABOVE - 1) * 2.0;
    let finite = |x: f64| x.clamp(-above, above);
    let exponent = (finite(exact).abs().log2().floor() as i32).min(T::ABOVE - 1);
    let last = exponent.saturating_sub(T::DIGITS - 1).max(T::LEAST);
    // Scaled first: the difference of two subnormal f64 is exact, 2^-1074 has no reciprocal.
    let scale = |x: f64| finite(x) * 2f64.powi(-last / 2) * 2f64.powi(-last - (-last / 2));
    (scale(got) - scale(exact)).abs()
}
