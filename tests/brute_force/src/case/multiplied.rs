//! The two operands that are multiplied.

use gemm_codegen::{Element, OperandKind, Spec};

use super::super::{body, element_of, indices, terms};

/// One of the two multiplied operands.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Multiplied {
    pub(in super::super) element: Element,
    /// Whether K is its last index; nothing is known of that where the indices are wrong.
    pub(in super::super) k_contiguous: Option<bool>,
}

/// The elements of the multiplied operands, if the body says clearly which they are.
pub(in super::super) fn multiplied_elements(spec: &Spec) -> Option<[Element; 2]> {
    let [a, b] = body::multiplied(spec)?;
    let element = |operand: usize| element_of(&spec.operands[operand].kind);
    Some([element(a)?, element(b)?])
}

/// The multiplied operands, if the body says clearly which they are.
pub(super) fn multiplied(spec: &Spec) -> Option<[Multiplied; 2]> {
    let operands = body::multiplied(spec)?;
    let is_unclear = indices::lie_apart(spec) || terms::lie_elsewhere(spec);
    let roles = indices::roles(spec).filter(|_| !is_unclear);
    Some(operands.map(|operand| {
        let k_contiguous = match (&spec.operands[operand].kind, &roles) {
            (OperandKind::Matrix { indices, .. }, Some([_, _, k])) => Some(indices[1] == *k),
            _ => None,
        };
        let element = element_of(&spec.operands[operand].kind);
        Multiplied { element: element.unwrap_or(Element::F32), k_contiguous }
    }))
}
