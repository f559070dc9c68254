//! `Mat<T, I, J>` and `Vector<T, I>`.

use gemm_codegen::{Element, Field};
use syn::ext::IdentExt;
use syn::{GenericArgument, Ident, Path, PathArguments, Type};

use super::types::{last_name, text, ungroup};
use crate::errors::{Errors, list};
use crate::spans::{Place, Spans};

/// `Mat<T, I, J>` or `Vector<T, I>`.
pub(crate) struct Tensor<const N: usize> {
    /// The path as the user wrote it, without its arguments.
    pub(crate) path: Path,
    /// The element type as the user wrote it.
    pub(crate) element_type: Type,
    pub(crate) element: Element,
    pub(crate) indices: [Ident; N],
}

impl<const N: usize> Tensor<N> {
    pub(super) fn index_names(&self) -> [String; N] {
        self.indices.each_ref().map(|index| index.unraw().to_string())
    }
}

/// Which fields the parts of a tensor's type are.
pub(super) struct TensorFields {
    pub(super) element: Field,
    pub(super) index: fn(usize, usize) -> Field,
    pub(super) operand: usize,
}

/// Reads `Mat<T, I, J>` or `Vector<T, I>`: the name is known to be right.
pub(super) fn tensor<const N: usize>(
    ty: &Type,
    at: &TensorFields,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Tensor<N>> {
    let Type::Path(whole) = ty else { return None };
    let (form, parts) = match N {
        1 => ("`Vector<T, I>`", "an element type, then the name of an index"),
        _ => ("`Mat<T, I, J>`", "an element type, then the names of two indices"),
    };
    let last = whole.path.segments.last()?;
    let arguments: Vec<&GenericArgument> = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    let Some((element, indices)) = arguments.split_first().filter(|(_, i)| i.len() == N) else {
        let message = format!("{form} takes {} parameters, got {}", N + 1, arguments.len());
        errors.push(ty, message, parts);
        return None;
    };
    let names = indices.iter().enumerate().map(|(i, index)| {
        spans.set((at.index)(at.operand, i), Place::of(index));
        index_name(index, errors)
    });
    // Collected first, so that each wrong index is reported.
    let names: Vec<Option<Ident>> = names.collect();
    spans.set(at.element, Place::of(element));
    let (element, element_type) = element_of(element, errors)?;
    let mut path = whole.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let indices = names.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?;
    Some(Tensor { path, element_type, element, indices })
}

/// An element type, recognised by the last segment of its path; rustc checks that it is ours.
fn element_of(argument: &GenericArgument, errors: &mut Errors) -> Option<(Element, Type)> {
    let element = match argument {
        GenericArgument::Type(ty) => {
            let ty = ungroup(ty);
            last_name(ty).and_then(|n| Element::from_name(&n)).map(|e| (e, ty.clone()))
        }
        _ => None,
    };
    if element.is_none() {
        errors.push(
            argument,
            format!("`{}` is not an element type", text(argument)),
            format!("the element types are {}", list(Element::ALL)),
        );
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
        "an index is a free name such as `M`; its extent comes with the arguments of each call",
    );
    None
}
