//! Tests of how numbers are rounded.

use super::*;

#[test]
fn factors_of_f32_have_eleven_bits_on_tensor_cores() {
    let unit = 2f32.powi(-10);
    for (value, rounded) in [
        (1.0, 1.0),
        (1.0 + unit / 2.0, 1.0 + unit),
        (-1.0 - unit / 2.0, -1.0 - unit),
        (1.0 + unit * 0.499, 1.0),
        (2.0 - unit / 4.0, 2.0),
        (f32::MAX, f32::INFINITY),
        (f32::NEG_INFINITY, f32::NEG_INFINITY),
        (0.0, 0.0),
    ] {
        assert_eq!(value.to_factor(Factors::Tf32TiesAway), rounded, "{value}");
        assert_eq!(value.to_factor(Factors::Exact), value);
    }
    for factors in [Factors::Tf32TiesAway, Factors::Tf32TiesEven] {
        assert!(f32::NAN.to_factor(factors).is_nan());
        assert_eq!(f16::ONE.to_factor(factors), 1.0);
    }
}

#[test]
fn numbers_next_to_a_tie_are_rounded_to_the_nearest() {
    for sign in [1.0, -1.0] {
        for (above, below) in [(1e-9, -1e-9), (1e-15, -1e-15)] {
            let tie = sign * (1.0 + 2f64.powi(-8));
            assert_eq!(<bf16 as Element>::from_f64(tie), bf16::from_f64(sign));
            let expected = [sign * (1.0 + 2f64.powi(-7)), sign];
            let found = [above, below].map(|by| <bf16 as Element>::from_f64(tie + sign * by));
            assert_eq!(found.map(Element::to_f64), expected);
            let tie = sign * (1.0 + 2f64.powi(-11));
            let expected = [sign * (1.0 + 2f64.powi(-10)), sign];
            let found = [above, below].map(|by| <f16 as Element>::from_f64(tie + sign * by));
            assert_eq!(found.map(Element::to_f64), expected);
        }
    }
    assert_eq!(<bf16 as Element>::from_f64(f64::MAX), bf16::INFINITY);
    assert_eq!(<bf16 as Element>::from_f64(1e-300), bf16::ZERO);
    assert!(<f16 as Element>::from_f64(f64::NAN).is_nan());
}

#[test]
fn factors_that_the_copy_unit_rounds_have_ties_to_even() {
    for (value, rounded) in [
        (0x3f80_1000, 0x3f80_0000), // 1 + 2^-11
        (0xbf80_1000, 0xbf80_0000),
        (0x3f80_3000, 0x3f80_4000), // 1 + 3 * 2^-11
        (0x3f80_1001, 0x3f80_2000),
        (0x3f80_2fff, 0x3f80_2000),
        (0x3fff_f000, 0x4000_0000), // into the exponent
        (0x0000_1000, 0x0000_0000), // subnormal
        (0x8000_1000, 0x8000_0000),
        (0x0000_3000, 0x0000_4000),
        (0x007f_f000, 0x0080_0000), // to the smallest normal number
        (0x7f7f_efff, 0x7f7f_e000), // the largest
        (0x7f7f_f000, 0x7f80_0000),
        (0xff7f_ffff, 0xff80_0000),
        (0xff80_0000, 0xff80_0000),
    ] {
        let got = f32::from_bits(value).to_factor(Factors::Tf32TiesEven).to_bits();
        assert_eq!(got, rounded, "{value:#010x}");
    }
}

#[test]
fn both_roundings_of_factors_differ_in_ties_alone() {
    for bits in (0..=u32::MAX).step_by(0x0fff) {
        let value = f32::from_bits(bits);
        let [away, even] =
            [Factors::Tf32TiesAway, Factors::Tf32TiesEven].map(|ties| value.to_factor(ties));
        let is_tie = bits & 0x1fff == 0x1000;
        assert!(away == even || value.is_nan() || is_tie, "{bits:#010x}");
    }
}

#[test]
fn integers_are_rounded_to_even_and_saturate() {
    assert_eq!([2.5, 3.5, -0.5, 1e9, -1e9, f64::NAN].map(i8::from_f64), [2, 4, 0, 127, -128, 0]);
    assert_eq!([255.5, -3.0, 254.5].map(u8::from_f64), [255, 0, 254]);
}
