//! The values of narrow floats as f64.

/// Exact, without branches, so that it runs on many elements at once.
#[inline(always)]
pub(super) fn f16_to_f64(bits: u16) -> f64 {
    // As an f32 of the same fields the number is 2^112 times too small; infinity and NaN need the full exponent.
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let finite = (f32::from_bits(magnitude) * SCALE).to_bits();
    let special = magnitude | 0x7f80_0000;
    let value = if magnitude >= 0x7c00 << 13 { special } else { finite };
    f64::from(f32::from_bits(value | u32::from(bits & 0x8000) << 16))
}

#[inline(always)]
pub(super) fn bf16_to_f64(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

/// An f32 without the bits that tf32 does not have.
#[inline(always)]
pub(super) fn tf32_to_f64(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits & 0xffff_e000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::ByteFloat;

    fn values(name: &str) -> [f64; 256] {
        *ByteFloat::named(name).expect(name).values()
    }

    #[test]
    fn element_conversions_are_exact() {
        for bits in 0..=u16::MAX {
            let (half, bfloat) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
            let (x, y) = (f16_to_f64(bits), bf16_to_f64(bits));
            assert!(x == half.to_f64() || x.is_nan() && half.is_nan(), "{bits:#06x}");
            assert!(y == bfloat.to_f64() || y.is_nan() && bfloat.is_nan(), "{bits:#06x}");
        }
    }

    #[test]
    fn e5m2_is_the_upper_half_of_f16() {
        for bits in 0..=u8::MAX {
            let (got, want) = (values("e5m2")[usize::from(bits)], f16_to_f64(u16::from(bits) << 8));
            assert!(
                got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
                "{bits:#04x}"
            );
        }
    }

    #[test]
    fn e4m3_has_the_values_of_its_definition() {
        let e4m3 = values("e4m3");
        for (bits, want) in [
            (0x00, 0.0),
            (0x01, 0.001953125),
            (0x07, 0.013671875),
            (0x08, 0.015625),
            (0x38, 1.0),
            (0x7e, 448.0),
            (0xc0, -2.0),
        ] {
            assert_eq!(e4m3[bits], want, "{bits:#04x}");
        }
        assert!(e4m3[0x80].is_sign_negative() && e4m3[0x80] == 0.0);
        let nans = (0..256).filter(|bits| e4m3[*bits].is_nan());
        assert_eq!(nans.collect::<Vec<_>>(), [0x7f, 0xff]);
    }
}
