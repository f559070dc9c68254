//! [`Values`] and [`Offsets`]: what weights are made of.

use std::fmt;

use gemm_runtime::{i4x2, u4x2};

/// The integers of [`Weights`](super::Weights): N rows along K.
#[derive(Clone, PartialEq)]
pub enum Values {
    /// `n · k` integers from -128 to 127: a `Mat<i8, N, K>`.
    I8(Vec<i8>),
    /// `n · k.div_ceil(2)` pairs of integers from -8 to 7: a `Mat<i4x2, N, K>`.
    I4(Vec<i4x2>),
    /// `n · k.div_ceil(2)` pairs of integers from 0 to 15: a `Mat<u4x2, N, K>`.
    U4(Vec<u4x2>),
}

impl Values {
    /// Numbers from -8 to 7, in rows of `k`, as pairs. The pair at the end of a row of odd `k` has a 0.
    pub(super) fn i4(k: usize, numbers: &[i8]) -> Values {
        Values::I4(pairs(k, numbers, i4x2::new))
    }

    /// The same of numbers from 0 to 15.
    pub(super) fn u4(k: usize, numbers: &[u8]) -> Values {
        Values::U4(pairs(k, numbers, u4x2::new))
    }

    /// How many elements a matrix of them has.
    pub(super) fn len(&self) -> usize {
        match self {
            Values::I8(values) => values.len(),
            Values::I4(values) => values.len(),
            Values::U4(values) => values.len(),
        }
    }

    /// How many integers an element has.
    pub(super) fn numbers(&self) -> usize {
        match self {
            Values::I8(_) => 1,
            Values::I4(_) | Values::U4(_) => 2,
        }
    }

    /// The integer at `column` of a row that begins with the element `start`.
    pub(super) fn number(&self, start: usize, column: usize) -> i16 {
        let (pair, half) = (start + column / 2, column % 2);
        match self {
            Values::I8(values) => values[start + column].into(),
            Values::I4(values) => values[pair].numbers()[half].into(),
            Values::U4(values) => values[pair].numbers()[half].into(),
        }
    }
}

impl fmt::Debug for Values {
    /// The type alone: a weight has millions of elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Values::I8(_) => "I8(..)",
            Values::I4(_) => "I4(..)",
            Values::U4(_) => "U4(..)",
        })
    }
}

fn pairs<T: Copy + Default, P>(k: usize, numbers: &[T], pair: fn(T, T) -> P) -> Vec<P> {
    let rows = numbers.chunks(k.max(1));
    let of_row = |row: &[T]| match *row {
        [low, high] => pair(low, high),
        [low] => pair(low, T::default()),
        _ => pair(T::default(), T::default()),
    };
    rows.flat_map(|row| row.chunks(2).map(of_row)).collect()
}

/// What an integer of [`Weights`](super::Weights) has besides its scale: one for each group, stored as the scales are.
#[derive(Clone, PartialEq)]
pub enum Offsets {
    /// Nothing: a weight is `q · scale`.
    None,
    /// An integer that is subtracted from `q`: a weight is `(q - zero) · scale`.
    Zeros(Vec<u8>),
    /// A number that is added to the product: a weight is `q · scale + added`.
    Added(Vec<f32>),
}

impl Offsets {
    /// The number of offsets, where there are any.
    pub(super) fn len(&self) -> Option<usize> {
        match self {
            Offsets::None => None,
            Offsets::Zeros(zeros) => Some(zeros.len()),
            Offsets::Added(added) => Some(added.len()),
        }
    }
}

impl fmt::Debug for Offsets {
    /// The form alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Offsets::None => "None",
            Offsets::Zeros(_) => "Zeros(..)",
            Offsets::Added(_) => "Added(..)",
        })
    }
}
