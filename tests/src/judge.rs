//! Decides whether an output is right.
//!
//! With `u` the unit roundoff of the output's elements (0 for f32, which the limit below already
//! covers) and `t = 1e-6·√K`, an output `y` of the exact result `r` has to satisfy
//!
//! - as a whole, in the Frobenius norm: `‖y − r‖ ≤ (t + u)·‖r‖`;
//! - in each element: `|y − r| ≤ u·|r| + 8·t·rms(r)`, the rounding to the element type and the
//!   accumulation in f32. The error of an accumulation scales with the terms, not with their sum,
//!   hence the root mean square; the factor leaves room for the largest of millions of elements.

use gemm_runtime::Element;
use half::{bf16, f16};
use rayon::prelude::*;

use crate::Failure;

/// An element type with what the harness has to know about it.
pub trait TestElement: Element {
    /// Half the distance from 1 to the next larger number; 0 for f32.
    const UNIT_ROUNDOFF: f64;
    /// Half the smallest positive number: what rounding costs close to zero.
    const HALF_SMALLEST: f64;
    /// A NaN that no kernel computes: what was not written still has its bits.
    const POISON: Self;

    /// Whether these are the bits of [`POISON`](Self::POISON).
    fn is_poison(self) -> bool;
}

impl TestElement for f16 {
    const UNIT_ROUNDOFF: f64 = 1.0 / 2048.0;
    const HALF_SMALLEST: f64 = 1.0 / 33_554_432.0;
    const POISON: Self = f16::from_bits(0x7e5a);

    fn is_poison(self) -> bool {
        self.to_bits() == Self::POISON.to_bits()
    }
}

impl TestElement for bf16 {
    const UNIT_ROUNDOFF: f64 = 1.0 / 256.0;
    const HALF_SMALLEST: f64 = 0.0;
    const POISON: Self = bf16::from_bits(0x7fda);

    fn is_poison(self) -> bool {
        self.to_bits() == Self::POISON.to_bits()
    }
}

impl TestElement for f32 {
    const UNIT_ROUNDOFF: f64 = 0.0;
    const HALF_SMALLEST: f64 = 0.0;
    const POISON: Self = f32::from_bits(0x7fc0_5a5a);

    fn is_poison(self) -> bool {
        self.to_bits() == Self::POISON.to_bits()
    }
}

/// A right output, and how close it came to being wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// `‖y − r‖ / ‖r‖`; 0 where `r` is 0.
    pub relative_error: f64,
    /// What `relative_error` may be.
    pub limit: f64,
}

impl Verdict {
    /// The share of the limit that the error takes: at most 1.
    pub fn share(&self) -> f64 {
        self.relative_error / self.limit
    }
}

/// Compares an output with what it should be. Both are dense, `columns` elements a row; `k` is
/// how many products each element sums up.
///
/// # Errors
/// The first element that is not written, not finite or too far off, or the norm of them all.
pub fn judge<T: TestElement>(
    got: &[T],
    expected: &[f32],
    columns: usize,
    k: usize,
) -> Result<Verdict, Failure> {
    assert_eq!(got.len(), expected.len(), "output and reference have different sizes");
    let tolerance = 1e-6 * (k.max(1) as f64).sqrt();
    let norm = expected.par_iter().map(|&r| f64::from(r).powi(2)).sum::<f64>().sqrt();
    let rms = norm / (expected.len().max(1) as f64).sqrt();
    let slack = 8.0 * tolerance * rms + T::HALF_SMALLEST;

    let pairs = got.par_iter().zip(expected).enumerate();
    let error = pairs
        .map(|(at, (&y, &r))| {
            let (row, column) = (at / columns, at % columns);
            let difference = (y.to_f64() - f64::from(r)).abs();
            let limit = T::UNIT_ROUNDOFF * f64::from(r).abs() + slack;
            match difference {
                _ if y.is_poison() => Err(Failure::NotWritten { row, column }),
                // Not `>`: a NaN is never right.
                d if d <= limit => Ok(d.powi(2)),
                _ => Err(Failure::Element { row, column, got: y.to_f64(), expected: r, limit }),
            }
        })
        .try_reduce(|| 0.0, |a, b| Ok(a + b))?
        .sqrt();

    let relative_error = if norm == 0.0 { error } else { error / norm };
    let limit = tolerance + T::UNIT_ROUNDOFF;
    if relative_error > limit {
        return Err(Failure::Norm { relative_error, limit });
    }
    Ok(Verdict { relative_error, limit })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: [f32; 6] = [1.0, -2.0, 3.0, 0.5, 0.0, 4.0];

    fn changed<T: TestElement>(at: usize, change: impl Fn(f32) -> T) -> Vec<T> {
        let mut got: Vec<T> = EXPECTED.iter().map(|&r| T::from_f32(r)).collect();
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
    fn an_error_above_the_norm_is_wrong_where_each_element_passes() {
        let got = EXPECTED.map(|r| r * (1.0 + 1.5e-5));
        let failure = judge(&got, &EXPECTED, 3, 64).unwrap_err();
        assert!(matches!(failure, Failure::Norm { .. }), "{failure}");
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
        let failure = judge(&changed(4, |_| bf16::POISON), &EXPECTED, 3, 4).unwrap_err();
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
    fn an_empty_output_is_right() {
        assert!(judge::<f16>(&[], &[], 5, 3).is_ok());
    }
}
