//! [`Host`]: a problem on the host, and what its outputs should be.

use gemm_codegen::body::Value;
use gemm_codegen::{
    Accumulator, Axis, Batching, Factor, ParameterKind, Plan, Problem, Segment, Side,
};
use gemm_runtime::Value as Summed;
use gemm_runtime::reference::{HostMatrix, HostProducts, HostVector, reference_of};
use gemm_runtime::{Element, Error, Shape};

use super::read::Read;
use super::{Values, axes};
use crate::problem::columns_in_turn;

/// The problem of a plan on the host.
pub struct Host<'a> {
    pub(super) plan: &'a Plan,
    /// What is computed: by the plan, or by one of its products in turn.
    pub(super) problem: &'a Problem,
    /// That product in turn, if it is one.
    segment: Option<&'a Segment>,
    /// The elements of each operand, or the numbers of elements that have several; exact.
    pub(super) elements: Vec<Vec<f64>>,
    /// Those of the output before the launch, if it has any.
    old: Vec<f64>,
    pub(super) shape: Shape,
    /// The values of each batch index of the output, the outermost first.
    batches: Vec<usize>,
}

impl<'a> Host<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        elements: Vec<Vec<f64>>,
        old: Vec<f64>,
        shape: Shape,
        batches: Vec<usize>,
    ) -> Host<'a> {
        Host { plan, problem: plan.problem(), segment: None, elements, old, shape, batches }
    }

    /// That of one of several products in turn.
    pub(super) fn of_segment<'s>(&'s self, segment: &'s Segment) -> Host<'s> {
        let elements = segment.operands().iter().map(|number| self.elements[*number].clone());
        Host {
            plan: self.plan,
            problem: segment.problem(),
            segment: Some(segment),
            elements: elements.collect(),
            old: Vec::new(),
            shape: Shape { n: columns_in_turn(self.shape, segment.columns()), ..self.shape },
            batches: self.batches.clone(),
        }
    }
}

impl Host<'_> {
    /// What is stored to each output, by the body of the plan: the sums are rounded once, and the
    /// body is computed in its own types.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`] for an output of too many elements.
    pub fn values(&self) -> Result<Vec<Values>, Error> {
        match self.plan.segments() {
            [] => self.own_values(),
            segments => {
                let of = segments.iter().map(|segment| self.of_segment(segment).own_values());
                Ok(of.collect::<Result<Vec<_>, _>>()?.concat())
            }
        }
    }

    /// The same problem of each of several products in turn alone, whose operands are numbered as it has them.
    pub fn segments(&self) -> Vec<Host<'_>> {
        self.plan.segments().iter().map(|segment| self.of_segment(segment)).collect()
    }

    /// The same of one product, or of several that lie next to each other.
    fn own_values(&self) -> Result<Vec<Values>, Error> {
        let elements = match self.plan.mma().accumulator {
            Accumulator::F32 | Accumulator::F16 => self.evaluated::<f32>(Value::F32),
            Accumulator::F64 => self.evaluated::<f64>(Value::F64),
            Accumulator::I32 => self.evaluated::<i32>(Value::I32),
        }?;
        let stores = self.problem.stores().iter().zip(self.problem.reductions());
        let results = self.problem.results().zip(stores).enumerate();
        Ok(results
            .map(|(output, (ty, (store, reduction)))| {
                let value = |element: usize| elements[element][output];
                match (reduction, store.reduced_along()) {
                    (Some(by), Some(along)) => {
                        let lines = self.lines(along);
                        Values::of(ty, lines.map(|line| by.of(ty, line.map(value))))
                    }
                    _ => Values::of(ty, (0..elements.len()).map(value)),
                }
            })
            .collect())
    }

    /// The numbers of the elements of the output that have an index in common, for each value of it and each
    /// matrix of a batch.
    pub fn lines(&self, along: Axis) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let [rows, columns] = self.problem.order().map(|axis| self.shape.extent(axis));
        let of_rows = self.problem.order()[0] == along;
        let (lines, others) = if of_rows { (rows, columns) } else { (columns, rows) };
        let matrices = self.batches.iter().product::<usize>();
        (0..matrices * lines).map(move |number| {
            let (matrix, line) = (number / lines, number % lines);
            (0..others).map(move |other| {
                let [row, column] = if of_rows { [line, other] } else { [other, line] };
                (matrix * rows + row) * columns + column
            })
        })
    }

    /// The number of the matrix that has the element of this number of the output.
    pub fn matrix_of(&self, element: usize) -> usize {
        let extents = self.problem.order().map(|axis| self.shape.extent(axis));
        element / extents.iter().product::<usize>()
    }

    /// The operands that the body reads, and those of the scale of a term.
    pub(super) fn inputs(&self) -> Vec<usize> {
        match self.segment {
            None => self.plan.inputs(),
            Some(segment) => segment.problem().values().to_vec(),
        }
    }

    /// The values of the body for each element of the output.
    fn evaluated<S: Element<Value = S> + Summed>(
        &self,
        value: fn(S) -> Value,
    ) -> Result<Vec<Vec<Value>>, Error> {
        let read = self.inputs();
        let takes_old = self.plan.reads_output();
        self.result_at::<S, f64, Vec<Value>>(&read, takes_old, &|sums, values, at| {
            let sums: Vec<Value> = sums.iter().map(|sum| value(*sum)).collect();
            self.problem.evaluate(&Read::new(self.problem, &sums, (&read, values), at))
        })
    }

    /// `body` of each element of the output: of the sum of each product and of a term in `S`, and of the elements of the operands
    /// `read`, and of the old one if it `takes_old`, in `V`.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`] for an output of too many elements.
    pub fn result<
        S: Element<Value = S> + Summed,
        V: Element<Value = V>,
        R: Default + Clone + Send,
    >(
        &self,
        read: &[usize],
        takes_old: bool,
        body: impl Fn(&[S], &[V]) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        self.result_at(read, takes_old, &|sums: &[S], values: &[V], _| body(sums, values))
    }

    /// The same of a body that takes the row, the column and the matrix of the element too.
    pub(super) fn result_at<
        S: Element<Value = S> + Summed,
        V: Element<Value = V>,
        R: Default + Clone + Send,
    >(
        &self,
        read: &[usize],
        takes_old: bool,
        body: &(impl Fn(&[S], &[V], [usize; 3]) -> R + Sync),
    ) -> Result<Vec<R>, Error> {
        let matrices = 0..self.batches.iter().product::<usize>();
        let matrices = matrices.map(|number| self.matrix_of_result(number, read, takes_old, body));
        Ok(matrices.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Those of the matrix of this number.
    fn matrix_of_result<
        S: Element<Value = S> + Summed,
        V: Element<Value = V>,
        R: Default + Clone + Send,
    >(
        &self,
        number: usize,
        read: &[usize],
        takes_old: bool,
        body: &(impl Fn(&[S], &[V], [usize; 3]) -> R + Sync),
    ) -> Result<Vec<R>, Error> {
        let problem = self.problem;
        let values: Vec<Vec<V>> =
            read.iter().map(|operand| self.elements_of::<V>(*operand, number)).collect();
        let old = self.part(&self.old, &self.plan.output_batching(), number);
        let old: Vec<V> = old.iter().map(|value| V::from_f64(*value)).collect();
        let readers = read.iter().zip(&values);
        let readers = readers.map(|(operand, values)| self.reader(*operand, values));
        let mut readers = readers.collect::<Result<Vec<Reader<'_, V>>, Error>>()?;
        let output = problem.order();
        if takes_old {
            let old = HostMatrix::new("the output", &old, output, self.shape)?;
            readers.push(Box::new(move |m, n| old.at(m, n)));
        }
        let elements = |factor: &Factor| self.elements_of::<S>(factor.operand, number);
        let (of_a, of_b) = (problem.factor(Side::A), problem.factors(Side::B));
        let applied_a = self.applied(of_a)?;
        let applied_b = of_b.iter().map(|of| self.applied(of)).collect::<Result<Vec<_>, _>>()?;
        let (a, b) = (elements(of_a), of_b.iter().map(elements).collect::<Vec<_>>());
        let a = self.factor(of_a, &a, applied_a.as_ref())?;
        let b = of_b.iter().zip(&b).zip(&applied_b);
        let b = b.map(|((of, elements), applied)| self.factor(of, elements, applied.as_ref()));
        let b = b.collect::<Result<Vec<_>, _>>()?;
        let term = problem.added().map(|added| added.factors.map(|of| elements(&of)));
        let term = problem.added().zip(term.as_ref());
        let term = term.map(|(added, of)| self.term(added, of)).transpose()?;
        reference_of(self.shape, HostProducts { a, b: &b, term }, output, |sums, m, n| {
            let values: Vec<V> = readers.iter().map(|value| value(m, n)).collect();
            let [row, column] = if output[0] == Axis::N { [n, m] } else { [m, n] };
            body(sums, &values, [row, column, number])
        })
    }

    /// The elements of an operand, or of a batch those of one number, in a type that holds them.
    pub(super) fn elements_of<T: Element>(&self, operand: usize, number: usize) -> Vec<T> {
        let declared = self.segment.map_or(operand, |segment| segment.operands()[operand]);
        let along = self.plan.batching(declared);
        let elements = self.part(&self.elements[operand], &along, number);
        match self.problem.operands()[operand] {
            kind @ ParameterKind::Matrix { element, .. } if element.is_several() => {
                self.used(element, axes(kind)[0], elements).map(T::from_f64).collect()
            }
            _ => elements.iter().map(|value| T::from_f64(*value)).collect(),
        }
    }

    /// The elements of a batch for the output's matrix of this number; else all of them.
    fn part<'a>(&self, elements: &'a [f64], along: &Batching, number: usize) -> &'a [f64] {
        // The number among its own matrices, and how many there are, of the indices from the innermost on.
        let (mut rest, mut own, mut count) = (number, 0, 1);
        for (values, has) in self.batches.iter().zip(along.0.iter()).rev() {
            if *has {
                own += rest % values * count;
                count *= values;
            }
            rest /= values;
        }
        &elements[elements.len() / count * own..][..elements.len() / count]
    }

    pub(super) fn matrix<'a, T: Element>(
        &self,
        operand: usize,
        elements: &'a [T],
    ) -> Result<HostMatrix<'a, T>, Error> {
        let axes = axes(self.problem.operands()[operand]);
        HostMatrix::new("a matrix", elements, axes, self.shape)
    }

    /// What the body reads of an operand.
    fn reader<'a, V: Element<Value = V>>(
        &self,
        operand: usize,
        elements: &'a [V],
    ) -> Result<Reader<'a, V>, Error> {
        Ok(match self.problem.operands()[operand] {
            ParameterKind::Matrix { .. } => {
                let matrix = self.matrix(operand, elements)?;
                Box::new(move |m, n| matrix.at(m, n))
            }
            ParameterKind::Vector { length, .. } => {
                let vector = HostVector::new("a vector", elements, length, self.shape)?;
                Box::new(move |m, n| vector.at(m, n))
            }
            // No body reads the scales of a factor.
            ParameterKind::Tiled { .. }
            | ParameterKind::DeviceScalar(_)
            | ParameterKind::Scalar(_) => Box::new(move |_, _| elements[0]),
        })
    }
}

/// What the body reads for the output's element (m, n).
type Reader<'a, V> = Box<dyn Fn(usize, usize) -> V + Sync + 'a>;
