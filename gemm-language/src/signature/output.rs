//! The outputs: the return type, those of a returned tuple, or the `&mut` parameter.

use gemm_codegen::{Element, Field, Output, OutputIndices};
use syn::{FnArg, Ident, ReturnType, Type};

use super::Reader;
use super::elsewhere;
use super::parameter::referenced;
use super::tensor::{ElementType, Tensor, TensorFields, arguments, tensor};
use super::types::{did_you_mean, last_name, text, ungroup};
use crate::spans::TokenRange;

/// The names of the types of outputs.
const NAMES: [&str; 3] = ["Mat", "Vector", "Batched"];

const OUTPUT: &str = "return `Mat<T, I, J>`, such as `-> Mat<f16, M, N>`, `Vector<T, I>` of what is reduced, \
                      `Batched<T, B, I, J>`, or a tuple of them";
/// In place of a matrix of one index.
pub(super) const ONE_ROW: &str = "write `Mat<T, M, N>`, whose extent `M` a launch may give as 1, and a factor \
                                  `Mat<T, M, K>` with it; or `Vector<T, M>` of what is reduced over `N`";
const RETURNED: &str = "a vector is returned: write `-> Vector<T, M>`, and end the body with what it is \
                        reduced to, such as `sum(x)`";
/// In place of a scalar.
const ONE_VALUE: &str = "an output has an index: return `Vector<T, M>`, end the body with what it is reduced to, such \
                         as `sum(x)`, and reduce the vector after the launch";
pub(super) const IN_PLACE: &str = "either return the output, `-> Mat<T, I, J>`, or take one \
                                   parameter `c: &mut Mat<T, I, J>` and assign `*c = ..`";

/// The type of an output.
#[derive(Clone, Copy)]
pub(crate) enum OutputType<'a> {
    /// `Mat<T, I, J>`, or a batch of them.
    Matrix(&'a Tensor<2>),
    /// `Vector<T, I>`, or a batch of them: the body's values are reduced over the other index.
    Reduced(&'a Tensor<1>),
}

impl<'a> OutputType<'a> {
    pub(crate) fn element(self) -> ElementType {
        match self {
            OutputType::Matrix(tensor) => tensor.element,
            OutputType::Reduced(tensor) => tensor.element,
        }
    }

    /// The indices of a `Batched`.
    pub(crate) fn batch(self) -> &'a [Ident] {
        match self {
            OutputType::Matrix(tensor) => &tensor.batch,
            OutputType::Reduced(tensor) => &tensor.batch,
        }
    }

    /// What it is in a spec of these elements.
    pub(super) fn output(self, in_place: Option<String>, element: Element) -> Output {
        let (batch, indices) = match self {
            OutputType::Matrix(of) => (of.batch_names(), OutputIndices::Matrix(of.index_names())),
            OutputType::Reduced(of) => {
                let [index] = of.index_names();
                (of.batch_names(), OutputIndices::Reduced(index))
            }
        };
        Output { in_place, batch, element, indices }
    }
}

/// A type that is returned.
pub(crate) enum Returned {
    Matrix(Tensor<2>),
    Reduced(Tensor<1>),
}

impl Returned {
    pub(crate) fn ty(&self) -> OutputType<'_> {
        match self {
            Returned::Matrix(tensor) => OutputType::Matrix(tensor),
            Returned::Reduced(tensor) => OutputType::Reduced(tensor),
        }
    }
}

/// The return type, or those of a returned tuple; required unless a parameter is `&mut`.
pub(super) fn returned(
    signature: &syn::Signature,
    written: bool,
    reader: &mut Reader<'_>,
) -> Vec<Option<Returned>> {
    let ty = match &signature.output {
        ReturnType::Default if written => return Vec::new(),
        // One of them is meant as the output in place, and was reported.
        ReturnType::Default if has_reference(signature) => return vec![None],
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
    outputs.map(|(number, ty)| returned_type(ty, number, reader)).collect()
}

/// Whether a parameter is an operand type after `&`.
fn has_reference(signature: &syn::Signature) -> bool {
    let is_reference = |parameter: &FnArg| match parameter {
        FnArg::Typed(typed) => referenced(ungroup(&typed.ty)).is_some(),
        FnArg::Receiver(_) => false,
    };
    signature.inputs.iter().any(is_reference)
}

/// A returned matrix, or a vector: a `Batched` of three parameters is of vectors.
fn returned_type(ty: &Type, number: usize, reader: &mut Reader<'_>) -> Option<Returned> {
    let is_vector = match last_name(ungroup(ty)).as_deref() {
        Some("Vector") => true,
        Some("Batched") => arguments(ungroup(ty)).len() == 3,
        _ => false,
    };
    match is_vector {
        false => output(ty, number, "returned", OUTPUT, reader).map(Returned::Matrix),
        true => {
            let ty = ungroup(ty);
            reader.spans.set(Field::Output(number), TokenRange::of(ty));
            tensor(ty, &fields(number), reader).map(Returned::Reduced)
        }
    }
}

/// The fields of the type of an output.
fn fields(number: usize) -> TensorFields {
    TensorFields {
        element: Field::OutputElement(number),
        batch: Field::OutputBatch(number),
        index: Field::OutputIndex,
        number,
    }
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
        let help = match name.as_deref() {
            Some("Vector") => RETURNED.to_owned(),
            Some("f32" | "f64" | "i32" | "Scalar") => ONE_VALUE.to_owned(),
            name => match elsewhere::instead(name) {
                Some(help) => help.to_owned(),
                None => did_you_mean(name, NAMES, help),
            },
        };
        reader.errors.push(ty, format!("`{}` cannot be {how}", text(ty)), help);
        return None;
    }
    tensor(ty, &fields(number), reader)
}
