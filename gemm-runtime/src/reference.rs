//! The host implementation of every annotated function's `reference`.
//!
//! Factors are rounded as the kernel rounds them ([`HostMatrix::with_factors`]). The product is as
//! exact as the accumulator's type can hold: floats are summed in f64 and rounded once, integers
//! modulo 2³². The body is applied in its own types, and nothing is rounded to the output's element
//! type.

mod reduced;
mod term;
mod tiles;

use gemm_codegen::packing::{PackedOrder, PackedPlace};
use gemm_codegen::{Axis, Factors};
#[cfg(feature = "emulator")]
use rayon::prelude::*;

use crate::element::Element;
use crate::error::{BatchError, Error};
use crate::memory::{Batch, BatchCounts, check_host_length};
use crate::shape::Shape;
use crate::value::Sum;

pub use reduced::{Reducible, matrices, reduced};
pub use term::{HostProducts, HostTerm, columns, parts, reference_of, shape_of_term};
pub use tiles::{HostScales, HostTiles};

/// A matrix on the host, row-major and dense.
#[derive(Clone, Copy, Debug)]
pub struct HostMatrix<'a, T> {
    data: &'a [T],
    /// Elements from one index of M, N and K to the next; 0 along the one it lacks.
    strides: [usize; 3],
    /// How its elements are rounded as factors.
    factors: Factors,
    /// What is applied to them, if they are scaled.
    scales: Option<HostScales<'a>>,
}

impl<'a, T: Element> HostMatrix<'a, T> {
    /// The operand `name`, whose rows and columns run along `axes`.
    ///
    /// # Errors
    /// [`Error::HostLength`] if the length of `data` is not that of `shape`, [`Error::SizeOverflow`]
    /// if that length overflows.
    pub fn new(
        name: &str,
        data: &'a [T],
        axes: [Axis; 2],
        shape: Shape,
    ) -> Result<HostMatrix<'a, T>, Error> {
        let stored = stored::<T>(shape, axes[0]);
        let extents = axes.map(|axis| stored.extent(axis));
        check_host_length(name, elements(axes, stored)?, &extents, data.len())?;
        let mut strides = [0; 3];
        strides[axes[0] as usize] = stored.extent(axes[1]);
        strides[axes[1] as usize] = 1;
        Ok(HostMatrix { data, strides, factors: Factors::Exact, scales: None })
    }

    /// The same, with elements rounded like this as factors; by default they are not rounded.
    pub fn with_factors(self, factors: Factors) -> HostMatrix<'a, T> {
        HostMatrix { factors, ..self }
    }

    /// The same, with elements to which scales are applied, and offsets.
    pub fn scaled_by(self, scales: HostScales<'a>) -> HostMatrix<'a, T> {
        HostMatrix { scales: Some(scales), ..self }
    }

    /// The matrices of the operand `name`, one after the other, along those indices of a batch that it
    /// `has`.
    ///
    /// # Errors
    /// As [`new`](Self::new), for all their elements.
    pub fn batched(
        name: &str,
        data: &'a [T],
        batch: (impl BatchCounts, &[bool]),
        axes: [Axis; 2],
        shape: Shape,
    ) -> Result<HostBatch<HostMatrix<'a, T>>, Error> {
        let matrix = |data| HostMatrix::new(name, data, axes, shape);
        HostBatch::new(name, data, batch, elements(axes, stored::<T>(shape, axes[0]))?, matrix)
    }

    /// The element that a body reads for the output element (m, n).
    pub fn at(&self, m: usize, n: usize) -> T::Value {
        self.data[m * self.strides[0] + n * self.strides[1]].to_value()
    }

    /// The elements as factors, K contiguous for each index of `axis`.
    fn packed<S: Sum<T::Value>>(&self, axis: Axis, shape: Shape) -> Vec<S> {
        let (stride, step) = (self.strides[axis as usize], self.strides[Axis::K as usize]);
        let numbers = T::ELEMENT.numbers() as usize;
        let order = PackedOrder::of(T::ELEMENT);
        let mut packed = vec![S::default(); shape.extent(axis) * shape.k];
        for_each_row(&mut packed, shape.k, &|i, row| {
            for (k, value) in row.iter_mut().enumerate() {
                let (line, column, at) = match order {
                    None => (i, k / numbers, k % numbers),
                    Some(order) => {
                        let PackedPlace { row, column, number } = order.place(i, k);
                        (row, column, number)
                    }
                };
                let element = self.data[line * stride + column * step];
                let factor = S::of_factor(element.number(at, self.factors));
                let scaled = |of: HostScales<'_>| factor.scaled(|x| of.apply(x, axis, [i, k]));
                *value = self.scales.map_or(factor, scaled);
            }
        });
        packed
    }
}

/// Fills the rows of a matrix, with the feature `emulator` on all cores.
///
/// `fill` is not generic: every annotated function has its own, and would have its own copy of rayon
/// compiled.
fn for_each_row<T: Send>(
    elements: &mut [T],
    columns: usize,
    fill: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let columns = columns.max(1);
    #[cfg(feature = "emulator")]
    let rows = elements.par_chunks_mut(columns);
    #[cfg(not(feature = "emulator"))]
    let rows = elements.chunks_mut(columns);
    rows.enumerate().for_each(|(row, values)| fill(row, values));
}

/// The matrices or vectors of an operand along some indices of a batch.
#[derive(Debug)]
pub struct HostBatch<P> {
    parts: Vec<P>,
    /// The distances in parts: 0 along an index that the operand lacks.
    batch: Batch,
}

impl<P: Copy> HostBatch<P> {
    /// Parts of `length` elements.
    fn new<'a, T>(
        name: &str,
        data: &'a [T],
        (batch, has): (impl BatchCounts, &[bool]),
        length: usize,
        part: impl Fn(&'a [T]) -> Result<P, Error>,
    ) -> Result<HostBatch<P>, Error> {
        let indices = batch.counts().iter().copied().zip(has.iter().copied());
        let batch = Batch::following(indices.clone(), 1);
        let own: Vec<usize> = indices.filter(|(_, has)| *has).map(|(count, _)| count).collect();
        let count = total(&own)?;
        let overflow = || BatchError::SizeOverflow { batch: count, stride: length };
        let expected = count.checked_mul(length).ok_or_else(overflow)?;
        check_host_length(name, expected, &[count, length], data.len())?;
        let parts = (0..count).map(|number| part(&data[number * length..][..length]));
        Ok(HostBatch { parts: parts.collect::<Result<_, _>>()?, batch })
    }

    /// The one for the output's matrix of a number.
    pub fn at(&self, number: usize) -> P {
        self.parts[self.batch.offset(number)]
    }
}

/// How many matrices a batch of these counts has.
fn total(counts: &[usize]) -> Result<usize, Error> {
    let overflow = || BatchError::SizeOverflow { batch: usize::MAX, stride: 0 };
    Ok(Batch::dense(counts, 1).checked_total().ok_or_else(overflow)?)
}

/// A vector on the host.
#[derive(Clone, Copy, Debug)]
pub struct HostVector<'a, T> {
    data: &'a [T],
    axis: Axis,
}

impl<'a, T: Element> HostVector<'a, T> {
    /// The operand `name`, which runs along `axis`.
    ///
    /// # Errors
    /// [`Error::HostLength`] if the length of `data` is not that of `shape`.
    pub fn new(
        name: &str,
        data: &'a [T],
        axis: Axis,
        shape: Shape,
    ) -> Result<HostVector<'a, T>, Error> {
        let extent = shape.extent(axis);
        check_host_length(name, extent, &[extent], data.len())?;
        Ok(HostVector { data, axis })
    }

    /// The vectors of the operand `name`, one after the other, along those indices of a batch that it
    /// `has`.
    ///
    /// # Errors
    /// As [`new`](Self::new), for all their elements.
    pub fn batched(
        name: &str,
        data: &'a [T],
        batch: (impl BatchCounts, &[bool]),
        axis: Axis,
        shape: Shape,
    ) -> Result<HostBatch<HostVector<'a, T>>, Error> {
        let vector = |data| HostVector::new(name, data, axis, shape);
        HostBatch::new(name, data, batch, shape.extent(axis), vector)
    }

    /// The element that a body reads for the output element (m, n).
    pub fn at(&self, m: usize, n: usize) -> T::Value {
        self.data[if self.axis == Axis::N { n } else { m }].to_value()
    }
}

/// The extents of a shape in elements of this type, of a factor with lines along an axis: several numbers along K may be
/// one, of packed ones those of several lines.
fn stored<T: Element>(Shape { m, n, k }: Shape, lines: Axis) -> Shape {
    let element = T::ELEMENT;
    let of = |extent: usize, axis| match axis == lines {
        true => extent.div_ceil(element.lines() as usize),
        false => extent,
    };
    let in_turn = element.in_turn() as usize;
    let k = k.div_ceil(element.numbers() as usize * in_turn) * in_turn;
    Shape { m: of(m, Axis::M), n: of(n, Axis::N), k }
}

/// Elements of a matrix whose rows and columns run along `axes`.
fn elements(axes: [Axis; 2], shape: Shape) -> Result<usize, Error> {
    let [rows, columns] = axes.map(|axis| shape.extent(axis));
    rows.checked_mul(columns).ok_or(Error::SizeOverflow { rows, pitch: columns })
}

/// `body([Σ_k a(m, k) · b(k, n), ..], m, n)` for every m and n, with a sum for each of the second factors
/// `b`, row by row in the order of `output` (`[M, N]`, or `[N, M]` for a transposed output).
///
/// [`Value::dot`](crate::value::Value::dot) defines the sum.
///
/// # Errors
/// [`Error::SizeOverflow`] if the number of elements of the output overflows.
pub fn reference<'a, S, A: Element, B: Element, R: Default + Clone + Send>(
    shape: Shape,
    a: HostMatrix<'a, A>,
    b: &[HostMatrix<'a, B>],
    output: [Axis; 2],
    body: impl Fn(&[S], usize, usize) -> R + Sync,
) -> Result<Vec<R>, Error>
where
    S: Sum<A::Value> + Sum<B::Value>,
{
    reference_of(shape, HostProducts { a, b, term: None }, output, body)
}

/// An index of an element as a body has it. Those of every launch are in range.
pub fn coordinate(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// What a `reference` computes; its errors have the name of its function, as those of a launch.
///
/// # Errors
/// The result of `compute`.
pub fn of_function<R>(
    function: &str,
    compute: impl FnOnce() -> Result<R, Error>,
) -> Result<R, Error> {
    compute().map_err(|error| error.of_function(function))
}

/// The `reference` of each matrix of a batch of these counts, those of the innermost index first.
///
/// # Errors
/// The error of the first matrix that has one; [`BatchError::SizeOverflow`] if there are too many.
pub fn batched<R>(
    batch: impl BatchCounts,
    mut matrix: impl FnMut(usize) -> Result<Vec<R>, Error>,
) -> Result<Vec<R>, Error> {
    let mut all = Vec::new();
    for number in 0..total(batch.counts())? {
        all.append(&mut matrix(number)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
