//! What a body makes of the errors that it computes with.

use gemm_codegen::Accumulator;
use gemm_codegen::body::{Reduction, Value};
use gemm_runtime::Value as Summed;
use gemm_runtime::{Element, Error};

use super::Host;
use super::output::to_f64;
use super::read::Read;

/// What a sum over a line is off by in each term, over the term: it is added up in f32, in parts.
const ADDED_UP: f64 = 4.0 * f32::EPSILON as f64;

/// The value of an output for an element, and how far its errors carry it.
type Carried = (f64, f64);

impl Host<'_> {
    /// How far each element of each output moves, to first order, if every sum is off by `of_sums` of the root
    /// mean square of all, and every step of the body is rounded otherwise, each in the direction that adds up.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`] for an output of too many elements.
    pub(super) fn carried(&self, of_sums: f64) -> Result<Vec<Vec<f64>>, Error> {
        match self.plan.segments() {
            [] => self.own_carried(of_sums),
            segments => {
                let of = segments.iter().map(|one| self.of_segment(one).own_carried(of_sums));
                Ok(of.collect::<Result<Vec<_>, _>>()?.concat())
            }
        }
    }

    /// The same of one product, or of several that lie next to each other.
    fn own_carried(&self, of_sums: f64) -> Result<Vec<Vec<f64>>, Error> {
        let elements = match self.plan.mma().accumulator {
            Accumulator::F32 | Accumulator::F16 => {
                self.moves(of_sums, |sum: f32, by| Value::F32((f64::from(sum) + by) as f32))
            }
            Accumulator::F64 => self.moves(of_sums, |sum: f64, by| Value::F64(sum + by)),
            Accumulator::I32 => self.moves(0.0, |sum: i32, _| Value::I32(sum)),
        }?;
        let stores = self.problem.stores().iter().zip(self.problem.reductions());
        let results = stores.enumerate().map(|(output, (store, reduction))| {
            let of = |element: usize| elements[element][output];
            match (reduction, store.reduced_along()) {
                (Some(by), Some(along)) => {
                    self.lines(along).map(|line| reduced(*by, line.map(of))).collect()
                }
                _ => (0..elements.len()).map(|element| of(element).1).collect(),
            }
        });
        Ok(results.collect())
    }

    /// The values of the body for each element, and how far they move. `value` is a sum that is off by so much.
    fn moves<S: Element<Value = S> + Summed>(
        &self,
        of_sums: f64,
        value: impl Fn(S, f64) -> Value + Sync,
    ) -> Result<Vec<Vec<Carried>>, Error> {
        let sums = self.result_at::<S, f64, Vec<f64>>(&[], false, &|sums, _, _| {
            sums.iter().map(|sum| to_f64(value(*sum, 0.0))).collect()
        })?;
        let of_product = |product: usize| of_sums * root_mean_square(&sums, product);
        let errors: Vec<f64> = (0..sums.first().map_or(0, Vec::len)).map(of_product).collect();
        let read = self.inputs();
        let takes_old = self.plan.reads_output();
        self.result_at::<S, f64, Vec<Carried>>(&read, takes_old, &|sums, values, at| {
            let exact: Vec<Value> = sums.iter().map(|sum| value(*sum, 0.0)).collect();
            let read = Read::new(self.problem, &exact, (&read, values), at);
            let usual = self.problem.evaluate(&read);
            let mut carried: Vec<Carried> = usual.iter().map(|x| (to_f64(*x), 0.0)).collect();
            for step in 0..read.steps() {
                let moved = |direction| self.problem.evaluate(&read.moved(step, direction));
                add_moves(&mut carried, &[moved(1.0), moved(-1.0)]);
            }
            for (product, error) in errors.iter().enumerate() {
                let moved = |direction| {
                    let mut sums_off = exact.clone();
                    sums_off[product] = value(sums[product], direction * error);
                    self.problem.evaluate(&read.of_sums(&sums_off))
                };
                add_moves(&mut carried, &[moved(1.0), moved(-1.0)]);
            }
            carried
        })
    }
}

/// The root mean square of the finite sums of a product.
fn root_mean_square(sums: &[Vec<f64>], product: usize) -> f64 {
    let finite = || sums.iter().map(|sums| sums[product]).filter(|sum| sum.is_finite());
    let squares: f64 = finite().map(|sum| sum * sum).sum();
    (squares / finite().count().max(1) as f64).sqrt()
}

/// Adds how far the values have moved in one of two directions, the farther one. A move to or from what is not
/// a number does not count: there the output has to be what the reference is.
fn add_moves(carried: &mut [Carried], moved: &[Vec<Value>; 2]) {
    for (output, (usual, sum)) in carried.iter_mut().enumerate() {
        let moves = moved.iter().map(|values| (to_f64(values[output]) - *usual).abs());
        *sum += moves.filter(|by| by.is_finite()).fold(0.0, f64::max);
    }
}

/// How far what a line is reduced to moves.
fn reduced(by: Reduction, line: impl Iterator<Item = Carried>) -> f64 {
    match by {
        Reduction::Sum => line
            .map(|(value, moves)| moves + ADDED_UP * value.abs())
            .filter(|by| by.is_finite())
            .sum(),
        _ => line.map(|(_, moves)| moves).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_line_add_up_in_its_sum_alone() {
        let line = || [(1.0, 0.5), (-8.0, 0.25), (f64::INFINITY, 0.0)].into_iter();
        assert_eq!(reduced(Reduction::Sum, line().take(2)), 0.75 + 9.0 * ADDED_UP);
        assert_eq!(reduced(Reduction::Sum, line()), 0.75 + 9.0 * ADDED_UP, "nothing of infinity");
        assert_eq!(reduced(Reduction::Max, line()), 0.5);
    }

    #[test]
    fn the_farther_one_of_two_moves_counts() {
        let mut carried = [(1.0, 0.0), (0.0, 0.5)];
        let infinite = Value::F32(f32::INFINITY);
        add_moves(
            &mut carried,
            &[vec![Value::F32(1.25), infinite], vec![Value::F32(0.0), Value::F64(0.25)]],
        );
        assert_eq!(carried, [(1.0, 1.0), (0.0, 0.75)]);
        assert_eq!(root_mean_square(&[vec![3.0], vec![f64::NAN], vec![-3.0]], 0), 3.0);
    }
}
