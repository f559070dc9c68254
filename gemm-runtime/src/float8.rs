//! [`e4m3`] and [`e5m2`]: floats of 8 bits (OCP 8-bit floating point specification).
//!
//! Storage types, as `f16` is: computations are done in `f32`. Conversions to them round to nearest
//! even and saturate to the largest finite number, infinities too, and NaN stays NaN, as
//! `cvt.rn.satfinite` does on the device.
//!
//! Not those of the crate `float8` 0.7: it rounds every `f32` to the same number, but its `MAX` and
//! `MIN` are one step too small (416 for e4m3, not 448), and a NaN keeps its sign and bits of its
//! fraction, where the device gives 0x7f.

use std::fmt;

use crate::of_bytes::of_bytes;

/// A format of 8 bits.
struct Format {
    fraction_bits: u32,
    /// Subtracted from the exponent's bits.
    bias: i32,
    /// The bits of the largest finite number.
    largest: u8,
    /// The bits of infinity, if there is one.
    infinity: Option<u8>,
}

/// The bits of the sign.
const SIGN: u8 = 0x80;

/// The NaN that conversions give, as on the device.
const NAN: u8 = 0x7f;

impl Format {
    /// The number of these bits; exact.
    fn value(&self, bits: u8) -> f64 {
        let magnitude = bits & !SIGN;
        let exponent = i32::from(magnitude >> self.fraction_bits);
        let hidden = if exponent == 0 { 0 } else { 1 << self.fraction_bits };
        let steps = magnitude & ((1 << self.fraction_bits) - 1) | hidden;
        let value = if magnitude <= self.largest {
            f64::from(steps) * self.step(exponent.max(1) - self.bias)
        } else if self.infinity == Some(magnitude) {
            f64::INFINITY
        } else {
            f64::NAN
        };
        if bits & SIGN == 0 { value } else { -value }
    }

    /// The bits of the nearest number.
    fn round(&self, value: f64) -> u8 {
        if value.is_nan() {
            return NAN;
        }
        let least = 1 - self.bias;
        let magnitude = value.abs().min(self.value(self.largest));
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(least);
        // At most 2^(fraction_bits + 1), a carry into the exponent.
        let steps = (magnitude / self.step(exponent)).round_ties_even() as u8;
        let bits = (((exponent - least) as u8) << self.fraction_bits) + steps;
        if value.is_sign_negative() { bits | SIGN } else { bits }
    }

    /// The distance of neighbours between 2^exponent and the next power of two.
    fn step(&self, exponent: i32) -> f64 {
        2f64.powi(exponent - self.fraction_bits as i32)
    }
}

macro_rules! float8 {
    ($(#[$($doc:tt)*])* $name:ident: $format:expr, $largest:literal, $smallest_normal:literal) => {
        $(#[$($doc)*])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u8);

        of_bytes!($name(u8));

        impl $name {
            const FORMAT: Format = $format;

            /// The largest finite number.
            pub const MAX: $name = $name($largest);
            /// The smallest finite number.
            pub const MIN: $name = $name($largest | SIGN);
            /// The smallest positive number that is normal.
            pub const MIN_POSITIVE: $name = $name($smallest_normal);
            /// Not a number.
            pub const NAN: $name = $name(NAN);

            /// The number with these bits.
            pub const fn from_bits(bits: u8) -> $name {
                $name(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// The nearest number, ties to even, at most [`MAX`](Self::MAX) in magnitude.
            pub fn from_f32(value: f32) -> $name {
                $name::from_f64(value.into())
            }

            /// The nearest number, ties to even, at most [`MAX`](Self::MAX) in magnitude.
            pub fn from_f64(value: f64) -> $name {
                $name(Self::FORMAT.round(value))
            }

            /// The value; exact.
            pub fn to_f32(self) -> f32 {
                self.to_f64() as f32
            }

            /// The value; exact.
            pub fn to_f64(self) -> f64 {
                Self::FORMAT.value(self.0)
            }

            /// Whether it is not a number.
            pub fn is_nan(self) -> bool {
                self.to_f64().is_nan()
            }

            /// Whether it is neither infinite nor NaN.
            pub const fn is_finite(self) -> bool {
                self.0 & !SIGN <= $largest
            }
        }

        impl From<$name> for f32 {
            fn from(value: $name) -> f32 {
                value.to_f32()
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.to_f64()
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<std::cmp::Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    };
}

float8! {
    /// A float of 8 bits, 4 of the exponent and 3 of the fraction: up to ±448, NaN, no infinity.
    e4m3: Format { fraction_bits: 3, bias: 7, largest: 0x7e, infinity: None }, 0x7e, 0x08
}

float8! {
    /// A float of 8 bits, 5 of the exponent and 2 of the fraction: up to ±57344, infinities, NaN.
    e5m2: Format { fraction_bits: 2, bias: 15, largest: 0x7b, infinity: Some(0x7c) }, 0x7b, 0x04
}

#[cfg(test)]
mod tests;
