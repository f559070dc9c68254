//! `Mat<T, I, J>`, `Vector<T, I>`, batches of both, `Batched<T, B, I, J>` and `Batched<T, B, I>`, and
//! `Scalar<T>`.

use gemm_codegen::{Element, Field};
use syn::ext::IdentExt;
use syn::{GenericArgument, Ident, Path, PathArguments, Type};

use super::types::{did_you_mean, last_name, text, ungroup};
use crate::errors::{Errors, list};
use crate::spans::{Spans, TokenRange};

/// `Mat<T, I, J>`, `Vector<T, I>`, a batch of either, or `Scalar<T>`.
pub(crate) struct Tensor<const N: usize> {
    /// The path as the user wrote it, without its arguments.
    pub(crate) path: Path,
    /// The element type as the user wrote it.
    pub(crate) element_type: Type,
    pub(crate) element: Element,
    /// The index of a `Batched`.
    pub(crate) batch: Option<Ident>,
    pub(crate) indices: [Ident; N],
}

impl<const N: usize> Tensor<N> {
    pub(super) fn batch_name(&self) -> Option<String> {
        self.batch.as_ref().map(|batch| batch.unraw().to_string())
    }

    pub(super) fn index_names(&self) -> [String; N] {
        self.indices.each_ref().map(|index| index.unraw().to_string())
    }
}

/// The fields for the parts of a tensor's type.
pub(super) struct TensorFields {
    pub(super) element: Field,
    pub(super) batch: Field,
    pub(super) index: fn(usize, usize) -> Field,
    /// Of the operand or the output.
    pub(super) number: usize,
}

/// Reads `Mat<T, I, J>`, `Vector<T, I>`, a batch of either or `Scalar<T>`, whose name was checked.
pub(super) fn tensor<const N: usize>(
    ty: &Type,
    at: &TensorFields,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<N>> {
    let Type::Path(whole) = ty else { return None };
    let batched = is_batched(ty);
    let arguments = arguments(ty);
    let before_indices = 1 + usize::from(batched);
    if arguments.len() != before_indices + N {
        let (form, parts) = form(N, batched);
        let (takes, got) = (before_indices + N, arguments.len());
        let plural = if takes == 1 { "" } else { "s" };
        errors.push(ty, format!("{form} takes {takes} parameter{plural}, got {got}"), parts);
        return None;
    }
    let (head, indices) = arguments.split_at(before_indices);
    let (element, batch) = (head.first()?, head.get(1));
    let batch = batch.map(|batch| {
        spans.set(at.batch, TokenRange::of(batch));
        index_name(batch, errors)
    });
    let names = indices.iter().enumerate().map(|(i, index)| {
        spans.set((at.index)(at.number, i), TokenRange::of(index));
        index_name(index, errors)
    });
    // Collected first, so that each wrong index is reported.
    let names: Vec<Option<Ident>> = names.collect();
    spans.set(at.element, TokenRange::of(element));
    let (element, element_type) = element_of(element, errors)?;
    let mut path = whole.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let indices = names.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?;
    let batch = match batch {
        Some(name) => Some(name?),
        None => None,
    };
    Some(Tensor { path, element_type, element, batch, indices })
}

/// Whether this is a `Batched`.
pub(super) fn is_batched(ty: &Type) -> bool {
    last_name(ty).as_deref() == Some("Batched")
}

/// The arguments between the angle brackets of a path.
pub(super) fn arguments(ty: &Type) -> Vec<&GenericArgument> {
    let Type::Path(whole) = ty else { return Vec::new() };
    match whole.path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments.args.iter().collect(),
        _ => Vec::new(),
    }
}

/// The form of a tensor with this number of indices, and a help for its parameters.
fn form(indices: usize, batched: bool) -> (&'static str, &'static str) {
    match (batched, indices) {
        (true, _) => (
            "`Batched<T, B, I, J>`",
            "give an element type, the batch index, then two indices (one for a batch of vectors)",
        ),
        (false, 0) => ("`Scalar<T>`", "give the type of its element"),
        (false, 1) => ("`Vector<T, I>`", "give an element type and an index"),
        (false, _) => ("`Mat<T, I, J>`", "give an element type and two indices"),
    }
}

/// An element type, recognised by the last segment of its path; rustc checks the path itself.
fn element_of(argument: &GenericArgument, errors: &mut Errors) -> Option<(Element, Type)> {
    let element = match argument {
        GenericArgument::Type(ty) => {
            let ty = ungroup(ty);
            last_name(ty).and_then(|n| Element::from_name(&n)).map(|e| (e, ty.clone()))
        }
        _ => None,
    };
    if element.is_none() {
        let name = match argument {
            GenericArgument::Type(ty) => last_name(ungroup(ty)),
            _ => None,
        };
        let all = format!("the element types are {}", list(Element::ALL));
        let help = did_you_mean(name.as_deref(), Element::ALL.map(Element::name), &all);
        errors.push(argument, format!("`{}` is not an element type", text(argument)), help);
    }
    element
}

/// The name of an index.
fn index_name(argument: &GenericArgument, errors: &mut Errors) -> Option<Ident> {
    if let GenericArgument::Type(ty) = argument
        && let Type::Path(path) = ungroup(ty)
        && path.qself.is_none()
        && let Some(name) = path.path.get_ident()
    {
        return Some(name.clone());
    }
    errors.push(
        argument,
        format!("`{}` is not the name of an index", text(argument)),
        "use a free name such as `M`; the extent comes from the arguments of each call",
    );
    None
}
