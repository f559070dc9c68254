//! Outputs whose elements are known at run time only.

use gemm_codegen::body::Value;
use gemm_codegen::{Batching, Element as ElementType, ParameterKind, Plan, ScalarType};
use gemm_runtime::{
    Argument, AsBatchedMut as _, AsMatrixMut as _, AsVectorMut as _, Error, with_element,
};

use super::axes;
use crate::judge::{TestElement, Verdict};
use crate::operand::GuardedMatrix;
use crate::{Failure, Problem};

/// What a body's values should be, in their own type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Of type `f32`.
    Float(Vec<f32>),
    /// Of type `f64`.
    Double(Vec<f64>),
    /// Of type `i32`.
    Integer(Vec<i32>),
}

impl Values {
    /// Those of one output, of this type, among the values of all for each element.
    pub(super) fn of(ty: ScalarType, values: impl Iterator<Item = Value>) -> Values {
        match ty {
            ScalarType::F64 => Values::Double(values.map(to_f64).collect()),
            ScalarType::I32 => Values::Integer(values.map(|value| to_f64(value) as i32).collect()),
            _ => Values::Float(values.map(|value| to_f64(value) as f32).collect()),
        }
    }
}

/// The number that a value is; exact.
pub(super) fn to_f64(value: Value) -> f64 {
    match value {
        Value::F32(x) => x.into(),
        Value::F64(x) => x,
        Value::I32(x) => x.into(),
        Value::Bool(x) => x.into(),
    }
}

/// An output in its guard.
pub trait Output {
    /// What a launch writes.
    ///
    /// # Errors
    /// None: the view is inside its guard.
    fn argument(&mut self) -> Result<Argument<'_>, Error>;

    /// Its elements before the launch, row by row, if it has any; exact.
    fn elements(&self) -> Vec<f64>;

    /// Its elements after the launch, row by row; exact.
    ///
    /// # Errors
    /// [`Failure::Guard`], and those of the copy.
    fn written(&self) -> Result<Vec<f64>, Failure>;

    /// Compares it with what it should be, where the body makes `carried` of the errors that it computes with,
    /// for each element; empty if that is not known.
    ///
    /// # Errors
    /// Where it is wrong.
    fn judge(
        &self,
        problem: &Problem<'_>,
        expected: &Values,
        carried: &[f64],
    ) -> Result<Verdict, Failure>;
}

struct Guarded<T: TestElement> {
    matrices: GuardedMatrix<T>,
    form: Form,
}

/// What a launch takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The only row of a matrix.
    Vector,
    Matrix,
    Batch,
}

impl<T: TestElement> Output for Guarded<T> {
    fn argument(&mut self) -> Result<Argument<'_>, Error> {
        Ok(match self.form {
            Form::Vector => self.matrices.device_mut()?.row(0)?.argument(),
            Form::Matrix => self.matrices.device_mut()?.argument(),
            Form::Batch => self.matrices.batch_mut()?.argument(),
        })
    }

    fn elements(&self) -> Vec<f64> {
        self.matrices.host().iter().map(|element| element.to_f64()).collect()
    }

    fn written(&self) -> Result<Vec<f64>, Failure> {
        Ok(self.matrices.read_back()?.iter().map(|element| element.to_f64()).collect())
    }

    fn judge(
        &self,
        problem: &Problem<'_>,
        expected: &Values,
        carried: &[f64],
    ) -> Result<Verdict, Failure> {
        match expected {
            Values::Float(values) => problem.judge_carried(&self.matrices, values, carried),
            Values::Double(values) => problem.judge_carried(&self.matrices, values, carried),
            Values::Integer(values) => problem.judge_carried(&self.matrices, values, carried),
        }
    }
}

/// Each output of a plan, poisoned, or in place with random elements.
///
/// # Errors
/// Those of the device's allocations and copies.
pub fn outputs(problem: &mut Problem<'_>, plan: &Plan) -> Result<Vec<Box<dyn Output>>, Error> {
    let has_old = plan.spec().outputs.iter().any(|output| output.in_place.is_some());
    let (along, stores) = (plan.output_batching(), plan.problem().stores().iter());
    stores.map(|store| written(problem, store.kind(), &along, has_old)).collect()
}

/// An output, or a batch of them, with old elements or without.
fn written(
    problem: &mut Problem<'_>,
    kind: ParameterKind,
    along: &Batching,
    has_old: bool,
) -> Result<Box<dyn Output>, Error> {
    let element = kind.element().unwrap_or(ElementType::F32);
    with_element!(element, T => guarded::<T>(problem, (kind, along, has_old)))
}

fn guarded<T: TestElement>(
    problem: &mut Problem<'_>,
    (kind, along, has_old): (ParameterKind, &Batching, bool),
) -> Result<Box<dyn Output>, Error> {
    if let ParameterKind::Vector { length, .. } = kind {
        let matrices = problem.reduced::<T>(length, along)?;
        let form = match along.indices().count() {
            0 => Form::Vector,
            1 => Form::Matrix,
            _ => Form::Batch,
        };
        return Ok(Box::new(Guarded { matrices, form }));
    }
    let [rows, columns] = axes(kind);
    let batched = along.is_batched();
    let matrices = match (has_old, batched) {
        (true, false) => problem.matrix::<T>(rows, columns)?,
        (true, true) => problem.batch_of_matrices::<T>(rows, columns, along)?.0,
        (false, false) => problem.output::<T>(rows, columns)?,
        (false, true) => problem.batch_of_outputs::<T>(rows, columns, along)?.0,
    };
    let form = if batched { Form::Batch } else { Form::Matrix };
    Ok(Box::new(Guarded { matrices, form }))
}
