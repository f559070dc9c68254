//! How the matrices or vectors of an argument follow each other along the batch indices of an output.

use gemm_codegen::{Parameter, ParameterKind};

use crate::memory::{Batch, MatrixLayout, Steps};

/// For each batch index of the output, the outermost first, the steps of an argument along it: `None` for
/// an index that the argument lacks, and for one that no single stride steps through. Empty for an
/// argument that is not a batch.
///
/// The vectors of a batch are the rows of a matrix along its innermost index.
pub(super) fn along(
    parameter: &Parameter,
    layout: &MatrixLayout,
    batch: Option<&Batch>,
) -> Vec<Option<Steps>> {
    let own = parameter.batch.indices().count();
    if own == 0 {
        return Vec::new();
    }
    let rows = match parameter.kind {
        ParameterKind::Vector { .. } => {
            Some(Steps { count: layout.rows, stride: layout.leading_dimension })
        }
        _ => None,
    };
    let outer = match own - rows.iter().count() {
        0 => Vec::new(),
        indices => batch
            .and_then(|batch| batch.merged_to(indices))
            .map(|batch| batch.steps().to_vec())
            .unwrap_or_default(),
    };
    let mut steps = outer.into_iter().chain(rows);
    parameter.batch.0.iter().map(|has| has.then(|| steps.next()).flatten()).collect()
}
