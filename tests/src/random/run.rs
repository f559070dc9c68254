//! Runs a legal spec: random operands at a random shape and alignment, every element judged.

use fastrand::Rng;
use gemm_codegen::{Accumulator, Axis, Contraction, Factors, Kernel, ParameterKind, Plan, Side};
use gemm_runtime::reference::{HostMatrix, HostVector, reference};
use gemm_runtime::{Device, Element, Error, Shape, SplitK, launch};

use super::draw::{Drawn, SCALE, Twin};
use super::operand::{Operand, random};
use super::written::{Values, Written, written};
use crate::cases::deep_enough;
use crate::data::{Alignment, unit};
use crate::judge::{Sums, Verdict};
use crate::{Failure, Problem};

/// The most multiplications of one launch, padding included: what the emulator does in a second.
const WORK: usize = 16 << 20;

/// A shape of up to a few blocks, each extent an odd multiple of a [`unit()`]. Now and then k is 0, or
/// as little as the splits need, or m or n is 1.
pub fn shape(rng: &mut Rng, block_tile: [u32; 3], split_k: Option<SplitK>) -> Shape {
    let blocks = block_tile.map(|extent| extent as usize);
    let unit = unit(rng);
    let mut odd =
        |axis: usize, most: usize| ((rng.usize(0..=blocks[axis] * most) / unit) | 1) * unit;
    // Deep enough that every stage of a ring is filled again.
    let mut shape = [odd(0, 2), odd(1, 2), odd(2, 8)];
    match rng.usize(0..12) {
        0 => shape[2] = 0,
        1 => shape[0] = 1,
        2 => shape[1] = 1,
        3 => shape = [blocks[0] * 2, blocks[1], blocks[2] * 7],
        _ => {}
    }
    let padded = |shape: [usize; 3]| -> usize {
        shape.iter().zip(blocks).map(|(extent, block)| extent.next_multiple_of(block)).product()
    };
    while padded(shape) > WORK {
        let Some(axis) = (0..3).find(|axis| shape[*axis] > blocks[*axis]) else { break };
        shape[axis] -= blocks[axis];
    }
    let [m, n, k] = shape;
    Shape { m, n, k: deep_enough(k, split_k, blocks[2]) }
}

/// Launches the kernel of a plan once on fresh data.
///
/// # Errors
/// What is wrong with the launch or with the output.
pub fn run(
    device: &Device,
    drawn: &Drawn,
    (plan, kernel): (&Plan, &Kernel),
    (shape, alignment, seed): (Shape, Alignment, u64),
) -> Result<Verdict, Failure> {
    let batch = Rng::with_seed(seed).usize(1..4);
    let problem = &mut Problem::new(device, shape, alignment, seed).of_batch(batch);
    problem.sums_in(Sums::of(&plan.table()));
    let (device, contraction) = (problem.device(), plan.contraction());
    let batched = drawn.spec.operands.iter().map(|operand| operand.batch.is_some());
    let operands = contraction.operands.iter().zip(batched);
    let operands = operands.map(|(kind, batched)| random(problem, *kind, batched));
    let operands = operands.collect::<Result<Vec<Box<dyn Operand>>, Error>>()?;
    let has_old = drawn.spec.outputs[0].in_place.is_some();
    let outputs = contraction.outputs.iter();
    let outputs = outputs.map(|kind| written(problem, *kind, plan.batch().is_some(), has_old));
    let mut outputs = outputs.collect::<Result<Vec<Box<dyn Written>>, Error>>()?;
    let old = outputs[0].elements();
    let mut arguments =
        operands.iter().map(|operand| operand.argument()).collect::<Result<Vec<_>, _>>()?;
    for output in &mut outputs {
        arguments.push(output.argument()?);
    }
    launch::into(device, kernel, arguments)?;

    let elements: Vec<Vec<f64>> = operands.iter().map(|operand| operand.elements()).collect();
    let batch = plan.batch().map(|_| problem.batch());
    let (shape, factors) = (problem.shape(), plan.factors());
    let host = Host { drawn, contraction, factors, elements, old, shape, batch };
    let values = host.values(plan.mma().accumulator)?;
    let pairs = outputs.iter().zip(&drawn.derived);
    let verdicts = pairs.map(|(output, derived)| output.judge(problem, &values.derived(*derived)));
    Ok(Verdict::worst(verdicts.collect::<Result<Vec<_>, _>>()?))
}

/// The problem on the host.
struct Host<'a> {
    drawn: &'a Drawn,
    contraction: &'a Contraction,
    /// How its factors are rounded.
    factors: Factors,
    /// The elements of each operand.
    elements: Vec<Vec<f64>>,
    /// Those of the output before the launch, if it has any.
    old: Vec<f64>,
    shape: Shape,
    /// How many matrices the output has, if it is a batch.
    batch: Option<usize>,
}

impl Host<'_> {
    /// The values of the body, which the outputs are derived from.
    fn values(&self, sums: Accumulator) -> Result<Values, Error> {
        Ok(match (&self.drawn.twin, sums) {
            (Twin::Float(f), Accumulator::F32 | Accumulator::F16) => {
                Values::Float(self.result::<f32, f32, _>(f)?)
            }
            (Twin::Float(f), Accumulator::I32) => {
                let scaled = |acc: i32, values: &[f32]| f(acc as f32 * SCALE, values);
                Values::Float(self.result::<i32, f32, _>(scaled)?)
            }
            (Twin::Float(f), Accumulator::F64) => {
                let cast = |acc: f64, values: &[f32]| f(acc as f32, values);
                Values::Float(self.result::<f64, f32, _>(cast)?)
            }
            (Twin::Double(f), Accumulator::F64) => Values::Double(self.result::<f64, f64, _>(f)?),
            (Twin::Double(f), Accumulator::F32 | Accumulator::F16) => {
                let cast = |acc: f32, values: &[f64]| f(acc.into(), values);
                Values::Double(self.result::<f32, f64, _>(cast)?)
            }
            (Twin::Double(f), Accumulator::I32) => {
                let scaled =
                    |acc: i32, values: &[f64]| f(f64::from(acc) * f64::from(SCALE), values);
                Values::Double(self.result::<i32, f64, _>(scaled)?)
            }
            (Twin::Integer(f), _) => Values::Integer(self.result::<i32, i32, _>(f)?),
        })
    }

    /// The output's elements before they are stored: sums in `S`, all other operands in `V`.
    fn result<S: Element<Value = S>, V: Element<Value = V>, R: Default + Clone + Send>(
        &self,
        body: impl Fn(S, &[V]) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        let matrices = 0..self.batch.unwrap_or(1);
        let matrices = matrices.map(|number| self.matrix_of_result(number, &body));
        Ok(matrices.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Those of the matrix of this number.
    fn matrix_of_result<S: Element<Value = S>, V: Element<Value = V>, R: Default + Clone + Send>(
        &self,
        number: usize,
        body: &(impl Fn(S, &[V]) -> R + Sync),
    ) -> Result<Vec<R>, Error> {
        let values = self.drawn.values.iter();
        let values: Vec<Vec<V>> =
            values.map(|operand| self.elements_of::<V>(*operand, number)).collect();
        let old = self.part(&self.old, self.batch.is_some(), number);
        let old: Vec<V> = old.iter().map(|value| V::from_f64(*value)).collect();
        let readers = self.drawn.values.iter().zip(&values);
        let readers = readers.map(|(operand, values)| self.reader(*operand, values));
        let mut readers = readers.collect::<Result<Vec<Reader<'_, V>>, Error>>()?;
        if self.drawn.takes_old {
            let axes = axes(self.contraction.outputs[0]);
            let old = HostMatrix::new("the output", &old, axes, self.shape)?;
            readers.push(Box::new(move |m, n| old.at(m, n)));
        }
        let factors = Side::BOTH.map(|side| self.contraction.operand(side));
        let [a, b] = factors.map(|operand| self.elements_of::<S>(operand, number));
        let factor = |operand, elements| {
            Ok::<_, Error>(self.matrix(operand, elements)?.with_factors(self.factors))
        };
        let (a, b) = (factor(factors[0], &a)?, factor(factors[1], &b)?);
        reference(self.shape, a, b, axes(self.contraction.outputs[0]), |accumulator, m, n| {
            let values: Vec<V> = readers.iter().map(|value| value(m, n)).collect();
            body(accumulator, &values)
        })
    }

    /// The elements of an operand, or of a batch those of one number, in a type that holds them.
    fn elements_of<T: Element>(&self, operand: usize, number: usize) -> Vec<T> {
        let batched = self.drawn.spec.operands[operand].batch.is_some();
        let elements = self.part(&self.elements[operand], batched, number);
        elements.iter().map(|value| T::from_f64(*value)).collect()
    }

    /// The elements of a batch that are those of this number; else all of them.
    fn part<'a>(&self, elements: &'a [f64], batched: bool, number: usize) -> &'a [f64] {
        match self.batch.filter(|_| batched) {
            Some(batch) => &elements[elements.len() / batch * number..][..elements.len() / batch],
            None => elements,
        }
    }

    fn matrix<'a, T: Element>(
        &self,
        operand: usize,
        elements: &'a [T],
    ) -> Result<HostMatrix<'a, T>, Error> {
        let axes = axes(self.contraction.operands[operand]);
        HostMatrix::new("a matrix", elements, axes, self.shape)
    }

    /// What the body reads of an operand.
    fn reader<'a, V: Element<Value = V>>(
        &self,
        operand: usize,
        elements: &'a [V],
    ) -> Result<Reader<'a, V>, Error> {
        Ok(match self.contraction.operands[operand] {
            ParameterKind::Matrix { .. } => {
                let matrix = self.matrix(operand, elements)?;
                Box::new(move |m, n| matrix.at(m, n))
            }
            ParameterKind::Vector { length, .. } => {
                let vector = HostVector::new("a vector", elements, length, self.shape)?;
                Box::new(move |m, n| vector.at(m, n))
            }
            ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
                Box::new(move |_, _| elements[0])
            }
        })
    }
}

/// The axes of a matrix.
pub(super) fn axes(kind: ParameterKind) -> [Axis; 2] {
    match kind {
        ParameterKind::Matrix { rows, columns, .. } => [rows, columns],
        _ => unreachable!("what is multiplied or stored is a matrix in every plan"),
    }
}

/// What the body reads for the output's element (m, n).
type Reader<'a, V> = Box<dyn Fn(usize, usize) -> V + Sync + 'a>;
