//! The errors of sums that a kernel stores as they are.

mod body;

use gemm_codegen::{Axis, Element, Factors, Side};
use gemm_runtime::Shape;
use rayon::prelude::*;

use super::{Host, axes};
use crate::exactness::Exactness;

impl Host<'_> {
    /// How exact the sums of f32 factors are that tensor cores multiply, from the elements of each output, row
    /// by row. `None` for a kernel that multiplies factors as they are, and where no output in f32 is just a
    /// sum whose products are not all 0.
    pub(super) fn exactness(&self, outputs: &[Vec<f64>]) -> Option<Exactness> {
        let plan = self.plan;
        if plan.factors() == Factors::Exact || !plan.segments().is_empty() {
            return None;
        }
        let stored = body::sums(&plan.spec().body).into_iter().zip(plan.problem().stores());
        let errors = stored.zip(outputs).filter_map(|((factors, store), elements)| {
            let is_matrix = store.reduced_along().is_none();
            let is_single = is_matrix && store.element() == Element::F32;
            let second = self.second_factor(factors.filter(|_| is_single)?)?;
            self.errors(second, axes(store.kind()), elements)
        });
        let errors = errors.reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])?;
        Exactness::new(plan, self.shape.k, errors)
    }

    /// The factor on B of a product of the factors with these names.
    fn second_factor(&self, names: [&str; 2]) -> Option<usize> {
        let problem = self.plan.problem();
        let is_named = |operand: usize| names.contains(&&*self.plan.spec().operands[operand].name);
        let second = problem.factors(Side::B).iter().map(|factor| factor.operand);
        second.into_iter().find(|operand| is_named(*operand))
    }

    /// The largest errors of the elements of an output and of fused multiply-adds, each over the sum of the
    /// products' magnitudes; `None` where these are 0 or there are no elements.
    fn errors(&self, second: usize, output: [Axis; 2], elements: &[f64]) -> Option<[f64; 2]> {
        let Shape { m, n, .. } = self.shape;
        let first = self.plan.problem().factor(Side::A).operand;
        let matrices = elements.chunks((m * n).max(1)).enumerate();
        let errors = matrices.filter_map(|(number, elements)| {
            let a = self.along_k(first, Axis::M, number);
            let b = self.along_k(second, Axis::N, number);
            largest_errors(self.shape, [&a, &b], output, elements)
        });
        errors.reduce(worse)
    }

    /// A factor of the output's matrix of this number, K contiguous for each index of `axis`.
    fn along_k(&self, operand: usize, axis: Axis, number: usize) -> Vec<f32> {
        let elements = self.elements_of::<f32>(operand, number);
        let [rows, _] = axes(self.plan.problem().operands()[operand]);
        if rows == axis {
            return elements;
        }
        let extent = self.shape.extent(axis);
        let column = |at: usize| elements.iter().skip(at).step_by(extent).copied();
        (0..extent).flat_map(column).collect()
    }
}

/// The larger one of each error.
fn worse(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0].max(other[0]), one[1].max(other[1])]
}

/// The largest errors of a matrix, as [`Host::errors`] has them.
fn largest_errors(
    Shape { m, n, k }: Shape,
    [a, b]: [&[f32]; 2],
    output: [Axis; 2],
    elements: &[f64],
) -> Option<[f64; 2]> {
    let stride = if output[0] == Axis::M { [n, 1] } else { [1, m] };
    let of_row = |row: usize| {
        let a = &a[row * k..][..k];
        let errors = (0..n).filter_map(|column| {
            let got = elements[row * stride[0] + column * stride[1]];
            errors_of_sum(a, &b[column * k..][..k], got)
        });
        errors.reduce(worse)
    };
    (0..m).into_par_iter().filter_map(of_row).reduce_with(worse)
}

/// The errors of an element and of fused multiply-adds in the order of k; `None` where all products are 0.
fn errors_of_sum(a: &[f32], b: &[f32], got: f64) -> Option<[f64; 2]> {
    let (mut sum, mut size, mut fused) = (0.0, 0.0, 0.0f32);
    for (a, b) in a.iter().zip(b) {
        let product = f64::from(*a) * f64::from(*b);
        sum += product;
        size += product.abs();
        fused = a.mul_add(*b, fused);
    }
    (size > 0.0).then(|| [got, f64::from(fused)].map(|y| (y - sum).abs() / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 × 3 sums of K = 2, row by row.
    const FACTORS: [&[f32]; 2] = [&[1.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 0.0, 1.0, -1.0, 1.0]];
    const SHAPE: Shape = Shape { m: 2, n: 3, k: 2 };

    #[test]
    fn errors_are_those_of_the_worst_element_in_either_order() {
        let rows = [1.0, 2.0, 1.0, 3.0, 4.0, 1.0];
        let columns = [1.0, 3.0, 2.0, 4.0, 1.0, 1.0];
        for (order, mut elements) in [([Axis::M, Axis::N], rows), ([Axis::N, Axis::M], columns)] {
            let errors = |elements: &[f64]| largest_errors(SHAPE, FACTORS, order, elements);
            assert_eq!(errors(&elements), Some([0.0, 0.0]));
            // -3 + 4, of products of magnitude 7.
            elements[5] += 0.5;
            assert_eq!(errors(&elements), Some([0.5 / 7.0, 0.0]));
        }
    }

    #[test]
    fn f32_sums_are_rounded_in_the_order_of_k() {
        let small = f32::EPSILON / 2.0;
        let [first, last] = [[1.0, small, small], [small, small, 1.0]];
        let error = |a: &[f32]| errors_of_sum(a, &[1.0; 3], 1.0 + f64::from(f32::EPSILON));
        assert!(error(&first).is_some_and(|[kernel, fused]| kernel == 0.0 && fused > 1e-7));
        assert_eq!(error(&last), Some([0.0, 0.0]));
        assert_eq!(errors_of_sum(&[0.0; 3], &[1.0; 3], 0.0), None);
    }
}
