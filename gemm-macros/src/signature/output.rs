//! What the function writes: the type it returns, or the parameter behind `&mut`.

use gemm_codegen::Field;
use syn::{ReturnType, Type};

use super::tensor::{Tensor, TensorFields, tensor};
use super::types::{last_name, text, ungroup};
use crate::errors::Errors;
use crate::spans::{Place, Spans};

const OUTPUT: &str = "a `#[gemm]` function returns `Mat<T, I, J>`, such as `-> Mat<f16, M, N>`, or \
                      a batch of them, `Batched<T, B, I, J>`";
pub(super) const IN_PLACE: &str = "what is written is one matrix: `-> Mat<T, I, J>`, or a \
                                   parameter `c: &mut Mat<T, I, J>` that the body assigns to, \
                                   `*c = ..`";

/// The return type, which there is unless a parameter is written.
pub(super) fn returned(
    signature: &syn::Signature,
    written: bool,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<2>> {
    match &signature.output {
        ReturnType::Default if written => None,
        ReturnType::Default => {
            errors.push(&signature.ident, "a `#[gemm]` function needs a return type", OUTPUT);
            None
        }
        ReturnType::Type(_, ty) if written => {
            errors.push(ty, "a function with a `&mut` parameter returns nothing", IN_PLACE);
            None
        }
        ReturnType::Type(_, ty) => output(ty, "returned", OUTPUT, spans, errors),
    }
}

/// The type of what is `written` or `returned`.
pub(super) fn output(
    ty: &Type,
    how: &str,
    help: &str,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<2>> {
    let ty = ungroup(ty);
    spans.set(Field::Output, Place::of(ty));
    if !matches!(last_name(ty).as_deref(), Some("Mat" | "Batched")) {
        errors.push(ty, format!("`{}` cannot be {how}", text(ty)), help);
        return None;
    }
    let at = TensorFields {
        element: Field::OutputElement,
        batch: Field::OutputBatch,
        index: |_, i| Field::OutputIndex(i),
        operand: 0,
    };
    tensor(ty, &at, spans, errors)
}
