//! Batches: a matrix, or a vector, for each matrix of the output.

use fastrand::Rng;
use gemm_codegen::{OperandKind, Spec};

use super::pick;

/// Names of the index: ordinary ones, and ones that the emitted text has another use for.
const INDICES: [&str; 4] = ["B", "Heads", "batch", "r#struct"];

/// Makes batches of the outputs, of one factor or both, and of some of the `values`, which the body
/// reads.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec, values: &[usize]) {
    let index = pick(rng, &INDICES);
    let (first, second) = pick(rng, &[(true, true), (true, false), (false, true)]);
    let mut of_factors = [first, second].into_iter();
    for (number, operand) in spec.operands.iter_mut().enumerate() {
        let batched = match (&operand.kind, values.contains(&number)) {
            (OperandKind::Scalar(_) | OperandKind::DeviceScalar(_), _) => false,
            (_, true) => rng.bool(),
            (_, false) => of_factors.next().unwrap_or(false),
        };
        operand.batch = batched.then(|| index.to_owned());
    }
    for output in &mut spec.outputs {
        output.batch = Some(index.to_owned());
    }
}
