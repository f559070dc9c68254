//! The conversions of the 8-bit floats, all of them: each number, and each place where the rounding
//! changes, against the definition of the formats.

use super::{SIGN, e4m3, e5m2};
use crate::Element;

/// A format of 8 bits (OCP 8-bit floating point specification, section 5).
struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
    /// The bits of the largest finite number.
    largest: u8,
}

const E4M3: Format = Format { exponent_bits: 4, fraction_bits: 3, largest: 0x7e };
const E5M2: Format = Format { exponent_bits: 5, fraction_bits: 2, largest: 0x7b };

impl Format {
    /// The finite number of these bits.
    fn value(&self, bits: u8) -> f64 {
        let exponent = i32::from(bits & 0x7f) >> self.fraction_bits;
        let fraction = f64::from(bits & ((1 << self.fraction_bits) - 1));
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        let unit = 2f64.powi(exponent.max(1) - bias - self.fraction_bits as i32);
        let hidden = if exponent == 0 { 0.0 } else { f64::from(1 << self.fraction_bits) };
        let magnitude = (hidden + fraction) * unit;
        if bits & 0x80 == 0 { magnitude } else { -magnitude }
    }

    /// Compares `to_f64`, `to_value` and `from_f64` of `T` with the definition.
    fn agrees<T: Element<Value = f32>>(&self, from_bits: fn(u8) -> T, to_bits: fn(T) -> u8) {
        for sign in [0, 0x80] {
            for bits in 0..=self.largest {
                let (value, number) = (self.value(sign | bits), from_bits(sign | bits));
                assert_eq!(number.to_f64().to_bits(), value.to_bits(), "{bits:#x}");
                assert_eq!(number.to_value().to_bits(), (value as f32).to_bits(), "{bits:#x}");
                assert_eq!(to_bits(T::from_f64(value)), sign | bits);
            }
            // Half-way between neighbours, and the next numbers on both sides of it.
            for bits in 0..self.largest {
                let half_way = (self.value(bits) + self.value(bits + 1)) / 2.0;
                let even = bits + bits % 2;
                let places = [
                    (half_way, even),
                    (half_way.next_down(), bits),
                    (half_way.next_up(), bits + 1),
                    (f64::from((half_way as f32).next_down()), bits),
                    (f64::from((half_way as f32).next_up()), bits + 1),
                ];
                for (value, expected) in places {
                    let signed = if sign == 0 { value } else { -value };
                    assert_eq!(to_bits(T::from_f64(signed)), sign | expected, "{signed:e}");
                }
            }
            let largest = self.value(self.largest);
            for beyond in [largest.next_up(), largest * 1.07, 1e30, f64::MAX, f64::INFINITY] {
                let signed = if sign == 0 { beyond } else { -beyond };
                assert_eq!(to_bits(T::from_f64(signed)), sign | self.largest, "{signed:e}");
            }
            for bits in self.largest + 1..=0x7f {
                let number = from_bits(sign | bits);
                let infinite = self.exponent_bits == 5 && bits == 0x7c;
                assert_eq!(number.to_value().is_infinite(), infinite, "{bits:#x}");
                assert_eq!(number.to_f64().is_nan(), !infinite, "{bits:#x}");
            }
        }
        assert!(T::from_f64(f64::NAN).to_value().is_nan());
    }
}

#[test]
fn every_number_and_every_boundary_of_the_8_bit_floats() {
    assert_eq!([E4M3.value(0x7e), E4M3.value(0x01)], [448.0, 2f64.powi(-9)]);
    assert_eq!([E5M2.value(0x7b), E5M2.value(0x01)], [57_344.0, 2f64.powi(-16)]);
    E4M3.agrees(e4m3::from_bits, e4m3::to_bits);
    E5M2.agrees(e5m2::from_bits, e5m2::to_bits);
}

#[test]
fn kinds_of_numbers() {
    let count = |is: fn(u8) -> bool| (0..=255).filter(|bits| is(*bits)).count();
    assert_eq!(count(|bits| e4m3::from_bits(bits).is_nan()), 2);
    assert_eq!(count(|bits| e4m3::from_bits(bits).is_finite()), 254);
    assert_eq!(count(|bits| e5m2::from_bits(bits).is_nan()), 6);
    assert_eq!(count(|bits| e5m2::from_bits(bits).is_finite()), 248);
    assert_eq!(
        [e4m3::MAX, e4m3::MIN, e4m3::MIN_POSITIVE].map(e4m3::to_f32),
        [448.0, -448.0, 2f32.powi(-6)]
    );
    assert_eq!(
        [e5m2::MAX, e5m2::MIN, e5m2::MIN_POSITIVE].map(e5m2::to_f64),
        [57_344.0, -57_344.0, 2f64.powi(-14)]
    );
    assert!(e4m3::NAN != e4m3::NAN && e4m3::from_bits(0) == e4m3::from_bits(SIGN));
    assert!(e5m2::from_f32(-2.0) < e5m2::from_f32(1.5));
    assert_eq!(format!("{} {:?}", e4m3::from_f32(1.7), e5m2::from_f32(1.7)), "1.75 1.75");
}
