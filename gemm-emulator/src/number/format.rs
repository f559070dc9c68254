//! Rounding an f64 to the formats of fewer bits.

/// Rounding of a result: to a float of fewer bits, or to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Rounding {
    #[default]
    Nearest,
    NearestAway,
    Zero,
    Down,
    Up,
}

/// A binary floating-point format of IEEE 754's kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    exponent_bits: u32,
    mantissa_bits: u32,
    /// The bits of the NaN that operations give.
    nan: u32,
    /// The bits of the largest finite number.
    largest: u32,
    /// Whether infinity follows the largest finite number; if not, results beyond it are that number.
    has_infinity: bool,
}

impl Format {
    const fn with_infinity(exponent_bits: u32, mantissa_bits: u32, nan: u32) -> Format {
        let infinity = ((1 << exponent_bits) - 1) << mantissa_bits;
        Format { exponent_bits, mantissa_bits, nan, largest: infinity - 1, has_infinity: true }
    }

    /// Only the largest magnitude is NaN. (OCP 8-bit floating point specification, E4M3)
    const fn without_infinity(exponent_bits: u32, mantissa_bits: u32) -> Format {
        let nan = (1 << (exponent_bits + mantissa_bits)) - 1;
        Format { exponent_bits, mantissa_bits, nan, largest: nan - 1, has_infinity: false }
    }

    /// The same values; the largest replaces all beyond it, as `.satfinite` does.
    pub(crate) const fn finite(self) -> Format {
        Format { has_infinity: false, ..self }
    }
}

pub(crate) const F32: Format = Format::with_infinity(8, 23, 0x7fff_ffff);
pub(crate) const F16: Format = Format::with_infinity(5, 10, 0x7fff);
pub(crate) const BF16: Format = Format::with_infinity(8, 7, 0x7fff);
/// The upper 19 bits of an f32.
pub(crate) const TF32: Format = Format::with_infinity(8, 10, 0x3_ffff);
/// Bits of an f32 that tf32 lacks.
pub(crate) const TF32_UNUSED: u32 = 13;

/// An 8-bit float: its name, its format and its numbers by their bits.
type ByteRow = (&'static str, Format, [f64; 256]);

static BYTE_FLOATS: [ByteRow; 2] = [
    byte_float("e5m2", Format::with_infinity(5, 2, 0x7f)),
    byte_float("e4m3", Format::without_infinity(4, 3)),
];

const fn byte_float(name: &'static str, format: Format) -> ByteRow {
    (name, format, format.values())
}

/// An 8-bit float that `cvt` makes and reads and tensor cores multiply: a row of [`BYTE_FLOATS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteFloat(usize);

impl ByteFloat {
    /// That of this name in PTX.
    pub(crate) fn named(name: &str) -> Option<ByteFloat> {
        BYTE_FLOATS.iter().position(|(of, ..)| *of == name).map(ByteFloat)
    }

    pub(crate) fn format(self) -> Format {
        BYTE_FLOATS[self.0].1
    }

    /// Its numbers by their bits.
    pub(crate) fn values(self) -> &'static [f64; 256] {
        &BYTE_FLOATS[self.0].2
    }
}

/// The bits of an f32 rounded to tf32, to nearest with ties to even, as those of an f32.
pub(crate) fn nearest_tf32(bits: u32) -> u32 {
    TF32.round(f32::from_bits(bits).into(), Rounding::Nearest) << TF32_UNUSED
}

/// 2^exponent of a normal f64.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

impl Format {
    /// The exponent of the smallest positive normal number.
    pub(crate) const fn min_exponent(self) -> i32 {
        2 - (1 << (self.exponent_bits - 1))
    }

    /// The smallest positive normal number.
    pub(crate) const fn min_normal(self) -> f64 {
        power_of_two(self.min_exponent())
    }

    /// The number with these bits; only formats of at most 31 bits whose values are normal in f64.
    const fn value(self, bits: u32) -> f64 {
        let sign = self.sign();
        let magnitude = bits & (sign - 1);
        let field = magnitude >> self.mantissa_bits;
        let hidden = if field == 0 { 0 } else { 1 << self.mantissa_bits };
        let mantissa = magnitude & ((1 << self.mantissa_bits) - 1) | hidden;
        let scale = if field == 0 { 0 } else { field as i32 - 1 };
        let unit = power_of_two(self.min_exponent() - self.mantissa_bits as i32 + scale);
        let value = if magnitude <= self.largest {
            mantissa as f64 * unit
        } else if self.has_infinity && magnitude == self.largest + 1 {
            f64::INFINITY
        } else {
            f64::NAN
        };
        if bits & sign != 0 { -value } else { value }
    }

    /// The numbers of an 8-bit format by their bits.
    const fn values(self) -> [f64; 256] {
        let mut out = [0.0; 256];
        let mut bits = 0;
        while bits < 256 {
            out[bits] = self.value(bits as u32);
            bits += 1;
        }
        out
    }

    /// The bit of the sign.
    pub(crate) const fn sign(self) -> u32 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    /// The bits of `x` in this format.
    pub(crate) fn round(self, x: f64, mode: Rounding) -> u32 {
        let bits = x.to_bits();
        let negative = bits >> 63 == 1;
        let sign = if negative { self.sign() } else { 0 };
        if x.is_nan() {
            return self.nan;
        }
        if x.is_infinite() {
            return sign | (self.largest + u32::from(self.has_infinity));
        }
        let field = (bits >> 52) as i32 & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        let exponent = field.max(1) - 1023;
        let mantissa = if field == 0 { fraction } else { fraction | 1 << 52 };
        let below = (self.min_exponent() - exponent).max(0) as u32;
        let shift = (52 - self.mantissa_bits + below).min(63);
        let kept = (mantissa >> shift) + u64::from(self.rounds_up(mantissa, shift, negative, mode));
        let scale = (exponent - self.min_exponent()).max(0) as u64;
        let magnitude = (scale << self.mantissa_bits) + kept;
        if magnitude <= u64::from(self.largest) {
            return sign | magnitude as u32;
        }
        let to_infinity = match mode {
            Rounding::Nearest | Rounding::NearestAway => true,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        };
        sign | (self.largest + u32::from(to_infinity && self.has_infinity))
    }

    fn rounds_up(self, mantissa: u64, shift: u32, negative: bool, mode: Rounding) -> bool {
        let rest = mantissa & ((1 << shift) - 1);
        let half = 1u64 << (shift - 1);
        match mode {
            Rounding::Nearest => rest > half || (rest == half && (mantissa >> shift) & 1 == 1),
            Rounding::NearestAway => rest >= half,
            Rounding::Zero => false,
            Rounding::Up => rest > 0 && !negative,
            Rounding::Down => rest > 0 && negative,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn every_f16_and_bf16_is_a_fixed_point() {
        for bits in 0..=u16::MAX {
            for mode in [Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down] {
                let x = f16::from_bits(bits).to_f64();
                if !x.is_nan() {
                    assert_eq!(F16.round(x, mode), u32::from(bits));
                }
                let x = f64::from(bf16::from_bits(bits).to_f32());
                if !x.is_nan() {
                    assert_eq!(BF16.round(x, mode), u32::from(bits));
                }
            }
        }
    }

    #[test]
    fn f32_rounding_agrees_with_the_host() {
        let mut state = 1u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            // Exponents around the whole range of f32, subnormals and overflow included.
            let exponent = 1023 - 160 + (state >> 40) % 300;
            let x = f64::from_bits((state & !(0x7ff << 52)) | exponent << 52);
            assert_eq!(F32.round(x, Rounding::Nearest), (x as f32).to_bits(), "{x:e}");
        }
    }

    #[test]
    fn tf32_has_ties_to_even() {
        for (from, to) in [
            (0x3f80_1000, 0x3f80_0000), // 1 + 2^-11
            (0x3f80_3000, 0x3f80_4000), // 1 + 3 * 2^-11
            (0xbf80_1001, 0xbf80_2000),
            (0x3f80_0fff, 0x3f80_0000),
            (0x3fff_f000, 0x4000_0000), // into the exponent
            (0x0000_1000, 0x0000_0000), // subnormal
            (0x8000_3000, 0x8000_4000),
            (0x007f_f000, 0x0080_0000), // to the smallest normal number
            (0x0000_0001, 0x0000_0000),
            (0x8000_0000, 0x8000_0000),
            (0x7f7f_efff, 0x7f7f_e000), // the largest
            (0x7f7f_f000, 0x7f80_0000),
            (0xff7f_ffff, 0xff80_0000),
            (0xff80_0000, 0xff80_0000),
            (0x7f80_0001, 0x7fff_e000), // NaN
            (0xffc0_0000, 0x7fff_e000),
        ] {
            assert_eq!(nearest_tf32(from), to, "{from:#010x}");
        }
    }

    #[test]
    fn directed_rounding_brackets() {
        for x in [1.0 + 1e-5, -1.0 - 1e-5, 3.1e-6, -70000.0, 1e-12] {
            let value = |mode| f16::from_bits(F16.round(x, mode) as u16).to_f64();
            assert!(value(Rounding::Down) <= x && x <= value(Rounding::Up), "{x}");
            assert!(value(Rounding::Zero).abs() <= x.abs());
        }
        assert_eq!(F16.round(1e9, Rounding::Zero), 0x7bff);
        assert_eq!(F16.round(1e9, Rounding::Nearest), 0x7c00);
    }
}
