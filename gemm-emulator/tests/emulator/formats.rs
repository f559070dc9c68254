//! Narrow floats as the list of their numbers; rounding is a search among them.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    Nearest,
    NearestAway,
    Zero,
    Down,
    Up,
}

/// A format as the list of its numbers.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    /// Magnitudes by their bits; the last one stands where the number after the largest would be.
    pub(crate) magnitudes: Vec<f64>,
    pub(crate) mantissa_bits: i32,
    nan: u32,
    pub(crate) has_infinity: bool,
}

impl Format {
    pub(crate) fn new(name: &'static str) -> Format {
        let (exponent_bits, mantissa_bits, nan) = match name {
            "f16" => (5, 10, 0x7fff),
            "bf16" => (8, 7, 0x7fff),
            "tf32" => (8, 10, 0x7fff_ffff >> 13),
            "e4m3" => (4, 3, 0x7f),
            _ => (5, 2, 0x7f),
        };
        let has_infinity = name != "e4m3";
        let bias = (1 << (exponent_bits - 1)) - 1;
        let fields = 1 << mantissa_bits;
        // Of the highest exponent, e4m3 has all numbers but one; the others have none.
        let count = if has_infinity { fields * ((1 << exponent_bits) - 1) } else { 127 };
        let value = |bits: i32| match (bits / fields, f64::from(bits % fields)) {
            (0, mantissa) => mantissa * 2f64.powi(1 - bias - mantissa_bits),
            (exponent, mantissa) => {
                (f64::from(fields) + mantissa) * 2f64.powi(exponent - bias - mantissa_bits)
            }
        };
        let magnitudes = (0..=count).map(value).collect();
        Format { name, magnitudes, mantissa_bits, nan, has_infinity }
    }

    pub(crate) fn sign(&self) -> u32 {
        match self.name {
            "e4m3" | "e5m2" => 0x80,
            "tf32" => 0x8000_0000 >> 13,
            _ => 0x8000,
        }
    }

    /// The bits of the number that `x` rounds to.
    pub(crate) fn round(&self, x: f64, mode: Mode, finite: bool) -> u32 {
        if x.is_nan() {
            return self.nan;
        }
        let (magnitude, negative) = (x.abs(), x.is_sign_negative());
        let last = self.magnitudes.len() - 1;
        // The first number that is not below.
        let above = self.magnitudes.partition_point(|value| *value < magnitude);
        let up = match mode {
            Mode::Zero => false,
            Mode::Down => negative,
            Mode::Up => !negative,
            Mode::Nearest | Mode::NearestAway if above == 0 || above > last => true,
            Mode::Nearest | Mode::NearestAway => {
                // A sum of neighbours and twice the number are exact.
                let middle = self.magnitudes[above] + self.magnitudes[above - 1];
                let tie_up = mode == Mode::NearestAway || above % 2 == 0;
                middle < 2.0 * magnitude || (middle == 2.0 * magnitude && tie_up)
            }
        };
        let exact = above <= last && self.magnitudes[above] == magnitude;
        let index = if exact || up { above.min(last) } else { above - 1 };
        let infinite = index == last && self.has_infinity && !finite;
        let overflows = index == last && !(infinite && (up || magnitude.is_infinite()));
        let bits = if overflows { last - 1 } else { index } as u32;
        let bits = if magnitude.is_infinite() && infinite { last as u32 } else { bits };
        bits | if negative { self.sign() } else { 0 }
    }
}
