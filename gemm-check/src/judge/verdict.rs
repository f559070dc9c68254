//! [`judge`]: compares an output with what it should be.

use rayon::prelude::*;

use super::{Expected, TestElement};
use crate::Failure;

/// A right output, and how close it came to being wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Verdict {
    /// `‖y − r‖ / ‖r‖`; 0 where `r` is 0.
    pub relative_error: f64,
    /// What `relative_error` may be.
    pub limit: f64,
    /// How many elements should be NaN or infinite, and are. The error is that of the others.
    pub not_finite: usize,
}

impl Verdict {
    /// The share of the limit that the error takes: at most 1, and 0 where none is allowed.
    pub fn share(&self) -> f64 {
        if self.limit == 0.0 { 0.0 } else { self.relative_error / self.limit }
    }

    /// Of the verdicts on several outputs the one that came closest to being wrong, with the elements
    /// that are not finite of all.
    pub fn worst(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let worse = |a: Verdict, b: Verdict| {
            let not_finite = a.not_finite + b.not_finite;
            Verdict { not_finite, ..if b.share() > a.share() { b } else { a } }
        };
        verdicts.into_iter().reduce(worse).unwrap_or_default()
    }
}

/// Compares an output with what it should be. Both are dense, `columns` elements a row; `k` is
/// how many products each element sums up, whose [`tolerance`](super::tolerance()) is `of_sums`.
///
/// # Errors
/// The first element that is not written or too far off, or the norm of them all.
pub fn judge<T: TestElement, R: Expected>(
    got: &[T],
    expected: &[R],
    columns: usize,
    k: usize,
    of_sums: f64,
) -> Result<Verdict, Failure> {
    assert_eq!(got.len(), expected.len(), "output and reference have different sizes");
    let limits = Limits::new::<T, R>(expected, k, of_sums);
    let pairs = got.par_iter().zip(expected).enumerate();
    let squares = pairs.map(|(at, (&y, &r))| {
        limits.difference(y, r).map(|difference| (difference / limits.scale).powi(2)).map_err(
            |limit| {
                let (row, column) = (at / columns, at % columns);
                match y.is_poison() {
                    true => Failure::NotWritten { row, column },
                    false => {
                        let expected = saturated::<T>(r.to_f64());
                        Failure::Element { row, column, got: y.to_f64(), expected, limit }
                    }
                }
            },
        )
    });
    let error = squares.try_reduce(|| 0.0, |a, b| Ok(a + b))?.sqrt();
    limits.verdict(error)
}

/// What the elements of an output may be off by.
struct Limits {
    /// The largest finite element; 1 if there is none but zeros. Squares are those of its multiples,
    /// and so they do not overflow.
    scale: f64,
    /// The norm of the finite elements over `scale`.
    norm: f64,
    /// How many they are.
    finite: usize,
    /// How many there are.
    elements: usize,
    tolerance: f64,
    roundoff: f64,
    half_smallest: f64,
    /// What an element may be off by, but for the rounding of its own size.
    slack: f64,
}

/// How many half units of an element a result may be off by: a function in its shorter form, which results
/// of 16 and 8 bits have, turns a rounding now and then (docs/support.md: at most 0.63 units, of `gelu`).
const TURNED: f64 = 1.26;

impl Limits {
    fn new<T: TestElement, R: Expected>(expected: &[R], k: usize, of_sums: f64) -> Limits {
        let rounds = if R::EXACT { 0.0 } else { 1.0 };
        let tolerance = rounds * of_sums.max(R::TOLERANCE) * (k.max(1) as f64).sqrt();
        let (roundoff, half_smallest) = (rounds * T::unit_roundoff(), rounds * T::half_smallest());
        let finite = || expected.par_iter().filter_map(|r| finite::<T>(r.to_f64()));
        let (largest, count) = finite()
            .map(|r| (r.abs(), 1))
            .reduce(|| (0.0, 0), |a, b| (f64::max(a.0, b.0), a.1 + b.1));
        let scale = if largest == 0.0 { 1.0 } else { largest };
        let norm = finite().map(|r| (r / scale).powi(2)).sum::<f64>().sqrt();
        let root_mean_square = norm / (count.max(1) as f64).sqrt() * scale;
        let slack = 8.0 * tolerance * root_mean_square + half_smallest;
        let elements = expected.len();
        Limits { scale, norm, finite: count, elements, tolerance, roundoff, half_smallest, slack }
    }

    /// How far an element is off: 0 where that is infinite and it is right all the same.
    ///
    /// # Errors
    /// What it may be off by, if it is wrong.
    fn difference<T: TestElement, R: Expected>(&self, y: T, r: R) -> Result<f64, f64> {
        // A NaN, which is wrong also where one is right.
        let is_poison = y.is_poison();
        let (y, r) = (y.to_f64(), r.to_f64());
        if !r.is_finite() {
            let stored = T::from_f64(r).to_f64();
            // Values that the body may have rounded to infinity, or just not.
            let largest = R::LARGEST * (1.0 - self.tolerance - self.roundoff);
            let is_large = r.is_infinite() && y.abs() >= largest && y.signum() == r.signum();
            let is_right = y == stored || y.is_nan() && stored.is_nan() && !is_poison || is_large;
            return if is_right { Ok(0.0) } else { Err(0.0) };
        }
        let expected = saturated::<T>(r);
        let difference = (y - expected).abs();
        let limit = TURNED * self.roundoff * expected.abs() + self.slack;
        // Beyond the largest number of an element, where that rounds to infinity.
        let overflows = || y == T::from_f64(expected + self.slack.copysign(expected)).to_f64();
        match difference {
            // Not `>`: a NaN is wrong where a number is right.
            d if d <= limit => Ok(if finite::<T>(r).is_some() { d } else { 0.0 }),
            d if d.is_infinite() && overflows() => Ok(0.0),
            _ => Err(limit),
        }
    }

    /// The verdict on an output whose error in the norm, over `scale`, is this.
    fn verdict(&self, error: f64) -> Result<Verdict, Failure> {
        let Limits { scale, norm, finite, elements, tolerance, roundoff, half_smallest, .. } =
            *self;
        // Of zeros the error itself.
        let relative_error = if norm == 0.0 { error } else { error / norm };
        let rounded = half_smallest * (finite as f64).sqrt() / scale;
        let absolute = if norm == 0.0 { 0.0 } else { rounded / norm };
        let limit = tolerance + roundoff + absolute;
        match relative_error > limit {
            true => Err(Failure::Norm { relative_error, limit }),
            false => Ok(Verdict { relative_error, limit, not_finite: elements - finite }),
        }
    }
}

/// The value to which an element saturates.
fn saturated<T: TestElement>(r: f64) -> f64 {
    let [least, most] = T::range();
    r.clamp(least, most)
}

/// The same of a number that is stored as one: neither NaN nor infinite before or after.
fn finite<T: TestElement>(r: f64) -> Option<f64> {
    (r.is_finite() && T::from_f64(r).to_f64().is_finite()).then(|| saturated::<T>(r))
}
