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
    /// What all elements of an output should be, where that is one value: another kernel may pass, too.
    pub constant: Option<f64>,
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
            let constant = a.constant.or(b.constant);
            Verdict { not_finite, constant, ..if b.share() > a.share() { b } else { a } }
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
    judge_carried(got, expected, columns, &Bound { k, of_sums, carried: &[] })
}

/// What an output may be off by, but for its own types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound<'a> {
    /// How many products each element sums up.
    pub(crate) k: usize,
    /// Their [`tolerance`](super::tolerance()).
    pub(crate) of_sums: f64,
    /// What the body makes of the errors that it computes with, for each element; empty if not known.
    pub(crate) carried: &'a [f64],
}

/// The same as [`judge`] within another bound.
///
/// # Errors
/// As [`judge`].
pub(crate) fn judge_carried<T: TestElement, R: Expected>(
    got: &[T],
    expected: &[R],
    columns: usize,
    bound: &Bound<'_>,
) -> Result<Verdict, Failure> {
    assert_eq!(got.len(), expected.len(), "output and reference have different sizes");
    let numbers: Vec<f64> = got.iter().map(|y| y.to_f64()).collect();
    let expected: Vec<f64> = expected.iter().map(|r| r.to_f64()).collect();
    let is_poison = |at: usize| got[at].is_poison();
    let limits = Limits::new(Types::of::<T, R>(), &expected, bound);
    let verdict = compare(&limits, &numbers, &is_poison, &expected, columns)?;
    Ok(Verdict { constant: constant(&expected), ..verdict })
}

/// The value that all of several elements have.
fn constant(expected: &[f64]) -> Option<f64> {
    let (first, others) = expected.split_first()?;
    let is_same = |r: &f64| r == first || r.is_nan() && first.is_nan();
    (!others.is_empty() && others.iter().all(is_same)).then_some(*first)
}

/// The same of numbers. Not generic: the compiler would take half a minute for the pairs of types.
fn compare(
    limits: &Limits<'_>,
    got: &[f64],
    is_poison: &(dyn Fn(usize) -> bool + Sync),
    expected: &[f64],
    columns: usize,
) -> Result<Verdict, Failure> {
    let pairs = got.par_iter().zip(expected).enumerate();
    let squares = pairs.map(|(at, (&y, &r))| {
        let difference = limits.difference(at, y, r, &|| is_poison(at));
        difference.map(|difference| (difference / limits.scale).powi(2)).map_err(|limit| {
            let (row, column) = (at / columns, at % columns);
            match is_poison(at) {
                true => Failure::NotWritten { row, column },
                false => {
                    let expected = limits.types.saturated(r);
                    Failure::Element { row, column, got: y, expected, limit }
                }
            }
        })
    });
    let error = squares.try_reduce(|| 0.0, |a, b| Ok(a + b))?.sqrt();
    limits.verdict(error)
}

/// The element type of an output and the type of the body's value, as numbers.
#[derive(Clone, Copy)]
struct Types {
    exact: bool,
    tolerance: f64,
    largest: f64,
    unit_roundoff: f64,
    half_smallest: f64,
    range: [f64; 2],
    /// A number as an element has it.
    stored: fn(f64) -> f64,
}

impl Types {
    fn of<T: TestElement, R: Expected>() -> Types {
        Types {
            exact: R::EXACT,
            tolerance: R::TOLERANCE,
            largest: R::LARGEST,
            unit_roundoff: T::unit_roundoff(),
            half_smallest: T::half_smallest(),
            range: T::range(),
            stored: |number| T::from_f64(number).to_f64(),
        }
    }

    /// The value to which an element saturates.
    fn saturated(&self, r: f64) -> f64 {
        let [least, most] = self.range;
        r.clamp(least, most)
    }

    /// The same of a number that is stored as one: neither NaN nor infinite before or after.
    fn finite(&self, r: f64) -> Option<f64> {
        (r.is_finite() && (self.stored)(r).is_finite()).then(|| self.saturated(r))
    }
}

/// What the elements of an output may be off by.
struct Limits<'a> {
    types: Types,
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
    /// What the body makes of the errors that it computes with, for each element; empty if not known.
    carried: &'a [f64],
    /// The norm of `carried` over `scale`, where elements are finite.
    carried_norm: f64,
}

/// How many half units of an element a result may be off by: a function in its shorter form, which results
/// of 16 and 8 bits have, turns a rounding now and then (docs/support.md: at most 0.63 units, of `gelu`).
const TURNED: f64 = 1.26;

/// How many times what the body makes of the usual errors an element may be off by: the largest of its errors
/// is above the usual one.
const CARRIED: f64 = 2.0;

impl<'a> Limits<'a> {
    fn new(types: Types, expected: &[f64], bound: &Bound<'a>) -> Limits<'a> {
        let Bound { k, of_sums, carried } = *bound;
        // What is computed without rounding is exact whatever the body does.
        let carried = if types.exact { &[] } else { carried };
        let rounds = if types.exact { 0.0 } else { 1.0 };
        let tolerance = rounds * of_sums.max(types.tolerance) * (k.max(1) as f64).sqrt();
        let (roundoff, half_smallest) =
            (rounds * types.unit_roundoff, rounds * types.half_smallest);
        let finite = || expected.par_iter().filter_map(|r| types.finite(*r));
        let (largest, count) = finite()
            .map(|r| (r.abs(), 1))
            .reduce(|| (0.0, 0), |a, b| (f64::max(a.0, b.0), a.1 + b.1));
        let scale = if largest == 0.0 { 1.0 } else { largest };
        let norm = finite().map(|r| (r / scale).powi(2)).sum::<f64>().sqrt();
        let root_mean_square = norm / (count.max(1) as f64).sqrt() * scale;
        let slack = 8.0 * tolerance * root_mean_square + half_smallest;
        let elements = expected.len();
        let finite_carried =
            carried.iter().zip(expected).filter(|(_, r)| types.finite(**r).is_some());
        let carried_norm = finite_carried.map(|(c, _)| (c / scale).powi(2)).sum::<f64>().sqrt();
        Limits {
            types,
            carried,
            carried_norm,
            scale,
            norm,
            finite: count,
            elements,
            tolerance,
            roundoff,
            half_smallest,
            slack,
        }
    }

    /// How far an element is off: 0 where that is infinite and it is right all the same.
    ///
    /// # Errors
    /// What it may be off by, if it is wrong.
    fn difference(
        &self,
        at: usize,
        y: f64,
        r: f64,
        is_poison: &dyn Fn() -> bool,
    ) -> Result<f64, f64> {
        let types = &self.types;
        if !r.is_finite() {
            let stored = (types.stored)(r);
            // Values that the body may have rounded to infinity, or just not.
            let largest = types.largest * (1.0 - self.tolerance - self.roundoff);
            let is_large = r.is_infinite() && y.abs() >= largest && y.signum() == r.signum();
            // The poison is a NaN, which is wrong also where one is right.
            let is_right = y == stored || y.is_nan() && stored.is_nan() && !is_poison() || is_large;
            return if is_right { Ok(0.0) } else { Err(0.0) };
        }
        let expected = types.saturated(r);
        let difference = (y - expected).abs();
        let carried = self.carried.get(at).map_or(0.0, |carried| CARRIED * carried);
        let slack = self.slack.max(carried + self.half_smallest);
        let limit = TURNED * self.roundoff * expected.abs() + slack;
        // Beyond the largest number of an element, where that rounds to infinity.
        let overflows = || y == (types.stored)(expected + slack.copysign(expected));
        match difference {
            // Not `>`: a NaN is wrong where a number is right.
            d if d <= limit => Ok(if types.finite(r).is_some() { d } else { 0.0 }),
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
        let carried = if norm == 0.0 { 0.0 } else { self.carried_norm / norm };
        let limit = tolerance.max(carried) + roundoff + absolute;
        match relative_error > limit {
            true => Err(Failure::Norm { relative_error, limit }),
            false => {
                Ok(Verdict { relative_error, limit, not_finite: elements - finite, constant: None })
            }
        }
    }
}
