//! Runs a legal spec: random operands at a random shape and alignment, every element judged.

use std::ops::{Add, Mul, Sub};

use fastrand::Rng;
use gemm_check::dynamic::{self, Host, Values};
use gemm_codegen::{Accumulator, Kernel, Plan};
use gemm_runtime::{Device, Error, Shape};

use super::draw::{Derived, Drawn, SCALE, Stored, Twin};
use crate::data::{Alignment, unit};
use crate::judge::Verdict;
use crate::{Failure, Problem};

/// The most multiplications of one launch, padding included: what the emulator does in a second.
const WORK: usize = 16 << 20;

/// A shape of up to a few blocks, each extent an odd multiple of a [`unit()`], whatever the
/// splits. Now and then k is 0, or m or n is 1.
pub fn shape(rng: &mut Rng, block_tile: [u32; 3]) -> Shape {
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
    Shape { m, n, k }
}

/// Launches the kernel of a plan once on fresh data.
///
/// # Errors
/// What is wrong with the launch or with the output.
pub fn run(
    device: &Device,
    (drawn, stored): (&Drawn, &[Stored]),
    (plan, kernel): (&Plan, &Kernel),
    (shape, alignment, seed): (Shape, Alignment, u64),
) -> Result<Verdict, Failure> {
    let batch = Rng::with_seed(seed).usize(1..4);
    let problem = &mut Problem::new(device, shape, alignment, seed).of_batch(batch);
    on(problem, (drawn, stored), (plan, kernel))
}

/// Launches the kernel of a plan once on a problem, and judges its outputs by the function that was drawn with it.
///
/// # Errors
/// What is wrong with the launch or with an output.
pub fn on(
    problem: &mut Problem<'_>,
    (drawn, stored): (&Drawn, &[Stored]),
    (plan, kernel): (&Plan, &Kernel),
) -> Result<Verdict, Failure> {
    let sums = plan.mma().accumulator;
    dynamic::run(problem, plan, kernel, &|host| {
        let values = values(host, drawn, &drawn.values, sums)?;
        Ok(stored.iter().map(|output| expected(host, &values, *output)).collect())
    })
}

/// The same of a plan of several products in turn, each computed as the function that was drawn, with an output as its
/// only one. A product has the operands of the function, by their numbers in `slots`.
///
/// # Errors
/// What is wrong with the launch or with an output.
pub fn in_turn(
    problem: &mut Problem<'_>,
    (drawn, slots): (&Drawn, &[usize]),
    (plan, kernel): (&Plan, &Kernel),
) -> Result<Verdict, Failure> {
    let (sums, stored) = (plan.mma().accumulator, Stored::of(drawn));
    dynamic::run(problem, plan, kernel, &|host| {
        let product = |host: &Host<'_>| {
            let values = values(host, drawn, slots, sums)?;
            Ok(expected(host, &values, stored[0]))
        };
        host.segments().iter().map(product).collect()
    })
}

/// The values of the body, which the outputs are derived from, by the function that was drawn with
/// it: of the operands `read`.
fn values(
    host: &Host<'_>,
    drawn: &Drawn,
    read: &[usize],
    sums: Accumulator,
) -> Result<Values, Error> {
    let values = of_twin(host, drawn, read, sums)?;
    Ok(if drawn.alternates { alternating(host, &values) } else { values })
}

/// The same before signs alternate.
fn of_twin(
    host: &Host<'_>,
    drawn: &Drawn,
    read: &[usize],
    sums: Accumulator,
) -> Result<Values, Error> {
    let Drawn { takes_old, weight, .. } = drawn;
    let (old, weight) = (*takes_old, *weight);
    Ok(match (&drawn.twin, sums) {
        (Twin::Float(f), Accumulator::F32 | Accumulator::F16) => {
            Values::Float(
                host.result(read, old, |acc: &[f32], values| f(sum_of(acc, weight), values))?,
            )
        }
        (Twin::Float(f), Accumulator::I32) => {
            let scaled = |acc: &[i32], values: &[f32]| {
                f(wrapping_sum_of(acc, weight) as f32 * SCALE, values)
            };
            Values::Float(host.result(read, old, scaled)?)
        }
        (Twin::Float(f), Accumulator::F64) => {
            let cast = |acc: &[f64], values: &[f32]| f(sum_of(acc, weight) as f32, values);
            Values::Float(host.result(read, old, cast)?)
        }
        (Twin::Double(f), Accumulator::F64) => {
            Values::Double(
                host.result(read, old, |acc: &[f64], values| f(sum_of(acc, weight), values))?,
            )
        }
        (Twin::Double(f), Accumulator::F32 | Accumulator::F16) => {
            let cast = |acc: &[f32], values: &[f64]| f(sum_of(acc, weight).into(), values);
            Values::Double(host.result(read, old, cast)?)
        }
        (Twin::Double(f), Accumulator::I32) => {
            let scaled = |acc: &[i32], values: &[f64]| {
                f(f64::from(wrapping_sum_of(acc, weight)) * f64::from(SCALE), values)
            };
            Values::Double(host.result(read, old, scaled)?)
        }
        (Twin::Integer(f), _) => {
            let twin = |acc: &[i32], values: &[i32]| f(wrapping_sum_of(acc, weight), values);
            Values::Integer(host.result(read, old, twin)?)
        }
    })
}

/// The values with the other sign in matrices of odd numbers.
fn alternating(host: &Host<'_>, values: &Values) -> Values {
    fn of<T: Copy>(host: &Host<'_>, values: &[T], negated: fn(T) -> T) -> Vec<T> {
        let is_even = |number: usize| host.matrix_of(number).is_multiple_of(2);
        let signed = |(number, value): (usize, &T)| match is_even(number) {
            true => *value,
            false => negated(*value),
        };
        values.iter().enumerate().map(signed).collect()
    }
    match values {
        Values::Float(values) => Values::Float(of(host, values, |y| -y)),
        Values::Double(values) => Values::Double(of(host, values, |y| -y)),
        Values::Integer(values) => Values::Integer(of(host, values, i32::wrapping_neg)),
    }
}

/// The first sum less all others, as a body of several products takes them, or with that of a term of this weight.
fn sum_of<T>(sums: &[T], weight: Option<i8>) -> T
where
    T: Copy + From<i8> + Add<Output = T> + Mul<Output = T> + Sub<Output = T>,
{
    match (weight, sums) {
        (Some(weight), [product, term]) => *product + T::from(weight) * *term,
        _ => sums[1..].iter().fold(sums[0], |rest, sum| rest - *sum),
    }
}

/// The same of integers.
fn wrapping_sum_of(sums: &[i32], weight: Option<i8>) -> i32 {
    match (weight, sums) {
        (Some(weight), [product, term]) => {
            product.wrapping_add(term.wrapping_mul(i32::from(weight)))
        }
        _ => sums[1..].iter().fold(sums[0], |rest, sum| rest.wrapping_sub(*sum)),
    }
}

/// What is stored to an output.
fn expected(host: &Host<'_>, values: &Values, output: Stored) -> Values {
    let values = derived(values, output.derived);
    let Some((by, along)) = output.reduced else { return values };
    let lines = host.lines(along);
    match values {
        Values::Float(values) => {
            let floats = lines.map(|line| by.of_floats(line.map(|at| values[at].into())) as f32);
            Values::Float(floats.collect())
        }
        Values::Double(values) => {
            Values::Double(lines.map(|line| by.of_floats(line.map(|at| values[at]))).collect())
        }
        Values::Integer(values) => {
            Values::Integer(lines.map(|line| by.of_integers(line.map(|at| values[at]))).collect())
        }
    }
}

/// What an output is of them. An f64 that was made of an f32 is as exact as that.
fn derived(values: &Values, derived: Derived) -> Values {
    match values {
        Values::Float(values) => Values::Float(match derived {
            Derived::Same | Derived::Cast => values.clone(),
            Derived::Negated => values.iter().map(|y| -y).collect(),
            Derived::Positive => values.iter().map(|y| y.max(0.0)).collect(),
        }),
        Values::Double(values) => match derived {
            Derived::Same => Values::Double(values.clone()),
            Derived::Negated => Values::Double(values.iter().map(|y| -y).collect()),
            Derived::Positive => Values::Double(values.iter().map(|y| y.max(0.0)).collect()),
            Derived::Cast => Values::Float(values.iter().map(|y| *y as f32).collect()),
        },
        Values::Integer(values) => match derived {
            Derived::Same => Values::Integer(values.clone()),
            Derived::Negated => Values::Integer(values.iter().map(|y| y.wrapping_neg()).collect()),
            Derived::Positive => Values::Integer(values.iter().map(|y| *y.max(&0)).collect()),
            Derived::Cast => Values::Float(values.iter().map(|y| *y as f32 * SCALE).collect()),
        },
    }
}
