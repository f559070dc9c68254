use half::{bf16, f16};

use super::*;
use crate::Failure;

mod not_finite;

#[test]
fn what_is_too_large_for_an_element_is_infinite() {
    let judge = |got: f32, expected: f32| {
        judge(&[f16::from_f32(got), f16::ONE], &[expected, 1.0], 2, 1).is_ok()
    };
    assert!(judge(f32::INFINITY, 1e6) && judge(f32::NEG_INFINITY, -1e6));
    assert!(!judge(f32::INFINITY, -1e6) && !judge(f32::INFINITY, 6e4) && !judge(6e4, 1e6));
    assert!(!judge(f32::NAN, 1e6));
}

/// Of sums that are as exact as the body.
fn judge<T: TestElement, R: Expected>(
    got: &[T],
    expected: &[R],
    columns: usize,
    k: usize,
) -> Result<Verdict, Failure> {
    super::judge(got, expected, columns, k, 0.0)
}

const EXPECTED: [f32; 6] = [1.0, -2.0, 3.0, 0.5, 0.0, 4.0];

fn changed<T: TestElement>(at: usize, change: impl Fn(f32) -> T) -> Vec<T> {
    let mut got: Vec<T> = EXPECTED.iter().map(|&r| T::from_f64(r.into())).collect();
    got[at] = change(EXPECTED[at]);
    got
}

#[test]
fn the_exact_result_is_right() {
    let verdict = judge(&changed(0, |r| r), &EXPECTED, 3, 64).unwrap();
    assert_eq!(verdict.relative_error, 0.0);
    assert!(verdict.limit > 7.9e-6 && verdict.limit < 8.1e-6);
}

#[test]
fn sums_of_halves_are_only_as_exact_as_halves() {
    let of_sums = tolerance(Sums::Rounded(Accumulator::F16));
    for (error, right) in [(1.0 / 1024.0, true), (1.0 / 64.0, false)] {
        let got = EXPECTED.map(|r| r * (1.0 + error));
        assert!(judge(&got, &EXPECTED, 3, 64).is_err());
        assert_eq!(super::judge(&got, &EXPECTED, 3, 64, of_sums).is_ok(), right, "{error}");
    }
}

#[test]
fn truncated_sums_are_off_by_their_last_bit() {
    let of_sums = tolerance(Sums::Truncated);
    for (error, right) in [(1.0 / 2048.0, true), (1.0 / 512.0, false)] {
        let got = EXPECTED.map(|r| r * (1.0 + error));
        assert!(judge(&got, &EXPECTED, 3, 64).is_err());
        assert_eq!(super::judge(&got, &EXPECTED, 3, 64, of_sums).is_ok(), right, "{error}");
    }
}

#[test]
fn an_element_may_be_off_by_twice_what_the_body_carries_to_it() {
    let carried = [0.0, 0.0, 0.3, 0.0, 0.0, 0.0];
    fn bound(carried: &[f64]) -> Bound<'_> {
        Bound { k: 4, of_sums: 0.0, carried }
    }
    let right = |at: usize, by: f32, carried: &[f64]| {
        let got = changed(at, |r| r + by);
        judge_carried(&got, &EXPECTED, 3, &bound(carried)).is_ok()
    };
    assert!(right(2, 0.2, &carried) && !right(2, 0.2, &[]));
    // Another element, more than twice as far, and farther in the norm.
    assert!(!right(1, 0.2, &carried) && !right(2, 0.7, &carried) && !right(2, 0.4, &carried));
    let integers = [1, 2];
    let off = judge_carried(&[1, 3], &integers, 2, &bound(&[9.0, 9.0]));
    assert!(off.is_err(), "a sum of integers is exact");
}

#[test]
fn a_double_is_only_as_exact_as_its_sums() {
    let expected = EXPECTED.map(f64::from);
    let got = expected.map(|r| r * (1.0 + 1e-12));
    assert!(judge(&expected, &expected, 3, 64).is_ok());
    assert!(judge(&got, &expected, 3, 64).is_err());
    let of_sums = tolerance(Sums::Rounded(Accumulator::F32));
    assert!(super::judge(&got, &expected, 3, 64, of_sums).is_ok());
}

#[test]
fn an_error_above_the_norm_is_wrong_where_each_element_passes() {
    let got = EXPECTED.map(|r| r * (1.0 + 1.5e-5));
    let failure = judge(&got, &EXPECTED, 3, 64).unwrap_err();
    assert!(matches!(failure, Failure::Norm { .. }), "{failure}");
}

/// Results just beyond the middle of two halves, stored as the farther one.
#[test]
fn a_rounding_may_be_turned_close_to_a_tie() {
    let unit = f32::from(f16::EPSILON);
    for (units, right) in [(0.5, true), (0.62, true), (0.7, false)] {
        let mut expected = EXPECTED;
        expected[0] = 1.0 + units * unit;
        let got = changed(0, f16::from_f32);
        assert_eq!(judge(&got, &expected, 3, 1).is_ok(), right, "{units}");
    }
}

#[test]
fn one_rounding_is_right_and_two_are_wrong() {
    let next = |steps| move |r: f32| f16::from_bits(f16::from_f32(r).to_bits() + steps);
    let between = f16::from_f32(3.0).to_f32() + 1.0 / 1024.0;
    let mut expected = EXPECTED;
    expected[2] = between;
    assert!(judge(&changed(2, next(1)), &expected, 3, 4).is_ok());
    let failure = judge(&changed(2, next(2)), &expected, 3, 4).unwrap_err();
    assert!(matches!(failure, Failure::Element { row: 0, column: 2, .. }), "{failure}");
}

#[test]
fn what_was_not_written_is_found() {
    let failure = judge(&changed(4, |_| bf16::poison()), &EXPECTED, 3, 4).unwrap_err();
    assert!(matches!(failure, Failure::NotWritten { row: 1, column: 1 }), "{failure}");
}

#[test]
fn a_nan_is_wrong() {
    let failure = judge(&changed(1, |_| f32::NAN), &EXPECTED, 3, 4).unwrap_err();
    assert!(matches!(failure, Failure::Element { row: 0, column: 1, .. }), "{failure}");
}

#[test]
fn zeros_have_to_be_zeros() {
    assert!(judge(&[0.0f32; 4], &[0.0; 4], 2, 0).is_ok());
    assert!(judge(&[0.0, 0.0, 1e-9, 0.0f32], &[0.0; 4], 2, 0).is_err());
}

#[test]
fn the_worst_of_several_verdicts_has_the_largest_share() {
    let verdict = |relative_error, limit| Verdict { relative_error, limit, ..Verdict::default() };
    let all = [verdict(0.0, 0.0), verdict(3.0, 6.0), verdict(1.0, 1.5), verdict(9.0, 90.0)];
    assert_eq!(Verdict::worst(all), all[2]);
    assert_eq!(Verdict::worst([]), Verdict::default());
}

#[test]
fn an_output_of_one_value_is_told() {
    let constant = |expected: &[f32]| judge(expected, expected, 2, 1).unwrap().constant;
    assert_eq!(constant(&[f32::NEG_INFINITY; 4]), Some(f64::NEG_INFINITY));
    assert_eq!(constant(&[0.0, -0.0]), Some(0.0));
    assert!(constant(&[f32::NAN; 2]).is_some_and(f64::is_nan));
    assert_eq!([constant(&[0.0, 1.0]), constant(&[f32::NAN, 1.0]), constant(&[1.0])], [None; 3]);
    // Another output tells nothing of this one.
    let all = [Verdict { constant: Some(0.0), ..Verdict::default() }, Verdict::default()];
    assert_eq!(Verdict::worst(all).constant, Some(0.0));
}

#[test]
fn an_empty_output_is_right() {
    assert!(judge::<f16, f32>(&[], &[], 5, 3).is_ok());
}

#[test]
fn an_integer_is_exact() {
    let expected = [3, -7, 90_000_000, i32::MAX];
    assert!(judge(&expected, &expected, 2, 64).is_ok());
    for at in 0..4 {
        let mut got = expected;
        got[at] ^= 1;
        assert!(judge(&got, &expected, 2, 64).is_err(), "{at}");
    }
}

#[test]
fn a_float_is_rounded_to_an_integer_and_an_integer_saturates() {
    assert!(judge(&[2i8, -128, 127, 0], &[2.5f32, -1e9, 200.0, 0.4], 2, 4).is_ok());
    assert!(judge(&[3i8], &[2.0f32], 1, 4).is_err());
    assert!(judge(&[-128i8, 127], &[-1000, 1000], 2, 4).is_ok());
    assert!(judge(&[0u8, 254], &[-1000, 1000], 2, 4).is_err());
}

#[test]
fn an_integer_that_happens_to_be_poison_is_right() {
    let poison = i8::poison();
    assert!(judge(&[poison, 1], &[i32::from(poison), 1], 2, 4).is_ok());
    let failure = judge(&[poison, 1], &[5, 1], 2, 4).unwrap_err();
    assert!(matches!(failure, Failure::NotWritten { row: 0, column: 0 }), "{failure}");
}
