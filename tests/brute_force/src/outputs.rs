//! Several outputs: how many, and whether a row of one is a row of all.

use std::collections::BTreeSet;

use gemm_codegen::ScalarType::{self, F32, F64, I32};
use gemm_codegen::{Element, Output, OutputIndices, Spec};

use super::atoms;

/// Whether there are more outputs than can be, of those in place one.
pub(super) fn count(spec: &Spec) -> bool {
    let all = &spec.outputs;
    let most = if all.iter().any(|output| output.in_place.is_some()) { 1 } else { 4 };
    all.len() > most
}

/// Whether two outputs have different rows, columns or batches.
pub(super) fn differ(spec: &Spec) -> bool {
    let batches = spec.outputs.iter().map(|output| &output.batch);
    let matrices = spec.outputs.iter().filter(|output| !is_vector(output));
    let indices = matrices.map(|output| output.indices.names()).collect::<BTreeSet<_>>();
    let all: Vec<&String> = indices.iter().copied().flatten().collect();
    let mut vectors = spec.outputs.iter().filter(|output| is_vector(output));
    batches.collect::<BTreeSet<_>>().len() > 1
        || indices.len() > 1
        || vectors.any(|output| !all.contains(&&output.indices.names()[0]))
}

/// Whether an output is a vector. The bodies that are drawn reduce nothing.
pub(super) fn is_vector(output: &Output) -> bool {
    matches!(output.indices, OutputIndices::Reduced(_))
}

/// What a value may be that is stored as an element of an output.
pub(super) fn storable(output: &Output) -> &'static [ScalarType] {
    use Element::{F64 as Double, I32 as Whole};
    let is_byte = atoms::value(output.element) == I32 && output.element != Whole;
    match (output.element, &output.in_place) {
        // In place the value takes the place of the old one.
        (Whole, _) => &[I32],
        (_, Some(_)) if is_byte => &[I32],
        // 8-bit integers are made of integers and of floats. That nothing is stored as several is said elsewhere.
        (_, None) if is_byte => &[I32, F32],
        (Double, _) => &[F64],
        _ => &[F32],
    }
}
