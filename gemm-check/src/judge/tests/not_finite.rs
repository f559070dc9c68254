//! Where the right value is NaN or infinite.

use gemm_runtime::e4m3;

use super::*;

/// Of sums that are as exact as the body, of 64 products.
fn judge<T: TestElement, R: Expected>(got: &[T], expected: &[R]) -> Result<Verdict, Failure> {
    super::super::judge(got, expected, got.len(), 64, 0.0)
}

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

#[test]
fn equal_values_that_are_not_finite_are_right() {
    let expected = [NAN, INF, -INF, 1.0];
    let verdict = judge(&[-NAN, INF, -INF, 1.0], &expected).unwrap();
    assert_eq!((verdict.relative_error, verdict.not_finite), (0.0, 3));
    let wide = expected.map(f64::from);
    assert_eq!(judge(&wide, &wide).unwrap().not_finite, 3);
    let halves = expected.map(f16::from_f32);
    assert_eq!(judge(&halves, &expected).unwrap().not_finite, 3);
    assert!(judge(&[NAN; 4], &[NAN; 4]).unwrap().limit.is_finite());
}

#[test]
fn another_value_than_one_that_is_not_finite_is_wrong() {
    let wrong =
        [(NAN, INF), (NAN, 1.0), (INF, NAN), (INF, -INF), (INF, 1.0), (1.0, NAN), (1.0, INF)];
    for (expected, got) in wrong {
        for others in [1.0, INF, NAN] {
            let failure = judge(&[others, got], &[others, expected]).unwrap_err();
            let at = matches!(failure, Failure::Element { row: 0, column: 1, .. });
            assert!(at, "{got} for {expected}: {failure}");
        }
    }
}

#[test]
fn an_element_next_to_one_that_is_not_finite_is_judged_as_before() {
    for other in [NAN, INF, -INF] {
        let failure = judge(&[other, 1.0, 2.0], &[other, 1.0, 2.1]).unwrap_err();
        assert!(matches!(failure, Failure::Element { column: 2, .. }), "{failure}");
        let failure = judge(&[other, 1.0 + 1.5e-5, 2.0 + 3e-5], &[other, 1.0, 2.0]).unwrap_err();
        assert!(matches!(failure, Failure::Norm { .. }), "{failure}");
    }
    // One that is stored as an infinity is as large as it likes.
    let stored = [f16::INFINITY, f16::ONE, f16::from_f32(2.0)];
    assert!(judge(&stored, &[1e30f32, 1.0, 2.0]).is_ok());
    assert!(judge(&stored, &[1e30f32, 1.0, 2.1]).is_err());
}

#[test]
fn a_poisoned_element_was_not_written_where_nan_is_right() {
    let failure = judge(&[f32::poison(), 1.0], &[NAN, 1.0]).unwrap_err();
    assert!(matches!(failure, Failure::NotWritten { row: 0, column: 0 }), "{failure}");
}

#[test]
fn a_value_next_to_the_largest_may_be_rounded_to_either_side() {
    let judge = |got: f16, expected: f32| judge(&[got, f16::ONE], &[expected, 1.0]).is_ok();
    // 65504 is the largest; from 65520 on it is infinite.
    for expected in [65_519.99, 65_520.01] {
        assert!(judge(f16::MAX, expected) && judge(f16::INFINITY, expected), "{expected}");
        assert!(!judge(f16::NEG_INFINITY, expected), "{expected}");
    }
    assert!(!judge(f16::INFINITY, 65_400.0) && !judge(f16::MAX, 66_000.0) && !judge(f16::MAX, INF));
    // The sums of an f32 body may overflow on one side alone.
    assert!(super::super::judge(&[f32::MAX, 1.0], &[INF, 1.0], 2, 64, 0.0).is_ok());
    assert!(super::super::judge(&[f32::MAX / 2.0, 1.0], &[INF, 1.0], 2, 64, 0.0).is_err());
}

#[test]
fn squares_of_large_doubles_do_not_overflow() {
    let expected = [1e300, -1e300, 2.0];
    assert!(judge(&expected, &expected).unwrap().limit.is_finite());
    assert!(judge(&[1e300, -1.1e300, 2.0], &expected).is_err());
}

#[test]
fn an_integer_of_a_value_that_is_not_finite_saturates() {
    assert!(judge(&[0i8, 127, -128], &[NAN, INF, -INF]).is_ok());
    assert!(judge(&[1i8, 127, -128], &[NAN, INF, -INF]).is_err());
    assert!(judge(&[0i8, 127, 127], &[NAN, INF, -INF]).is_err());
    let most = e4m3::from_f64(448.0);
    assert!(judge(&[most, most], &[INF, 448.0]).is_ok());
}
