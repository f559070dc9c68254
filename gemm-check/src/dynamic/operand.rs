//! Operands whose type is known at run time only.

use gemm_codegen::{Axis, Batching, ParameterKind, Plan, ScalarType};
use gemm_runtime::{
    Argument, AsBatched as _, AsMatrix as _, AsScalar as _, AsVector as _, Error, with_element,
};

use super::axes;
use crate::Problem;
use crate::judge::TestElement;
use crate::numbers::numbers;
use crate::operand::{GuardedBatch, GuardedMatrix, GuardedScalar, GuardedVector, Scalar};

/// An operand whose type is known at run time only.
pub trait Operand {
    /// What a launch takes.
    ///
    /// # Errors
    /// None: the view is inside its guard.
    fn argument(&self) -> Result<Argument<'_>, Error>;

    /// Its elements or their numbers, row by row, or the value of a scalar; exact.
    fn elements(&self) -> Vec<f64>;
}

macro_rules! guarded {
    ($($ty:ident: |$operand:ident| $elements:expr;)+) => {
        $(impl<T: TestElement> Operand for $ty<T> {
            fn argument(&self) -> Result<Argument<'_>, Error> {
                Ok(self.device()?.argument())
            }

            fn elements(&self) -> Vec<f64> {
                let $operand = self;
                $elements
            }
        })+
    };
}

guarded! {
    GuardedMatrix: |it| numbers(it.host(), [it.rows(), it.columns()]);
    GuardedBatch: |it| it.0.elements();
    GuardedVector: |it| it.host().iter().map(|element| element.to_f64()).collect();
    GuardedScalar: |it| vec![it.host().to_f64()];
}

macro_rules! by_value {
    ($($ty:ty),+) => {
        $(impl Operand for Scalar<$ty> {
            fn argument(&self) -> Result<Argument<'_>, Error> {
                Ok(Argument::from(self.0))
            }

            fn elements(&self) -> Vec<f64> {
                vec![self.0.into()]
            }
        })+
    };
}

by_value!(f32, f64, i32);

/// Operands of a plan, in their order: random but for the fixed scalars of the problem, whose K is rounded up to whole tiles
/// of all scales.
///
/// # Errors
/// Those of the device's allocations and copies.
pub fn operands(problem: &mut Problem<'_>, plan: &Plan) -> Result<Vec<Box<dyn Operand>>, Error> {
    let tiles = plan.problem().operands().iter().map(|kind| match kind {
        ParameterKind::Tiled { rows: Axis::K, extents: [k, _], .. }
        | ParameterKind::Tiled { extents: [_, k], .. } => *k as usize,
        _ => 1,
    });
    problem.round_k_up(tiles);
    let kinds = plan.problem().operands().iter().enumerate();
    let operand = |(number, kind): (usize, &ParameterKind)| {
        let constant = problem.constant(&plan.spec().operands[number].name);
        match constant {
            Some(value) => fixed(problem, *kind, value),
            None => random(problem, *kind, &plan.batching(number)),
        }
    };
    kinds.map(operand).collect()
}

/// A scalar of this value.
fn fixed(
    problem: &mut Problem<'_>,
    kind: ParameterKind,
    value: f64,
) -> Result<Box<dyn Operand>, Error> {
    Ok(match kind {
        ParameterKind::DeviceScalar(element) => {
            with_element!(element, T => Box::new(problem.device_scalar::<T>(Some(value))?))
        }
        ParameterKind::Scalar(ScalarType::F64) => Box::new(Scalar(value)),
        ParameterKind::Scalar(ScalarType::I32) => Box::new(Scalar(value as i32)),
        _ => Box::new(Scalar(value as f32)),
    })
}

/// A random operand.
fn random(
    problem: &mut Problem<'_>,
    kind: ParameterKind,
    along: &Batching,
) -> Result<Box<dyn Operand>, Error> {
    Ok(match kind.element() {
        Some(element) => with_element!(element, T => tensor::<T>(problem, kind, along)?),
        None if kind.value() == ScalarType::I32 => Box::new(problem.scalar_i32()),
        None if kind.value() == ScalarType::F64 => Box::new(problem.scalar_f64()),
        None => Box::new(problem.scalar()),
    })
}

/// A random matrix, vector or scalar, or a batch of the first two.
fn tensor<T: TestElement>(
    problem: &mut Problem<'_>,
    kind: ParameterKind,
    along: &Batching,
) -> Result<Box<dyn Operand>, Error> {
    Ok(match (kind, along.indices().count()) {
        (ParameterKind::Vector { length, .. }, 0) => Box::new(problem.vector::<T>(length)?),
        (ParameterKind::Vector { length, .. }, 1) => {
            Box::new(problem.batch_of_vectors::<T>(length, along)?)
        }
        (ParameterKind::Vector { length, .. }, _) => {
            Box::new(problem.batches_of_vectors::<T>(length, along)?)
        }
        (ParameterKind::Tiled { rows, columns, extents, .. }, _) => {
            Box::new(problem.tiles::<T>([rows, columns], extents)?)
        }
        (ParameterKind::DeviceScalar(_), _) => Box::new(problem.device_scalar::<T>(None)?),
        (kind, indices) => {
            let [rows, columns] = axes(kind);
            match indices {
                0 => Box::new(problem.matrix::<T>(rows, columns)?),
                _ => Box::new(problem.batch_of_matrices::<T>(rows, columns, along)?),
            }
        }
    })
}
