//! Batches: a matrix, or a vector, for each matrix of the output.

use fastrand::Rng;
use gemm_codegen::{OperandKind, Spec};

use super::pick;

/// Names of the indices: ordinary ones, and ones that the emitted text has another use for.
const INDICES: [[&str; 2]; 3] = [["B", "Heads"], ["batch", "r#struct"], ["outer", "inner"]];

/// Which of two indices the factors have: together all of them.
const OF_FACTORS: [[[bool; 2]; 2]; 6] = [
    [[true, true], [true, true]],
    [[true, true], [false, false]],
    [[false, false], [true, true]],
    [[true, true], [true, false]],
    [[false, true], [true, true]],
    [[true, false], [false, true]],
];

/// Makes batches of the outputs, of one factor or both, and of some of the `values`, which the body
/// reads; over one index or two.
pub(super) fn inflict(rng: &mut Rng, spec: &mut Spec, values: &[usize]) {
    let indices = pick(rng, &INDICES);
    let are_two = rng.bool();
    let mut of_factors = pick(rng, &OF_FACTORS).into_iter();
    for (number, operand) in spec.operands.iter_mut().enumerate() {
        let which = match (&operand.kind, values.contains(&number)) {
            (OperandKind::Scalar(_) | OperandKind::DeviceScalar(_), _) => [false; 2],
            (_, true) => [rng.bool(), rng.bool()],
            (_, false) => of_factors.next().unwrap_or([false; 2]),
        };
        // A factor that has one of two has the only one.
        let which = if are_two { which } else { [which.contains(&true), false] };
        let chosen = indices.iter().zip(which).filter(|(_, chosen)| *chosen);
        operand.batch = chosen.map(|(index, _)| (*index).to_owned()).collect();
    }
    for output in &mut spec.outputs {
        output.batch =
            indices.iter().take(1 + usize::from(are_two)).map(|i| (*i).to_owned()).collect();
    }
}
