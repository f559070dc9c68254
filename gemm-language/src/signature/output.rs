//! The outputs: the return type, those of a returned tuple, or the `&mut` parameter.

use gemm_codegen::Field;
use syn::{ReturnType, Type};

use super::Reader;
use super::tensor::{Tensor, TensorFields, tensor};
use super::types::{last_name, text, ungroup};
use crate::spans::TokenRange;

const OUTPUT: &str =
    "return `Mat<T, I, J>`, such as `-> Mat<f16, M, N>`, `Batched<T, B, I, J>`, or a tuple of them";
/// In place of a vector.
pub(super) const ONE_ROW: &str = "an output is a matrix: write `Mat<T, M, N>`, whose extent `M` a launch \
                                  may give as 1, and a factor `Mat<T, M, K>` with it";
pub(super) const IN_PLACE: &str = "either return the output, `-> Mat<T, I, J>`, or take one \
                                   parameter `c: &mut Mat<T, I, J>` and assign `*c = ..`";

/// The return type, or those of a returned tuple; required unless a parameter is `&mut`.
pub(super) fn returned(
    signature: &syn::Signature,
    written: bool,
    reader: &mut Reader<'_>,
) -> Vec<Option<Tensor<2>>> {
    let ty = match &signature.output {
        ReturnType::Default if written => return Vec::new(),
        ReturnType::Default => {
            reader.errors.push(
                &signature.ident,
                "a `#[gemm]` function needs a return type",
                OUTPUT,
            );
            return vec![None];
        }
        ReturnType::Type(_, ty) if written => {
            reader.errors.push(
                ty,
                "a function with a `&mut` parameter cannot also return a value",
                IN_PLACE,
            );
            return Vec::new();
        }
        ReturnType::Type(_, ty) => ungroup(ty),
    };
    let types = match ty {
        Type::Tuple(tuple) if tuple.elems.len() == 1 => {
            let help = format!("write `{}`: tuples are for several outputs", text(&tuple.elems[0]));
            reader.errors.push(tuple, "a tuple of one matrix", help);
            return vec![None];
        }
        Type::Tuple(tuple) if !tuple.elems.is_empty() => tuple.elems.iter().collect(),
        _ => vec![ty],
    };
    let outputs = types.into_iter().enumerate();
    outputs.map(|(number, ty)| output(ty, number, "returned", OUTPUT, reader)).collect()
}

/// The type of output `number`, which is `written` or `returned`.
pub(super) fn output(
    ty: &Type,
    number: usize,
    how: &str,
    help: &str,
    reader: &mut Reader<'_>,
) -> Option<Tensor<2>> {
    let ty = ungroup(ty);
    reader.spans.set(Field::Output(number), TokenRange::of(ty));
    let name = last_name(ty);
    if !matches!(name.as_deref(), Some("Mat" | "Batched")) {
        let help = if name.as_deref() == Some("Vector") { ONE_ROW } else { help };
        reader.errors.push(ty, format!("`{}` cannot be {how}", text(ty)), help);
        return None;
    }
    let at = TensorFields {
        element: Field::OutputElement(number),
        batch: Field::OutputBatch(number),
        index: Field::OutputIndex,
        number,
    };
    tensor(ty, &at, reader)
}
