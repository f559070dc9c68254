//! A product of factors of its own, whose sum a body takes beside those of the other products.

use gemm_codegen::Axis;

use super::{HostMatrix, elements, for_each_row};
use crate::element::Element;
use crate::error::Error;
use crate::memory::BatchCounts;
use crate::shape::Shape;
use crate::value::Sum;

/// Another product, of factors of its own, whose sum a body takes too.
#[derive(Clone, Copy, Debug)]
pub struct HostTerm<'a, A, B> {
    /// Its first factor.
    pub a: HostMatrix<'a, A>,
    /// Its second factor.
    pub b: HostMatrix<'a, B>,
    /// Its extents: M and N are those of the other products.
    pub shape: Shape,
}

/// What is multiplied: products of one first factor, and a term beside them.
#[derive(Clone, Copy, Debug)]
pub struct HostProducts<'a, 'b, A, B> {
    /// The first factor of all products.
    pub a: HostMatrix<'a, A>,
    /// The second factor of each.
    pub b: &'b [HostMatrix<'a, B>],
    /// The product of other factors, if there is one.
    pub term: Option<HostTerm<'a, A, B>>,
}

/// The shape of a term that is added to products of this shape: of its factors along M and along N, the lengths of
/// all their matrices, and how many of these there are.
pub fn shape_of_term(shape: Shape, [a, b]: [(usize, usize); 2]) -> Shape {
    let k = [(a, shape.m), (b, shape.n)]
        .into_iter()
        .find_map(|((length, matrices), lines)| length.checked_div(matrices * lines));
    Shape { k: k.unwrap_or(0), ..shape }
}

/// The columns that operands have: each by the length of all its matrices or vectors, how many of these there are, and
/// how many elements these have for a column. None where no operand says it.
pub fn columns(operands: &[(usize, usize, usize)]) -> usize {
    let of = |(length, matrices, each): &(usize, usize, usize)| length.checked_div(matrices * each);
    operands.iter().find_map(of).unwrap_or(0)
}

/// How many matrices an operand has that has these indices of a batch.
pub fn parts(batch: impl BatchCounts, has: &[bool]) -> usize {
    let counts = batch.counts().iter().zip(has).filter(|(_, has)| **has);
    counts.map(|(count, _)| *count).fold(1, usize::saturating_mul)
}

/// As [`reference`](super::reference), of these products: the sum of a term follows those of the others.
///
/// # Errors
/// [`Error::SizeOverflow`] if the number of elements of the output overflows.
pub fn reference_of<S, A: Element, B: Element, R: Default + Clone + Send>(
    shape: Shape,
    HostProducts { a, b, term }: HostProducts<'_, '_, A, B>,
    output: [Axis; 2],
    body: impl Fn(&[S], usize, usize) -> R + Sync,
) -> Result<Vec<R>, Error>
where
    S: Sum<A::Value> + Sum<B::Value>,
{
    let (elements, columns) = (elements(output, shape)?, shape.extent(output[1]));
    let a = a.packed(Axis::M, shape);
    let b: Vec<_> = b.iter().map(|b| b.packed(Axis::N, shape)).collect();
    let products = b.iter().map(|b| (&a, b, shape.k));
    let term = term.map(|HostTerm { a, b, shape }| {
        (a.packed(Axis::M, shape), b.packed(Axis::N, shape), shape.k)
    });
    let products: Vec<_> = products.chain(term.iter().map(|(a, b, k)| (a, b, *k))).collect();

    let mut result = vec![R::default(); elements];
    for_each_row(&mut result, columns, &|row, values| {
        let mut accumulators = vec![S::default(); products.len()];
        for (column, value) in values.iter_mut().enumerate() {
            let [m, n] = if output[0] == Axis::N { [column, row] } else { [row, column] };
            for (accumulator, (a, b, k)) in accumulators.iter_mut().zip(&products) {
                *accumulator = S::dot(&a[m * k..][..*k], &b[n * k..][..*k]);
            }
            *value = body(&accumulators, m, n);
        }
    });
    Ok(result)
}
