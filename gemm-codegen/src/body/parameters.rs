//! The parameters of the emitted function `body`.

use crate::element::ScalarType::{self, I32};
use crate::spec::Spec;

use super::name::cuda_name;
use super::typed::Resolved;

/// Type and name of each, in their order.
pub(super) fn parameters(resolved: &Resolved, spec: &Spec) -> Vec<(ScalarType, String)> {
    let sums = (0..resolved.products).map(|product| (resolved.sum, accumulator(product)));
    let coordinates = resolved.coordinates.iter().map(|of| (I32, of.cuda().to_owned()));
    let values = resolved.values.iter().map(|operand| value(spec, *operand));
    let old = |name: &String| (spec.output().element.value(), cuda_name(name));
    sums.chain(coordinates).chain(values).chain(resolved.old.iter().map(old)).collect()
}

/// The name of the sum of a product inside the body.
pub(super) fn accumulator(product: usize) -> String {
    match product {
        0 => "acc".to_owned(),
        _ => format!("acc{product}"),
    }
}

/// Type and name of an operand inside the body.
pub(super) fn value(spec: &Spec, operand: usize) -> (ScalarType, String) {
    let operand = &spec.operands[operand];
    (operand.kind.value(), cuda_name(&operand.name))
}
