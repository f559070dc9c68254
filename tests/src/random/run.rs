//! Runs a legal spec: random operands at a random shape and alignment, every element judged.

use fastrand::Rng;
use gemm_codegen::{Axis, Contraction, Element, ParameterKind, Plan, ScalarType, Side, emit};
use gemm_runtime::reference::{HostMatrix, HostVector, reference};
use gemm_runtime::{
    Argument, AsMatrix as _, AsMatrixMut as _, AsVector as _, Device, Error, KernelSource, Shape,
    bf16, f16, launch,
};

use super::draw::Drawn;
use crate::data::Alignment;
use crate::judge::{TestElement, Verdict};
use crate::operand::{GuardedMatrix, GuardedVector, Scalar};
use crate::{Failure, Problem};

/// The most multiplications of one launch, padding included: what the emulator does in a second.
const WORK: usize = 16 << 20;

/// A shape of up to a few blocks, odd more often than not. Now and then k is 0, or m or n is 1.
pub fn shape(rng: &mut Rng, block_tile: [u32; 3]) -> Shape {
    let blocks = block_tile.map(|extent| extent as usize);
    let mut odd = |axis: usize, most: usize| rng.usize(0..=blocks[axis] * most) | 1;
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
    Shape { m, n, k }
}

/// Launches the kernel of a plan once on fresh data.
///
/// # Errors
/// What is wrong with the launch or with the output.
pub fn run(
    device: &Device,
    drawn: &Drawn,
    plan: &Plan,
    (shape, alignment, seed): (Shape, Alignment, u64),
) -> Result<Verdict, Failure> {
    let problem = &mut Problem::new(device, shape, alignment, seed);
    match plan.contraction().out_element() {
        Element::F16 => run_with_output::<f16>(problem, drawn, plan),
        Element::Bf16 => run_with_output::<bf16>(problem, drawn, plan),
        Element::F32 => run_with_output::<f32>(problem, drawn, plan),
    }
}

fn run_with_output<T: TestElement>(
    problem: &mut Problem<'_>,
    drawn: &Drawn,
    plan: &Plan,
) -> Result<Verdict, Failure> {
    let (device, contraction) = (problem.device(), plan.contraction());
    let operands = contraction.operands.iter().map(|kind| random(problem, *kind));
    let operands = operands.collect::<Result<Vec<Box<dyn Operand>>, Error>>()?;
    let [rows, columns] = axes(contraction.output);
    let mut output = problem.output::<T>(rows, columns)?;
    let mut arguments =
        operands.iter().map(|operand| operand.argument()).collect::<Result<Vec<_>, _>>()?;
    arguments.push(output.device_mut()?.argument());
    launch::into(device, &KernelSource::from(&emit(plan)), arguments)?;

    let elements: Vec<Vec<f32>> = operands.iter().map(|operand| operand.elements()).collect();
    let expected = expected(drawn, contraction, &elements, problem.shape())?;
    problem.judge(&output, &expected)
}

/// The output's elements by the host, before they are rounded to its type.
fn expected(
    drawn: &Drawn,
    contraction: &Contraction,
    elements: &[Vec<f32>],
    shape: Shape,
) -> Result<Vec<f32>, Error> {
    let matrix = |operand: usize| {
        let axes = axes(contraction.operands[operand]);
        HostMatrix::new("a matrix", &elements[operand], axes, shape)
    };
    let read = |operand: &usize| -> Result<Reader<'_>, Error> {
        Ok(match contraction.operands[*operand] {
            ParameterKind::Matrix { .. } => {
                let matrix = matrix(*operand)?;
                Box::new(move |m, n| matrix.at(m, n))
            }
            ParameterKind::Vector { length, .. } => {
                let vector = HostVector::new("a vector", &elements[*operand], length, shape)?;
                Box::new(move |m, n| vector.at(m, n))
            }
            ParameterKind::Scalar(_) => {
                let value = elements[*operand][0];
                Box::new(move |_, _| value)
            }
        })
    };
    let readers = drawn.values.iter().map(read).collect::<Result<Vec<Reader<'_>>, Error>>()?;
    let [a, b] = Side::BOTH.map(|side| matrix(contraction.operand(side)));
    reference(shape, a?, b?, axes(contraction.output), |accumulator, m, n| {
        let values: Vec<f32> = readers.iter().map(|value| value(m, n)).collect();
        (drawn.twin)(accumulator, &values)
    })
}

/// The axes of a matrix.
fn axes(kind: ParameterKind) -> [Axis; 2] {
    match kind {
        ParameterKind::Matrix { rows, columns, .. } => [rows, columns],
        _ => unreachable!("what is multiplied or stored is a matrix in every plan"),
    }
}

/// What the body reads for the output's element (m, n).
type Reader<'a> = Box<dyn Fn(usize, usize) -> f32 + Sync + 'a>;

/// An operand whose type is known at run time only.
trait Operand {
    /// What a launch takes.
    fn argument(&self) -> Result<Argument<'_>, Error>;

    /// Its elements, row by row, or the value of a scalar; exact.
    fn elements(&self) -> Vec<f32>;
}

impl<T: TestElement> Operand for GuardedMatrix<T> {
    fn argument(&self) -> Result<Argument<'_>, Error> {
        Ok(self.device()?.argument())
    }

    fn elements(&self) -> Vec<f32> {
        self.host().iter().map(|element| element.to_f32()).collect()
    }
}

impl<T: TestElement> Operand for GuardedVector<T> {
    fn argument(&self) -> Result<Argument<'_>, Error> {
        Ok(self.device()?.argument())
    }

    fn elements(&self) -> Vec<f32> {
        self.host().iter().map(|element| element.to_f32()).collect()
    }
}

impl Operand for Scalar<f32> {
    fn argument(&self) -> Result<Argument<'_>, Error> {
        Ok(Argument::from(self.0))
    }

    fn elements(&self) -> Vec<f32> {
        vec![self.0]
    }
}

impl Operand for Scalar<i32> {
    fn argument(&self) -> Result<Argument<'_>, Error> {
        Ok(Argument::from(self.0))
    }

    fn elements(&self) -> Vec<f32> {
        vec![self.0 as f32]
    }
}

/// A random operand.
fn random(problem: &mut Problem<'_>, kind: ParameterKind) -> Result<Box<dyn Operand>, Error> {
    Ok(match kind {
        ParameterKind::Matrix { element: Element::F16, rows, columns } => {
            Box::new(problem.matrix::<f16>(rows, columns)?)
        }
        ParameterKind::Matrix { element: Element::Bf16, rows, columns } => {
            Box::new(problem.matrix::<bf16>(rows, columns)?)
        }
        ParameterKind::Matrix { element: Element::F32, rows, columns } => {
            Box::new(problem.matrix::<f32>(rows, columns)?)
        }
        ParameterKind::Vector { element: Element::F16, length } => {
            Box::new(problem.vector::<f16>(length)?)
        }
        ParameterKind::Vector { element: Element::Bf16, length } => {
            Box::new(problem.vector::<bf16>(length)?)
        }
        ParameterKind::Vector { element: Element::F32, length } => {
            Box::new(problem.vector::<f32>(length)?)
        }
        ParameterKind::Scalar(ScalarType::I32) => Box::new(Scalar(-3i32)),
        ParameterKind::Scalar(_) => Box::new(problem.scalar()),
    })
}
