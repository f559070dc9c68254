//! `Mat<T, I, J>`, `Vector<T, I>`, batches of both, `Batched<T, B, I, J>` and `Batched<T, (B, H), I>`, and
//! `Scalar<T>`.

use gemm_codegen::{Element, Field};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{GenericArgument, Ident, Path, PathArguments, Type};

use super::Reader;
use super::elsewhere;
use super::otherwise;
use super::types::{is_number, last_name, text, ungroup};
use crate::errors::{Errors, Unknown, list};
use crate::spans::TokenRange;

/// `Mat<T, I, J>`, `Vector<T, I>`, a batch of either, or `Scalar<T>`.
pub(crate) struct Tensor<const N: usize> {
    /// The path as the user wrote it, without its arguments.
    pub(crate) path: Path,
    /// The element type as the user wrote it.
    pub(crate) element_type: Type,
    pub(crate) element: ElementType,
    /// The indices of a `Batched`.
    pub(crate) batch: Vec<Ident>,
    pub(crate) indices: [Ident; N],
}

impl<const N: usize> Tensor<N> {
    pub(super) fn batch_names(&self) -> Vec<String> {
        self.batch.iter().map(|index| index.unraw().to_string()).collect()
    }

    pub(super) fn index_names(&self) -> [String; N] {
        self.indices.each_ref().map(|index| index.unraw().to_string())
    }
}

/// What a signature says of the elements of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementType {
    /// They are of this type.
    Is(Element),
    /// They are of the type parameter of this number.
    Parameter(usize),
}

/// The fields for the parts of a tensor's type.
pub(super) struct TensorFields {
    pub(super) element: Field,
    pub(super) batch: Field,
    pub(super) index: fn(usize, usize) -> Field,
    /// Of the operand or the output.
    pub(super) number: usize,
}

impl TensorFields {
    fn is_of_output(&self) -> bool {
        matches!(self.element, Field::OutputElement(_))
    }
}

/// Reads `Mat<T, I, J>`, `Vector<T, I>`, a batch of either or `Scalar<T>`, whose name was checked.
pub(super) fn tensor<const N: usize>(
    ty: &Type,
    at: &TensorFields,
    reader: &mut Reader<'_>,
) -> Option<Tensor<N>> {
    let (batched, arguments) = (is_batched(ty), arguments(ty));
    if let Some(lifetime) = arguments.iter().find(|of| matches!(of, GenericArgument::Lifetime(_))) {
        let message = format!("`{}` is a lifetime, but a tensor has none", text(*lifetime));
        reader.errors.push(lifetime, message, "remove it: a signature declares what is multiplied");
        return None;
    }
    let takes = 1 + usize::from(batched) + N;
    if arguments.len() != takes {
        let rest = (reader.type_parameters, &mut *reader.errors);
        otherwise::wrong_count(ty, at.is_of_output(), takes, rest);
        return None;
    }
    of_arguments(ty, &arguments, at, reader)
}

/// Reads a tensor of this type with these arguments: an element, the batch of a `Batched`, and N indices.
pub(super) fn of_arguments<const N: usize>(
    ty: &Type,
    arguments: &[&GenericArgument],
    at: &TensorFields,
    reader: &mut Reader<'_>,
) -> Option<Tensor<N>> {
    let Reader { type_parameters, spans, errors, .. } = reader;
    let Type::Path(whole) = ty else { return None };
    let before_indices = 1 + usize::from(is_batched(ty));
    let (head, indices) = arguments.split_at(before_indices);
    let (element, batch) = (head.first()?, head.get(1));
    let batch = batch.map(|batch| {
        spans.set(at.batch, TokenRange::of(batch));
        batch_names(batch, errors)
    });
    let names = indices.iter().enumerate().map(|(i, index)| {
        spans.set((at.index)(at.number, i), TokenRange::of(index));
        let extent_of_one = || otherwise::extent_of_one(ty, at.is_of_output());
        index_name(index, extent_of_one, errors)
    });
    // Collected first, so that each wrong index is reported.
    let names: Vec<Option<Ident>> = names.collect();
    spans.set(at.element, TokenRange::of(element));
    let (element, element_type) = element_type(element, type_parameters, errors)?;
    let mut path = whole.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::None;
    }
    let indices = names.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?;
    let batch = match batch {
        Some(names) => names?,
        None => Vec::new(),
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

/// The type of the elements, as it is and as it is written.
fn element_type(
    argument: &GenericArgument,
    type_parameters: &[Ident],
    errors: &mut Errors,
) -> Option<(ElementType, Type)> {
    let ty = match argument {
        GenericArgument::Type(ty) => Some(ungroup(ty)),
        _ => None,
    };
    if let Some(Type::Path(path)) = ty
        && let Some(number) = type_parameters.iter().position(|name| path.path.is_ident(name))
    {
        return Some((ElementType::Parameter(number), Type::Path(path.clone())));
    }
    match ty.and_then(element) {
        Some(element) => ty.cloned().map(|ty| (ElementType::Is(element), ty)),
        None => {
            no_element(argument, ty, errors);
            None
        }
    }
}

/// The element that a type is, by the last segment of its path; rustc checks the path itself.
pub(crate) fn element(ty: &Type) -> Option<Element> {
    last_name(ty).and_then(|name| Element::from_name(&name))
}

/// Reports what is not an element type, a type or not.
pub(super) fn no_element(tokens: &impl ToTokens, ty: Option<&Type>, errors: &mut Errors) {
    let written = ty.and_then(last_name).unwrap_or_default();
    let message = format!("`{}` is not an element type", text(tokens));
    let mut all = format!("the element types are {}", list(Element::ALL));
    if let "i4" | "u4" = &*written {
        let help = format!(
            "write `{written}x2`: two numbers along K in a byte, the first in the low bits"
        );
        return errors.push(tokens, message, help);
    }
    if written == "bool" {
        let help = "the element type of a mask is `u8`, which a body compares: `mask != 0`";
        return errors.push(tokens, message, help);
    }
    if let Some(ours) = elsewhere::element(&written) {
        return errors.push(tokens, message, format!("the element type is `{ours}`"));
    }
    if written.starts_with(char::is_uppercase) {
        // A type parameter that is not declared: one edit fixes all places.
        if errors.has_unknown(&message) {
            return;
        }
        let of = format!("`#[gemm({written} = [f16, f32])] fn name<{written}>(..)`");
        all += &format!("; a type parameter is declared and has a list of them: {of}");
    }
    let candidates = Element::ALL.map(|element| element.name().to_owned()).to_vec();
    errors.push_unknown(Unknown {
        message,
        candidates: if is_number(&written) { Vec::new() } else { candidates },
        written,
        all: Some(all),
        tokens: tokens.to_token_stream(),
        is_element: true,
    });
}

/// The names of the indices of a batch: `B`, or several in parentheses.
fn batch_names(argument: &GenericArgument, errors: &mut Errors) -> Option<Vec<Ident>> {
    let GenericArgument::Type(Type::Tuple(tuple)) = argument else {
        return index_name(argument, || None, errors).map(|name| vec![name]);
    };
    if tuple.elems.len() < 2 {
        let message = format!("`{}` is not a pair of batch indices", text(argument));
        errors.push(argument, message, "write `B` for one index, `(B, H)` for two");
        return None;
    }
    // Collected first, so that each wrong index is reported.
    let names = tuple.elems.iter().cloned().map(GenericArgument::Type);
    let names: Vec<_> = names.map(|index| index_name(&index, || None, errors)).collect();
    names.into_iter().collect()
}

/// The name of an index; the help for the extent 1 is another one than that for any.
fn index_name(
    argument: &GenericArgument,
    extent_of_one: impl Fn() -> Option<String>,
    errors: &mut Errors,
) -> Option<Ident> {
    if let GenericArgument::Type(ty) = argument
        && let Type::Path(path) = ungroup(ty)
        && path.qself.is_none()
        && let Some(name) = path.path.get_ident()
    {
        return Some(name.clone());
    }
    let written = text(argument);
    let of_one = if written == "1" { extent_of_one() } else { None };
    let help = of_one.unwrap_or_else(|| {
        "use a free name such as `M`; the extent comes from the arguments of each call".to_owned()
    });
    errors.push(argument, format!("`{written}` is not the name of an index"), help);
    None
}
