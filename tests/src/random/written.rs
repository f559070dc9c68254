//! The outputs of a random spec: their elements are known at run time only.

use gemm_codegen::{Element as ElementType, ParameterKind};
use gemm_runtime::{Argument, AsBatchedMut as _, AsMatrixMut as _, Error, bf16, e4m3, e5m2, f16};

use super::draw::{Derived, SCALE};
use super::run::axes;
use crate::judge::{TestElement, Verdict};
use crate::operand::GuardedMatrix;
use crate::{Failure, Problem};

/// What a body's values should be, in their own type.
pub(super) enum Values {
    Float(Vec<f32>),
    Double(Vec<f64>),
    Integer(Vec<i32>),
}

impl Values {
    /// What an output is of them. An f64 that was made of an f32 is as exact as that.
    pub(super) fn derived(&self, derived: Derived) -> Values {
        match self {
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
                Derived::Negated => {
                    Values::Integer(values.iter().map(|y| y.wrapping_neg()).collect())
                }
                Derived::Positive => Values::Integer(values.iter().map(|y| *y.max(&0)).collect()),
                Derived::Cast => Values::Float(values.iter().map(|y| *y as f32 * SCALE).collect()),
            },
        }
    }
}

/// An output in its guard.
pub(super) trait Written {
    /// What a launch writes.
    fn argument(&mut self) -> Result<Argument<'_>, Error>;

    /// Its elements before the launch, row by row, if it has any; exact.
    fn elements(&self) -> Vec<f64>;

    /// Compares it with what it should be.
    fn judge(&self, problem: &Problem<'_>, expected: &Values) -> Result<Verdict, Failure>;
}

struct Guarded<T: TestElement> {
    matrices: GuardedMatrix<T>,
    batched: bool,
}

impl<T: TestElement> Written for Guarded<T> {
    fn argument(&mut self) -> Result<Argument<'_>, Error> {
        Ok(match self.batched {
            false => self.matrices.device_mut()?.argument(),
            true => self.matrices.batch_mut()?.argument(),
        })
    }

    fn elements(&self) -> Vec<f64> {
        self.matrices.host().iter().map(|element| element.to_f64()).collect()
    }

    fn judge(&self, problem: &Problem<'_>, expected: &Values) -> Result<Verdict, Failure> {
        match expected {
            Values::Float(values) => problem.judge(&self.matrices, values),
            Values::Double(values) => problem.judge(&self.matrices, values),
            Values::Integer(values) => problem.judge(&self.matrices, values),
        }
    }
}

/// An output, or a batch of them, with old elements or without.
pub(super) fn written(
    problem: &mut Problem<'_>,
    kind: ParameterKind,
    batched: bool,
    has_old: bool,
) -> Result<Box<dyn Written>, Error> {
    let of = (kind, batched, has_old);
    match kind.element().unwrap_or(ElementType::F32) {
        ElementType::F16 => guarded::<f16>(problem, of),
        ElementType::Bf16 => guarded::<bf16>(problem, of),
        ElementType::F32 => guarded::<f32>(problem, of),
        ElementType::F64 => guarded::<f64>(problem, of),
        ElementType::I8 => guarded::<i8>(problem, of),
        ElementType::U8 => guarded::<u8>(problem, of),
        ElementType::I32 => guarded::<i32>(problem, of),
        ElementType::E4m3 => guarded::<e4m3>(problem, of),
        ElementType::E5m2 => guarded::<e5m2>(problem, of),
    }
}

fn guarded<T: TestElement>(
    problem: &mut Problem<'_>,
    (kind, batched, has_old): (ParameterKind, bool, bool),
) -> Result<Box<dyn Written>, Error> {
    let [rows, columns] = axes(kind);
    let matrices = match (has_old, batched) {
        (true, false) => problem.matrix::<T>(rows, columns)?,
        (true, true) => problem.batch_of_matrices::<T>(rows, columns)?.0,
        (false, false) => problem.output::<T>(rows, columns)?,
        (false, true) => problem.batch_of_outputs::<T>(rows, columns)?.0,
    };
    Ok(Box::new(Guarded { matrices, batched }))
}
